"""What the runs predict along the sensitive attribute: curves and boxes."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from frem_core.audit import box_statistics, conditional_mean, quantile_groups
from frem_core.figures import plain_text, shown_text
from frem_core.figures.predictions import conditional_mean_curves, prediction_boxes
from frem_core.words import in_units
from studio.address import number_in_address, to_address
from studio.chart import chart, kept
from studio.compare.compared import ComparedRun, People, wide_enough
from studio.compare.scales import Scales
from studio.guard import guard

_SMOOTHINGS: Final = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3)
_USUAL_SMOOTHING: Final = 0.05
_GROUPS: Final = (2, 10, 5)  # fewest, most, usual


@st.fragment
@guard()
def show_predictions(runs: Sequence[ComparedRun], scales: Scales, people: People) -> None:
    """Draws both charts side by side."""
    name = plain_text(scales.sensitive)
    st.header(f"What is predicted along {name}", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        s = runs[0].outputs.s[people.of(runs[0])]
        smoothing = _choose_smoothing(scales, wide_enough(s, _SMOOTHINGS, _USUAL_SMOOTHING))
        _show_curves(runs, scales, people, smoothing)
    with right:
        groups = _choose_groups(scales)
        _show_boxes(runs, scales, people, groups)


def _choose_smoothing(scales: Scales, usual: float) -> float:
    given = st.query_params.get("smoothing", "")
    usual = next((one for one in _SMOOTHINGS if f"{one:g}" == given), usual)
    st.session_state["compare-smoothing"] = usual
    span = scales.sensitive_scale.high - scales.sensitive_scale.low
    st.select_slider(
        "Smoothing along the curve",
        _SMOOTHINGS,
        format_func=lambda one: f"{one:g}",
        key="compare-smoothing",
        on_change=to_address,
        args=("smoothing", "compare-smoothing"),
        help="How far along the attribute rows are averaged, as a share of its range"
        + (f" ({usual:g} is {in_units(usual * span)} here)." if scales.known else "."),
    )
    return usual


def _choose_groups(scales: Scales) -> int:
    """Draws the slider for the number of groups; the address remembers it."""
    low, high, usual = _GROUPS
    st.session_state["compare-groups"] = number_in_address(
        "groups", default=usual, low=low, high=high
    )
    return st.slider(
        f"Groups of {plain_text(scales.sensitive, longest=40)}",
        low,
        high,
        key="compare-groups",
        on_change=to_address,
        args=("groups", "compare-groups"),
        help="Groups of about equal size along the attribute, only to look at; nothing is "
        "trained or scored on groups.",
    )


def _show_curves(
    runs: Sequence[ComparedRun], scales: Scales, people: People, smoothing: float
) -> None:
    curves = [(one.look, _curve(one, scales, people, smoothing)) for one in runs]
    first = runs[0].outputs
    rows = people.of(runs[0])
    outcome = None
    if not people.positive_only:
        key = (runs[0].id, "outcome", False)
        outcome = _in_units(_mean_along(key, first.y[rows], first.s[rows], smoothing), scales)
    figure = kept(
        conditional_mean_curves,
        curves,
        sensitive_name=scales.sensitive_title,
        prediction_title=scales.prediction_title,
        outcome=outcome,
    )
    spans = ", ".join(f"{look.title}: {in_units(np.ptp(table['mean']))}" for look, table in curves)
    chart(
        figure,
        pd.concat([table.assign(run=look.title) for look, table in curves], ignore_index=True),
        key="compare-curves",
        alt=f"Mean prediction along {shown_text(scales.sensitive)} for each run with 95 % bands. "
        f"Largest minus smallest mean: {spans}.",
        file_name="mean-prediction",
    )


def _show_boxes(runs: Sequence[ComparedRun], scales: Scales, people: People, n_groups: int) -> None:
    rows = people.of(runs[0])
    groups = quantile_groups(scales.s(runs[0].outputs.s[rows]), n_groups)
    boxes = [(one.look, box_statistics(scales.p(one.outputs.p[rows]), groups)) for one in runs]
    figure = kept(
        prediction_boxes,
        boxes,
        sensitive_name=scales.sensitive_title,
        prediction_title=scales.prediction_title,
    )
    spans = ", ".join(f"{look.title}: {in_units(np.ptp(table['median']))}" for look, table in boxes)
    chart(
        figure,
        pd.concat([table.assign(run=look.title) for look, table in boxes], ignore_index=True),
        key="compare-boxes",
        alt=f"Predictions in {len(groups.labels)} groups of {shown_text(scales.sensitive)} for "
        f"each run. Largest minus smallest median: {spans}.",
        file_name="predictions-by-group",
    )


def _curve(one: ComparedRun, scales: Scales, people: People, smoothing: float) -> pd.DataFrame:
    rows = people.of(one)
    key = (one.id, "prediction", people.positive_only)
    curve = _mean_along(key, one.outputs.p[rows], one.outputs.s[rows], smoothing)
    return _in_units(curve, scales)


def _in_units(curve: pd.DataFrame, scales: Scales) -> pd.DataFrame:
    units = {name: scales.p(curve[name]) for name in ("mean", "low", "high")}
    return curve.assign(s=scales.s(curve["s"]), **units)


# The key stands for the arrays, which belong to a finished run and never change.
@st.cache_data(max_entries=512, show_spinner=False)
def _mean_along(
    key: tuple[str, str, bool],
    _values: NDArray[np.float64],
    _s: NDArray[np.float64],
    smoothing: float,
) -> pd.DataFrame:
    """The mean of values along S with its band, kept for the next viewer."""
    return conditional_mean(_values, _s, bandwidth=smoothing)
