"""Single dimensions of the representations over groups of the sensitive attribute."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from frem_core.audit import QuantileGroups, between_group_share, dimension_boxes, quantile_groups
from frem_core.figures import plain_text, shown_text
from frem_core.figures.representations import representation_boxes
from frem_core.words import per_cent
from studio.address import number_in_address, to_address
from studio.chart import chart, kept
from studio.compare.compared import ComparedRun, People
from studio.compare.scales import Scales
from studio.guard import guard

_CHOICES: Final = {
    "strongest": "The three that differ most",
    "random": "Three at random",
}
_UNITS: Final = {"own": "In each dimension's own spread", "raw": "As they are"}
_SHOWN: Final = 3
_USUAL_GROUPS: Final = 5


@st.fragment
@guard()
def show_representation(runs: Sequence[ComparedRun], scales: Scales, people: People) -> None:
    """Draws the boxes of a few dimensions, one row of charts per run."""
    st.header("What the representation looks like in each group", anchor=False)
    st.markdown(
        "A model first turns a row into a representation and predicts from that. In a fair one the "
        f"boxes of all groups of {plain_text(scales.sensitive)} are alike: compare the ordinary "
        "model (before) with the fair ones (after)."
    )
    with st.container(horizontal=True):
        which = _choose("dimensions", "Dimensions", _CHOICES)
        units = _choose("units", "Values", _UNITS)
    rows = people.of(runs[0])
    n_groups = number_in_address("groups", default=_USUAL_GROUPS, low=2, high=10)
    groups = quantile_groups(scales.s(runs[0].outputs.s[rows]), n_groups)
    tables = [
        (
            one.look,
            dimension_boxes(
                one.outputs.z[rows],
                groups,
                _chosen_dimensions(one.outputs.z[rows], groups, which),
                standardise=units == "own",
            ),
        )
        for one in runs
    ]
    title = "standard deviations" if units == "own" else "value"
    figure = kept(
        representation_boxes, tables, sensitive_name=scales.sensitive_title, value_title=title
    )
    shares = ", ".join(
        f"{look.title}: {per_cent(boxes['between_groups'].max())}" for look, boxes in tables
    )
    chart(
        figure,
        pd.concat([boxes.assign(run=look.title) for look, boxes in tables], ignore_index=True),
        key="compare-representation",
        alt=f"Dimensions of each representation in groups of {shown_text(scales.sensitive)}. "
        f"Largest share of a dimension's variance between groups: {shares}.",
        file_name="representation-by-group",
    )
    st.caption(
        "Each run has dimensions of its own: dimension 7 of one is not dimension 7 of another. "
        '"Between" is the share of a dimension\'s variance that lies between the groups.'
    )


def _chosen_dimensions(z: np.ndarray, groups: QuantileGroups, which: str) -> list[int]:
    """Which dimensions to show: those that differ most between the groups, or a fixed draw."""
    width = z.shape[1]
    if which == "random":
        drawn = np.random.default_rng(0).permutation(width)[:_SHOWN]
        return sorted(int(number) for number in drawn)
    order = np.argsort(-between_group_share(z, groups), kind="stable")
    return [int(number) for number in order[:_SHOWN]]


def _choose(name: str, label: str, options: dict[str, str]) -> str:
    given = st.query_params.get(name, "")
    key = f"compare-{name}"
    st.session_state[key] = given if given in options else next(iter(options))
    st.segmented_control(
        label,
        list(options),
        format_func=options.__getitem__,
        required=True,
        key=key,
        on_change=to_address,
        args=(name, key),
    )
    return str(st.session_state[key])
