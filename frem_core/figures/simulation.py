"""Figures of simulated estimates: how far from the truth, and what more data changes."""

import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.layout import lay_out
from frem_core.figures.looks import GREY, ORANGE, PURPLE
from frem_core.simulation.labels import ESTIMATOR_LABELS, setting_label

# Colour, tint and marker of an estimator; the proposed one wears the colour of FREM everywhere.
_LOOKS = {
    "binning": (ORANGE, "rgba(218, 90, 42, 0.25)", "square"),
    "nadaraya-watson": (GREY, "rgba(122, 130, 136, 0.25)", "diamond"),
    "proposed": ("#007580", "rgba(0, 117, 128, 0.3)", "star"),
    "proposed-noise-free": (PURPLE, "rgba(138, 99, 201, 0.25)", "triangle-up"),
}
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_ERROR_TITLES = {
    "bias": "bias (0 is best)",
    "mae": "mean absolute error (lower is better)",
    "rmse": "root mean squared error (lower is better)",
}


def box_table(estimates: pd.DataFrame) -> pd.DataFrame:
    """The numbers of the box plots of estimate − truth, one row per estimator and setting.

    Whiskers reach the farthest error within 1.5 times the height of the box.

    Args:
        estimates: rows of one cell, as ``frem_core.simulation.simulate`` yields them.

    Returns:
        Columns estimator, setting, replicates, lower_whisker, q1, median, q3, upper_whisker, mean.
    """
    rows = []
    keys = ["estimator", "setting"]
    errors = estimates.assign(error=estimates["estimate"] - estimates["truth"])
    for (estimator, setting), values in errors.groupby(keys)["error"]:
        q1, median, q3 = values.quantile([0.25, 0.5, 0.75])
        reach = 1.5 * (q3 - q1)
        inside = values[values.between(q1 - reach, q3 + reach)]
        rows.append(
            {
                "estimator": estimator,
                "setting": setting,
                "replicates": len(values),
                "lower_whisker": inside.min(),
                "q1": q1,
                "median": median,
                "q3": q3,
                "upper_whisker": inside.max(),
                "mean": values.mean(),
            }
        )
    return pd.DataFrame(rows)


def error_boxes(estimates: pd.DataFrame, *, height: int = 420) -> go.Figure:
    """Draws a box of estimate − truth for each estimator and setting; 0 is right.

    Args:
        estimates: rows of one cell, as ``frem_core.simulation.simulate`` yields them.
        height: in pixels.
    """
    figure = go.Figure()
    table = box_table(estimates)
    names: dict[str, str] = {}  # of columns, and the little of it that a telephone has room for
    for estimator, boxes in table.groupby("estimator"):
        colour, tint, symbol = _LOOKS[str(estimator)]
        places = [_column_name(str(estimator), setting) for setting in boxes["setting"]]
        name = ESTIMATOR_LABELS[str(estimator)]
        settings = (setting_label(str(estimator), setting) for setting in boxes["setting"])
        names |= dict(zip(places, settings, strict=True))
        figure.add_box(
            x=places,
            name=name,
            lowerfence=boxes["lower_whisker"],
            q1=boxes["q1"],
            median=boxes["median"],
            q3=boxes["q3"],
            upperfence=boxes["upper_whisker"],
            line={"color": colour, "width": 2},
            fillcolor=tint,
            whiskerwidth=0.5,
        )
        figure.add_scatter(
            x=places,
            y=boxes["mean"],
            name=f"{name}: mean",
            mode="markers",
            marker={"color": colour, "symbol": symbol, "size": 10},
            hovertemplate="%{x}<br>bias %{y:.4f}<extra></extra>",
            showlegend=False,
        )
    figure.add_hline(y=0, line={"color": GREY, "dash": "dash", "width": 2})
    figure.update_xaxes(
        type="category", tickmode="array", tickvals=list(names), ticktext=list(names.values())
    )
    return lay_out(
        figure,
        x_title="setting of the estimator",
        y_title="estimate − true EIPM (0 is right)",
        height=height,
        legend=True,
    )


def error_by_sample_size(
    comparison: pd.DataFrame, *, error: str = "rmse", height: int = 420
) -> go.Figure:
    """Draws an error against the sample size, one line per estimator and setting.

    Bars are Monte-Carlo standard errors. Hollow markers are the paper's values where it has them.

    Args:
        comparison: rows of one case, as ``frem_core.simulation.compare_with_paper`` returns.
        error: ``"bias"``, ``"mae"`` or ``"rmse"``.
        height: in pixels.
    """
    figure = go.Figure()
    shown = comparison[comparison["error"] == error]
    for estimator, lines in shown.groupby("estimator"):
        colour, _, symbol = _LOOKS[str(estimator)]
        for position, setting in enumerate(sorted(lines["setting"].unique())):
            line = lines[lines["setting"] == setting]
            name = f"{ESTIMATOR_LABELS[str(estimator)]}, {setting_label(str(estimator), setting)}"
            dash = _DASHES[position % len(_DASHES)]
            figure.add_scatter(
                x=line["n"],
                y=line["ours"],
                error_y={"array": line["se"], "color": colour, "thickness": 1},
                name=name,
                mode="lines+markers",
                line={"color": colour, "dash": dash, "width": 2},
                marker={"symbol": symbol, "size": 8},
                hovertemplate="n = %{x}: %{y:.4f}<extra>" + name + "</extra>",
            )
    _add_paper(figure, shown)
    if error == "bias":
        figure.add_hline(y=0, line={"color": GREY, "dash": "dash", "width": 2})
    else:
        figure.update_yaxes(rangemode="tozero")
    return lay_out(
        figure,
        x_title="rows in a sample (n)",
        y_title=_ERROR_TITLES[error],
        height=height,
        legend=True,
    )


def _add_paper(figure: go.Figure, shown: pd.DataFrame) -> None:
    for estimator, rows in shown[shown["paper"].notna()].groupby("estimator"):
        colour, _, symbol = _LOOKS[str(estimator)]
        names = [setting_label(str(estimator), setting) for setting in rows["setting"]]
        figure.add_scatter(
            x=rows["n"],
            y=rows["paper"],
            name=f"{ESTIMATOR_LABELS[str(estimator)]}, paper",
            mode="markers",
            marker={"symbol": f"{symbol}-open", "color": colour, "size": 11},
            customdata=names,
            hovertemplate="n = %{x}, %{customdata}: %{y:.3f} in the paper<extra></extra>",
        )


def _column_name(estimator: str, setting: float) -> str:
    return f"{ESTIMATOR_LABELS[estimator]}, {setting_label(estimator, setting)}"
