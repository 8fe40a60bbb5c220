"""The methods as cards: name, marker, one sentence, origin on demand, and whether to train it."""

from typing import Final

import streamlit as st

from frem_core.errors import ConfigError
from frem_core.figures import plain_text
from frem_core.methods import Method, available_methods, get_method
from frem_core.types import Task
from studio.theme import is_dark
from studio.train.method_marker import marker_picture

_CARD_WIDTH: Final = 265
_FIRST_CHOICE: Final = ("frem", "unfair")
_STYLE: Final = """<style>
.st-key-method-cards > div:has(input:checked) {
  border-color: #0A8692; box-shadow: inset 0 0 0 1px #0A8692; }
.st-key-method-cards [data-testid="stCheckbox"] p { font-size: 1.12rem; font-weight: 600; }
</style>"""


def why_not(method: type[Method], fairness: str, task: Task) -> str | None:
    """Why a method cannot be trained for a notion of fairness and a task; None when it can."""
    if fairness == "eo" and not method.supports_equal_opportunity:
        return f"{method.title} has no form for equal opportunity."
    try:
        method(fairness=fairness).check_task(task)
    except ConfigError as error:
        return str(error)
    return None


def ordered_methods() -> list[type[Method]]:
    """FREM and the reference first, then the others by title."""
    methods = [get_method(name) for name in available_methods()]
    return sorted(methods, key=lambda one: (_rank(one.name), one.title.casefold()))


def _rank(name: str) -> int:
    return _FIRST_CHOICE.index(name) if name in _FIRST_CHOICE else len(_FIRST_CHOICE)


def show_method_cards(key: str, fairness: str, task: Task) -> list[type[Method]]:
    """Draws the cards and returns the methods that were picked and can be trained."""
    st.html(_STYLE)
    picked = []
    with st.grid("auto", min_column_width=_CARD_WIDTH, border=True, key="method-cards") as grid:
        for method in ordered_methods():
            with grid.cell():
                reason = why_not(method, fairness, task)
                if _show_card(method, f"{key}-use-{method.name}", reason):
                    picked.append(method)
    return picked


def _show_card(method: type[Method], key: str, reason: str | None) -> bool:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(marker_picture(method, dark=is_dark()), width="content")
        picked = st.checkbox(
            plain_text(method.title),
            value=method.name in _FIRST_CHOICE,
            key=key,
            disabled=reason is not None,
            persist_state="session",
        )
    st.markdown(plain_text(method.explanation, longest=None))
    if reason is not None:
        st.caption(f":material/block: {plain_text(reason, longest=None)}")
    with st.popover("Where it comes from", type="tertiary", icon=":material/menu_book:"):
        st.markdown(plain_text(method.citation, longest=None))
    return bool(picked) and reason is None
