"""Figures of an audit: the curve with its band, cuts and binnings, errors, repair."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.layout import interval_bars, lay_out, legend_name
from frem_core.figures.looks import GREY, ORANGE, SERIES, TEAL
from frem_core.figures.plain_text import plain_text

_MOST_GROUPS = 10  # as the audit has it: more values of S are smoothed
_CROWDED = 0.3  # share of the axis below which 90 % of the rows are too close to be seen


def _tint(colour: str) -> str:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.18)"


def audit_curves(
    curves: Sequence[tuple[str, pd.DataFrame]],
    *,
    sensitive_name: str,
    value_title: str,
    level: float | None = None,
    cut: float | None = None,
    height: int = 400,
) -> go.Figure:
    """Draws means along S with simultaneous bands, one line each; up to ten groups as points.

    Args:
        curves: name and table (``s, mean, low, high, rows``) of each.
        sensitive_name: on the x axis.
        value_title: on the y axis.
        level: an overall mean to compare with.
        cut: a value of S at which to draw a cut, with the group means on both sides.
        height: in pixels.
    """
    figure = go.Figure()
    for (_, table), (colour, _, _) in zip(curves, SERIES, strict=False):
        if _are_groups(table):
            continue
        figure.add_scatter(
            x=[*table["s"], *table["s"][::-1]],
            y=[*table["high"], *table["low"][::-1]],
            mode="lines",
            fill="toself",
            fillcolor=_tint(colour),
            line={"width": 0},
            hoverinfo="skip",
            showlegend=False,
        )
    for (name, table), (colour, symbol, dash) in zip(curves, SERIES, strict=False):
        groups = _are_groups(table)
        figure.add_scatter(
            x=table["s"],
            y=table["mean"],
            name=legend_name(plain_text(name)),
            mode="markers" if groups else "lines+markers",
            line={"color": colour, "width": 2.5, "dash": dash},
            marker={"color": colour, "symbol": symbol, "size": 10 if groups else 8}
            | ({} if groups else {"maxdisplayed": 6}),
            error_y=interval_bars(table) if groups else None,
            customdata=table[["low", "high", "rows"]],
            hovertemplate="%{x:.4~r}: %{y:.3~r} (%{customdata[0]:.3~r} to %{customdata[1]:.3~r})"
            f"<br>%{{customdata[2]:,}} rows here<extra>{plain_text(name)}</extra>",
        )
    if all(_are_groups(table) for _, table in curves):
        figure.update_xaxes(tickmode="array", tickvals=list(curves[0][1]["s"]))
    if level is not None:
        figure.add_hline(y=level, line={"color": GREY, "width": 1.2, "dash": "dot"})
    if cut is not None:
        _draw_cut(figure, curves[0][1], cut)
    if _is_crowded(curves[0][1]):
        figure.update_xaxes(type="log")
        sensitive_name = f"{sensitive_name} (logarithmic axis)"
    return lay_out(
        figure,
        x_title=plain_text(sensitive_name),
        y_title=plain_text(value_title),
        height=height,
        legend=len(curves) > 1 or cut is not None,
    )


def _are_groups(table: pd.DataFrame) -> bool:
    """Whether every value stands for itself: between so few nothing is known, so nothing joins."""
    return len(table) <= _MOST_GROUPS


def _is_crowded(table: pd.DataFrame) -> bool:
    """Whether a few far values squeeze the others together, and factors would spread them."""
    if not pd.api.types.is_numeric_dtype(table["s"]):  # categories have no distances
        return False
    s, below = table["s"].to_numpy(), table["rows"].cumsum() / table["rows"].sum()
    first, last = s[np.searchsorted(below, [0.05, 0.95])]
    if s[0] <= 0 or first == last or (last - first) / (s[-1] - s[0]) >= _CROWDED:
        return False
    return bool(np.log(last / first) / np.log(s[-1] / s[0]) > _CROWDED)


def _draw_cut(figure: go.Figure, table: pd.DataFrame, cut: float) -> None:
    """A cut and what it reduces the curve to: one mean on either side."""
    figure.add_vline(x=cut, line={"color": ORANGE, "width": 2, "dash": "dash"})
    sides = table[table["s"] < cut], table[table["s"] >= cut]
    for place, side in enumerate(sides):
        if len(side):
            mean = float((side["mean"] * side["rows"]).sum() / side["rows"].sum())
            figure.add_scatter(
                x=[side["s"].iloc[0], side["s"].iloc[-1]],
                y=[mean, mean],
                mode="lines",
                line={"color": ORANGE, "width": 3},
                name="group means of this cut",
                showlegend=place == 0,
                hovertemplate="group mean %{y:.3~r}<extra></extra>",
            )


def cut_gaps(
    single: pd.DataFrame, *, sensitive_name: str, cut: float | None = None, height: int = 320
) -> go.Figure:
    """Draws the gap that every single cut would report, with its interval.

    Args:
        single: as :meth:`frem_core.audit.cuts.Cuts.single` returns.
        sensitive_name: on the x axis.
        cut: the cut to mark.
        height: in pixels.
    """
    figure = go.Figure()
    # Cuts that leave hardly anybody on one side are mere noise.
    shown = single[(single["rows_below"] > 0.03) & (single["rows_below"] < 0.97)]
    shown = shown if len(shown) else single
    figure.add_scatter(
        x=[*shown["cut"], *shown["cut"][::-1]],
        y=[*shown["high"], *shown["low"][::-1]],
        fill="toself",
        fillcolor=_tint(ORANGE),
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
    )
    figure.add_scatter(
        x=shown["cut"],
        y=shown["gap"],
        mode="lines",
        line={"color": ORANGE, "width": 2.5},
        hovertemplate="cut at %{x:.4~r}: gap %{y:.3~r}<extra></extra>",
        showlegend=False,
    )
    figure.add_hline(y=0, line={"color": GREY, "width": 1, "dash": "dot"})
    if cut is not None:
        figure.add_vline(x=cut, line={"color": ORANGE, "width": 2, "dash": "dash"})
    return lay_out(
        figure,
        x_title=f"cut of {plain_text(sensitive_name)}",
        y_title="mean above minus mean below (0 is alike)",
        height=height,
    )


def binning_gaps(binned: pd.DataFrame, *, height: int = 320) -> go.Figure:
    """Draws the gap of every number of bins; hollow where a test finds nothing.

    Args:
        binned: as :meth:`frem_core.audit.cuts.Cuts.binned` returns.
        height: in pixels.
    """
    figure = go.Figure()
    for kind, (colour, symbol, dash) in zip(("quantile", "equal width"), SERIES, strict=False):
        rows = binned[binned["kind"] == kind]
        marks = [
            symbol if verdict == "significant" else f"{symbol}-open" for verdict in rows["verdict"]
        ]
        figure.add_scatter(
            x=rows["bins"],
            y=rows["gap"],
            name=f"{kind} bins",
            mode="lines+markers",
            line={"color": colour, "width": 1.5, "dash": dash},
            marker={"color": colour, "symbol": marks, "size": 10, "line": {"width": 2}},
            customdata=rows[["p_value", "verdict"]],
            hovertemplate="%{x} bins: gap %{y:.3~r}<br>p = %{customdata[0]:.2g}, "
            "%{customdata[1]}<extra></extra>",
        )
    return lay_out(
        figure,
        x_title="number of bins (hollow: no significant difference)",
        y_title="largest minus smallest group mean",
        height=height,
        legend=True,
    )


def place_gaps(places: pd.DataFrame, *, most: int = 15) -> go.Figure:
    """Draws combinations of attributes as differences from the mean of all, with intervals.

    Args:
        places: ``place, difference, low, high, rows``, the surest difference first.
        most: how many are shown.
    """
    shown = places.head(most).iloc[::-1]
    figure = go.Figure()
    figure.add_scatter(
        x=shown["difference"],
        y=[plain_text(one, longest=60) for one in shown["place"]],
        mode="markers",
        marker={"color": TEAL, "size": 10},
        error_x={
            "array": shown["high"] - shown["difference"],
            "arrayminus": shown["difference"] - shown["low"],
            "color": TEAL,
        },
        customdata=shown[["low", "high", "rows"]],
        hovertemplate="%{y}: %{x:.3~r} (%{customdata[0]:.3~r} to %{customdata[1]:.3~r})"
        "<br>%{customdata[2]:,} rows<extra></extra>",
        showlegend=False,
    )
    figure.add_vline(x=0, line={"color": GREY, "width": 1, "dash": "dot"})
    figure.update_yaxes(type="category")
    return lay_out(
        figure,
        x_title="difference from the mean of all (0 is alike)",
        y_title="",
        height=140 + 28 * len(shown),
    )


def repair_front(
    table: pd.DataFrame, *, chosen: float | None = None, height: int = 360
) -> go.Figure:
    """Draws what each strength of a repair leaves of the gap, and what it moves.

    Args:
        table: ``strength``, ``gap`` and ``moved`` of each.
        chosen: the strength to mark.
        height: in pixels.
    """
    figure = go.Figure()
    for name, title, (colour, symbol, dash) in (
        ("gap", "mean gap left", SERIES[0]),
        ("moved", "mean change of a score", SERIES[1]),
    ):
        figure.add_scatter(
            x=100 * table["strength"],
            y=table[name],
            name=title,
            mode="lines+markers",
            line={"color": colour, "width": 2.5, "dash": dash},
            marker={"color": colour, "symbol": symbol, "size": 8},
            hovertemplate="strength %{x:.0f} %: %{y:.3~r}<extra>" + title + "</extra>",
        )
    if chosen is not None:
        figure.add_vline(x=100 * chosen, line={"color": TEAL, "width": 1.5, "dash": "dash"})
    figure.update_xaxes(ticksuffix=" %")
    return lay_out(
        figure,
        x_title="strength of the repair",
        y_title="in units of the score (lower is better)",
        height=height,
        legend=True,
    )
