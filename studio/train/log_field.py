"""A number on a logarithmic scale: a slider, and beside it the same value to be typed."""

from collections.abc import Sequence

import streamlit as st

from studio.train.log_stops import log_stops, nearest_stop


def log_field(
    label: str, *, low: float, high: float, default: float, key: str, help_text: str
) -> float:
    """Draws slider and number; moving one moves the other, and the number is what counts.

    Args:
        label: of both, e.g. "Bandwidth (γ)".
        low: smallest allowed value, above 0.
        high: largest allowed value.
        default: where it starts for this viewer.
        key: unique on the page; the number has it, the slider has ``<key>-slider``.
        help_text: what moving it does.
    """
    stops = log_stops(low, high)
    slider = f"{key}-slider"
    st.session_state.setdefault(key, float(default))
    st.session_state.setdefault(slider, nearest_stop(stops, st.session_state[key]))
    wide, narrow = st.columns([3, 1.25], vertical_alignment="bottom")
    wide.select_slider(
        label,
        stops,
        key=slider,
        format_func=lambda stop: f"{stop:g}",
        help=help_text,
        on_change=_take_slider,
        args=(key, slider),
        persist_state="session",
    )
    number = narrow.number_input(
        f"{label}, typed",
        low,
        high,
        key=key,
        format="%g",
        step=low,
        on_change=_take_number,
        args=(key, slider, stops),
        label_visibility="collapsed",
        persist_state="session",
    )
    return float(number)


def _take_slider(key: str, slider: str) -> None:
    st.session_state[key] = st.session_state[slider]


def _take_number(key: str, slider: str, stops: Sequence[float]) -> None:
    st.session_state[slider] = nearest_stop(stops, st.session_state[key])
