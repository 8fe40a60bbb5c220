"""The fairness weights λ that a method is trained with: those suggested, or a range."""

from typing import Final, Literal

import streamlit as st

from frem_core.methods import Method
from frem_core.sweeps import PRESET
from frem_core.training import suggested_fairness_weights
from frem_core.training.member import Member
from studio.train.log_field import log_field
from studio.train.log_stops import log_grid
from studio.train.setting_field import setting_label

_LOW, _HIGH = 1e-4, 1e3
_MOST_WEIGHTS: Final = 30
_OWN: Final = "own"

Weights = tuple[float, ...] | Literal["preset"]


def weight_field(method: type[Method], *, dataset: str, key: str) -> Weights:
    """Draws the choice of fairness weights.

    Args:
        method: a method that has a fairness weight.
        dataset: name of a built-in dataset, or "" for a table.
        key: unique on the page.
    """
    suggested = suggested_fairness_weights(method, dataset)
    parameter = Member.parameters()["fairness_weight"]
    label = setting_label(parameter)
    words = {
        PRESET: f"Suggested: {len(suggested)} values, {min(suggested):g} to {max(suggested):g}",
        _OWN: "A range of my own",
    }
    mode = st.segmented_control(
        label,
        list(words),
        default=PRESET,
        format_func=words.__getitem__,
        required=True,
        key=f"{key}-mode",
        help=f"{parameter.help} Every value is one point of the trade-off.",
        persist_state="session",
    )
    if mode == PRESET:
        return PRESET
    low, high = _ends(label, suggested, key)
    count = st.slider(
        "How many values between them",
        1,
        _MOST_WEIGHTS,
        len(suggested),
        key=f"{key}-count",
        help="Spread evenly on the logarithmic scale, both ends included.",
        persist_state="session",
    )
    weights = log_grid(low, high, count)
    st.caption("λ = " + ", ".join(f"{weight:g}" for weight in weights))
    return weights


def _ends(label: str, suggested: tuple[float, ...], key: str) -> tuple[float, float]:
    """Draws both ends of the range; in whichever order they are given, the lower one is first."""
    lower = label[:1].lower() + label[1:]
    ends = {"lowest": min(suggested), "highest": max(suggested)}
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
