"""The methods of a sweep: cards to pick from, and the settings of each method that was picked."""

from typing import Any, Final

import streamlit as st

from frem_core.errors import ConfigError
from frem_core.figures import plain_text
from frem_core.methods import Method, Parameter, available_methods, get_method
from frem_core.sweeps import MethodSpec
from frem_core.training.member import Member
from frem_core.types import Task
from studio.address import decimal_in_address
from studio.style import is_dark, marker_picture
from studio.train.fields import log_field, log_grid, setting_field, setting_label
from studio.train.need import Need

_CARD_WIDTH: Final = 265
_FIRST_CHOICE: Final = ("frem", "unfair")
_STYLE: Final = """<style>
.st-key-method-cards > div:has(input:checked) {
  border-color: #0A8692; box-shadow: inset 0 0 0 1px #0A8692; }
.st-key-method-cards [data-testid="stCheckbox"] p { font-size: 1.12rem; font-weight: 600; }
</style>"""
# Set once for the whole sweep, and so not in the form of a method.
_SHARED = "fairness"
_LOW, _HIGH = 1e-4, 1e3
_MOST_WEIGHTS: Final = 30
_SHARED_RANGE, _OWN = "shared", "own"
_USUAL_ENDS, _USUAL_COUNT = (0.01, 10.0), 10


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


def method_form(method: type[Method], *, need: Need, key: str, gamma_is_chosen: bool) -> MethodSpec:
    """Draws what can be set about a method and returns it as a section of the sweep.

    Args:
        method: registered class; its declared parameters make the form.
        need: what all methods aim at.
        key: unique on the page.
        gamma_is_chosen: γ is found by validation, so it is not asked for.
    """
    aim: dict[str, Any] = {}
    if method.uses_fairness_weight:
        aim = {"fairness_weights": (), "relative_weights": need.relative_weights}
        if need.limit is not None:
            aim["limits"] = (need.limit,)
        elif own := _own_weights(f"{key}-weights"):
            aim = {"fairness_weights": own}
    parameters = {
        name: one
        for name, one in method.parameters().items()
        if name != _SHARED and not (gamma_is_chosen and name == "gamma")
    }
    main = {name: one for name, one in parameters.items() if not one.advanced}
    seldom = {name: one for name, one in parameters.items() if one.advanced}
    values = _fields(main, key)
    if seldom:
        with st.expander(f"More settings of {plain_text(method.title)}", icon=":material/tune:"):
            rare = _fields(seldom, key)
        values |= {name: value for name, value in rare.items() if value != seldom[name].default}
    if not values and not method.uses_fairness_weight:
        st.caption(f"{plain_text(method.title)} has nothing to set: it is trained once per seed.")
    return MethodSpec(
        method=method.name,
        **aim,
        settings={name: (value,) for name, value in values.items()},
    )


def _fields(parameters: dict[str, Parameter], key: str) -> dict[str, Any]:
    return {
        name: setting_field(name, one, key=f"{key}-{name}", default=_from_data_page(name, one))
        for name, one in parameters.items()
    }


def _from_data_page(name: str, parameter: Parameter) -> float | None:
    """The bandwidth that was found on the Data page; its link brings it along."""
    given = decimal_in_address(name) if name == "gamma" else None
    low, high = parameter.minimum, parameter.maximum
    if given is None or low is None or high is None or not low <= given <= high:
        return None
    return given


def _own_weights(key: str) -> tuple[float, ...]:
    """Draws the choice of fairness weights for one method; empty for those of all methods."""
    parameter = Member.parameters()["fairness_weight"]
    label = setting_label(parameter)
    words = {_SHARED_RANGE: "The range above", _OWN: "A range of my own"}
    mode = st.segmented_control(
        label,
        list(words),
        default=_SHARED_RANGE,
        format_func=words.__getitem__,
        required=True,
        key=f"{key}-mode",
        help=f"{parameter.help} Every value is one point of the trade-off.",
        persist_state="session",
    )
    if mode == _SHARED_RANGE:
        return ()
    low, high = _ends(label, key)
    count = st.slider(
        "How many values between them",
        1,
        _MOST_WEIGHTS,
        _USUAL_COUNT,
        key=f"{key}-count",
        help="Spread evenly on the logarithmic scale, both ends included.",
        persist_state="session",
    )
    weights = log_grid(low, high, count)
    st.caption("λ = " + ", ".join(f"{weight:g}" for weight in weights))
    return weights


def _ends(label: str, key: str) -> tuple[float, float]:
    """Draws both ends of the range; in whichever order they are given, the lower one is first."""
    lower = label[:1].lower() + label[1:]
    ends = {"lowest": _USUAL_ENDS[0], "highest": _USUAL_ENDS[1]}
    values = [
        log_field(
            f"{words.capitalize()} {lower}",
            low=_LOW,
            high=_HIGH,
            default=default,
            key=f"{key}-{words}",
            help_text=f"The {words} value that is trained.",
        )
        for words, default in ends.items()
    ]
    return min(values), max(values)
