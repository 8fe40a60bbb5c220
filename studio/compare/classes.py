"""Which class the charts of a comparison are about, where there are more than two."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from frem_core.figures import plain_text, shown_text
from studio.address import number_in_address
from studio.compare.compared import ComparedRun, outputs_of
from studio.compare.scales import Scales

_USUAL = 1
_KEY = "compare-class"


def choose_class(
    runs: Sequence[ComparedRun], scales: Scales
) -> tuple[Sequence[ComparedRun], Scales]:
    """Draws the choice for more than two classes; the address remembers it.

    Returns:
        The runs with the outputs of that class against all others, and its name in the scales.
    """
    names = scales.classes
    if len(names) <= 2:
        return runs, scales
    given = number_in_address("class", default=_USUAL, low=0, high=len(names) - 1)
    st.session_state[_KEY] = given
    st.selectbox(
        f"Class of {plain_text(scales.target, longest=30)} that charts are about",
        range(len(names)),
        format_func=lambda place: shown_text(names[place]),
        key=_KEY,
        on_change=lambda: st.query_params.update({"class": str(st.session_state[_KEY])}),
        help="Charts show the probability of this class against all others; the scores above are "
        "means over all classes.",
        width=400,
    )
    looked_at = [replace(one, outputs=outputs_of(one.sweep, one.id, given)) for one in runs]
    return looked_at, replace(scales, positive_class=names[given])
