"""The settings of one method in a sweep."""

from typing import Any

import streamlit as st

from frem_core.figures import plain_text
from frem_core.methods import Method, Parameter
from frem_core.sweeps import PRESET, MethodSpec
from studio.train.setting_field import setting_field
from studio.train.weight_field import weight_field

# Set once for the whole sweep, and so not in the form of a method.
_SHARED = "fairness"


def method_form(
    method: type[Method], *, dataset: str, key: str, gamma_is_chosen: bool
) -> MethodSpec:
    """Draws what can be set about a method and returns it as a section of the sweep.

    Args:
        method: registered class; its declared parameters make the form.
        dataset: name of a built-in dataset, or "" for a table.
        key: unique on the page.
        gamma_is_chosen: γ is found by validation, so it is not asked for.
    """
    weights: Any = PRESET
    if method.uses_fairness_weight:
        weights = weight_field(method, dataset=dataset, key=f"{key}-weights")
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
        fairness_weights=weights,
        settings={name: (value,) for name, value in values.items()},
    )


def _fields(parameters: dict[str, Parameter], key: str) -> dict[str, Any]:
    return {name: setting_field(name, one, key=f"{key}-{name}") for name, one in parameters.items()}
