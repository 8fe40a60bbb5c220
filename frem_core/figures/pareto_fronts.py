"""Fairness against prediction: every setting of every method, and the fronts they form."""

from collections.abc import Collection, Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.front_marks import (
    BEST_WITHIN_LIMITS,
    NO_BETTER,
    draw_band,
    draw_constant,
    draw_limits,
    draw_no_better,
    draw_rings,
)
from frem_core.figures.layout import lay_out, legend_name
from frem_core.figures.looks import SeriesLook, method_looks, readable
from frem_core.figures.plain_text import plain_text
from frem_core.words import counted

_SIZE, _PAPER_SIZE = 11, 13
# A star of the same size covers less of the chart than a square.
_SIZES = {"star": 15, "square": 9, "triangle-left": 12, "triangle-right": 12}
_FAINT = 0.4
_LEAST_SPAN, _LEAST_SHARE = 0.04, 0.2
_HOVER = (
    "%{customdata[1]}<br>prediction %{y:.4f}%{customdata[2]}<br>unfairness %{x:.4f}"
    "%{customdata[3]}<br>%{customdata[4]}<extra>{title}</extra>"
)
_PAPER_HOVER = (
    "printed in the paper<br>prediction %{y:.3f}<br>unfairness %{x:.3f}"
    "<extra>%{customdata[1]}</extra>"
)


def pareto_fronts_figure(
    points: pd.DataFrame,
    *,
    prediction: str,
    fairness: str,
    prediction_title: str,
    fairness_title: str,
    series: str = "method",
    looks: Mapping[str, SeriesLook] | None = None,
    paper: pd.DataFrame | None = None,
    noise_floor: float | None = None,
    at_most: float | None = None,
    at_least: float | None = None,
    marked: Collection[object] = (),
    mark_title: str = BEST_WITHIN_LIMITS,
    constant: float | None = None,
    bands: Mapping[str, pd.DataFrame] | None = None,
    dark: bool = False,
    height: int = 520,
) -> go.Figure:
    """Draws fairness along x and prediction along y; the best corner is the upper left one.

    Each series shows all of its points with standard errors; a line joins those that no other
    point of the series dominates, the dominated ones are faint.

    Args:
        points: one row per setting, as :func:`frem_core.pareto.method_fronts` returns: the
            columns named below, their standard errors under ``<name>.se`` (optional), ``seeds``
            (optional) and ``on_front``. ``point`` (what a click reports as ``customdata[0]``;
            by default the row's index), ``words`` (what the setting is), ``units`` (the
            prediction in the target's own units) and ``no_better`` are optional.
        prediction: column of the prediction score as it is to be shown: higher is better.
        fairness: column of the fairness score: lower is fairer.
        prediction_title: title of the y axis, with the direction that is better.
        fairness_title: the same for x.
        series: column that tells the series apart.
        looks: how each series looks; by default series are methods.
        paper: the paper's numbers with ``method``, ``cut``, ``prediction`` and ``fairness``, as
            :func:`frem_core.paper.paper_points` returns; drawn hollow and named as such.
        noise_floor: fairness scores up to here are no more than chance; drawn as a band.
        at_most: limit of the fairness score, drawn as a line.
        at_least: limit of the prediction score, drawn as a line.
        marked: points to put a ring around.
        mark_title: what a ring means.
        constant: prediction score of the best constant, drawn where its unfairness is: at 0.
        bands: by series, where its front would lie on other samples: x, low and high.
        dark: whether the chart stands on dark ground.
        height: in pixels.

    Example:
        >>> table = pd.DataFrame({"method": ["frem"] * 2, "accuracy": [0.9, 0.8],
        ...                       "hgr": [0.3, 0.1], "on_front": [True, True]})
        >>> figure = pareto_fronts_figure(
        ...     table, prediction="accuracy", fairness="hgr",
        ...     prediction_title="Accuracy (higher is better)",
        ...     fairness_title="HGR (lower is fairer)")
        >>> [trace.name for trace in figure.data]
        ['FREM']
    """
    figure = go.Figure()
    known = points.dropna(subset=[prediction, fairness])
    shown = _described(known, prediction, fairness)
    names = list(dict.fromkeys(shown[series]))
    papers = [] if paper is None else list(dict.fromkeys(paper["method"]))
    if looks is None:
        looks = method_looks([*names, *papers])
    draw_limits(figure, noise_floor, at_most, at_least)
    for name, band in (bands or {}).items():
        draw_band(figure, band, readable(looks[name].colour, dark=dark), looks[name].title)
    # The first series of the table is the first of the legend and lies on top of the others.
    for place, name in reversed(list(enumerate(names, start=1))):
        rows = shown[shown[series] == name].sort_values(fairness, kind="stable")
        _draw_series(figure, rows, looks[name], prediction, fairness, place, dark=dark)
    if paper is not None and len(paper):
        _draw_paper(figure, paper, looks, names, dark=dark)
    if constant is not None:
        draw_constant(figure, constant, dark=dark)
    if "no_better" in shown:
        draw_no_better(figure, shown[shown["no_better"]], prediction, fairness, dark=dark)
    ringed = shown[shown["point"].isin(list(marked))]
    draw_rings(figure, ringed, prediction, fairness, dark=dark, name=mark_title)
    lay_out(figure, x_title=fairness_title, y_title=prediction_title, height=height, legend=True)
    _widen(figure, shown, prediction, fairness, paper, constant)
    # A click selects a point; dragging moves the view.
    return figure.update_layout(dragmode="pan", clickmode="event+select", hovermode="closest")


def _widen(
    figure: go.Figure,
    shown: pd.DataFrame,
    prediction: str,
    fairness: str,
    paper: pd.DataFrame | None,
    constant: float | None,
) -> None:
    """Keeps a chart of few points from showing scores nobody can have, or noise as a difference.

    Around a single value Plotly would show one unit to each side, and around two nearly equal ones
    almost nothing.
    """
    ends = {}
    for name, column in (("prediction", prediction), ("fairness", fairness)):
        errors = shown[f"{column}.error"]
        values = [*(shown[column] - errors), *(shown[column] + errors)]
        values += [] if paper is None else list(paper[name])
        values += [] if constant is None else [constant if name == "prediction" else 0.0]
        ends[name] = (min(values, default=0.0), max(values, default=0.0))
    low, high = ends["fairness"]
    if len(shown) and high - low <= _LEAST_SHARE * high:
        figure.update_xaxes(range=[0.0, 1.25 * high or 0.1])
    low, high = ends["prediction"]
    if len(shown) and high - low < _LEAST_SPAN:
        middle = (low + high) / 2
        figure.update_yaxes(range=[middle - _LEAST_SPAN / 2, middle + _LEAST_SPAN / 2])


def _described(points: pd.DataFrame, prediction: str, fairness: str) -> pd.DataFrame:
    """The points with what hovering over them says."""
    table = points.copy()
    if "point" not in table:
        table["point"] = table.index
    words = table["words"] if "words" in table else pd.Series("", index=table.index)
    table["hover"] = [plain_text(text, longest=160) for text in words]
    for name in (prediction, fairness):
        errors = table.get(f"{name}.se", pd.Series(np.nan, index=table.index))
        table[f"{name}.error"] = errors.fillna(0.0)
        table[f"{name}.hover"] = [f" ± {error:.4f}" if error > 0 else "" for error in errors]
    if "units" in table:
        units = [f"<br>{plain_text(text)}" if text else "" for text in table["units"]]
        table[f"{prediction}.hover"] += units
    if "no_better" in table:
        table["hover"] += [f"<br>{NO_BETTER}" if bad else "" for bad in table["no_better"]]
    seeds = table.get("seeds", pd.Series(1, index=table.index))
    table["place"] = [
        f"{counted(count, 'run')}, "
        + ("on the front" if front else "another setting is better in both")
        for count, front in zip(seeds, table["on_front"], strict=True)
    ]
    return table


def _draw_series(
    figure: go.Figure,
    rows: pd.DataFrame,
    look: SeriesLook,
    prediction: str,
    fairness: str,
    place: int,
    *,
    dark: bool,
) -> None:
    colour = readable(look.colour, dark=dark)
    for on_front in (False, True):
        some = rows[rows["on_front"] == on_front]
        if some.empty:
            continue
        bars = {"type": "data", "color": colour, "thickness": 1.2, "width": 3}
        figure.add_scatter(
            x=some[fairness],
            y=some[prediction],
            error_x={**bars, "array": some[f"{fairness}.error"]},
            error_y={**bars, "array": some[f"{prediction}.error"]},
            customdata=some[
                ["point", "hover", f"{prediction}.hover", f"{fairness}.hover", "place"]
            ].to_numpy(),
            mode="lines+markers" if on_front and len(some) > 1 else "markers",
            name=legend_name(plain_text(look.title)),
            legendgroup=look.title,
            legendrank=place,
            # A method is on its own front somewhere, so one legend entry is enough.
            showlegend=on_front,
            opacity=1.0 if on_front else _FAINT,
            # The first series is what the others are compared with.
            line={"color": colour, "width": 3.5 if place == 1 else 1.8},
            marker={
                "color": colour,
                "symbol": look.symbol,
                "size": _SIZES.get(look.symbol, _SIZE),
            },
            unselected={"marker": {"opacity": 0.55 if on_front else _FAINT}},
            hovertemplate=_HOVER.replace("{title}", plain_text(look.title)),
        )


def _draw_paper(
    figure: go.Figure,
    paper: pd.DataFrame,
    looks: Mapping[str, SeriesLook],
    names: Collection[str],
    *,
    dark: bool,
) -> None:
    """Hollow points; the legend explains them once and names methods that have no others."""
    explained = False
    for method in sorted(set(paper["method"]), key=[*names, *paper["method"]].index):
        rows, look = paper[paper["method"] == method], looks[method]
        title = plain_text(look.title)
        known = method in names
        figure.add_scatter(
            x=rows["fairness"],
            y=rows["prediction"],
            customdata=[
                [None, f"{title}, {plain_text(cut)} cut" if cut else title] for cut in rows["cut"]
            ],
            mode="markers",
            name="hollow: printed in the paper" if known else f"{title}, paper",
            showlegend=not (known and explained),
            legendrank=2000 + (not known),
            marker={
                "color": readable(look.colour, dark=dark),
                "symbol": f"{look.symbol}-open",
                "size": _PAPER_SIZE,
                "line": {"width": 2},
            },
            hovertemplate=_PAPER_HOVER,
        )
        explained = explained or known
