"""A number on a logarithmic scale: a slider, and beside it the same value to be typed."""

from dataclasses import dataclass

import streamlit as st

from studio.train.log_stops import log_stops, nearest_stop


@dataclass
class _Value:
    """What slider and number show, and how often each of them was changed by its viewer.

    Both are drawn with the value they began with: a value that is only put into the session is
    told to the browser once, and one that is busy may skip the message that says it.
    """

    number: float
    slider_began: float
    number_began: float
    moved: int = 0
    typed: int = 0


def log_field(
    label: str, *, low: float, high: float, default: float, key: str, help_text: str
) -> float:
    """Draws slider and number; a change of one draws the other anew with its value.

    Anew, because a browser that has not yet heard of a change repeats the old value with whatever
    its viewer does next. For a widget that only got another value, that would be a change back.

    Args:
        label: of both, e.g. "Bandwidth (γ)".
        low: smallest allowed value, above 0.
        high: largest allowed value.
        default: where it starts for this viewer.
        key: unique on the page; the number has it and the slider ``<key>-slider``, followed by
            how often they were drawn anew.
        help_text: what moving it does.
    """
    stops = log_stops(low, high)
    start = float(default)
    value: _Value = st.session_state.setdefault(f"{key}-value", _Value(start, start, start))
    slider, number = _nth(f"{key}-slider", value.typed), _nth(key, value.moved)
    if slider not in st.session_state:
        value.slider_began = value.number
    if number not in st.session_state:
        value.number_began = value.number
    wide, narrow = st.columns([3, 1.25], vertical_alignment="bottom")
    wide.select_slider(
        label,
        stops,
        nearest_stop(stops, value.slider_began),
        key=slider,
        format_func=lambda stop: f"{stop:g}",
        help=help_text,
        on_change=_take_slider,
        args=(value, slider, value.typed),
    )
    narrow.number_input(
        f"{label}, typed",
        low,
        high,
        value.number_began,
        key=number,
        format="%g",
        step=low,
        on_change=_take_number,
        args=(value, number, value.moved),
        label_visibility="collapsed",
    )
    return value.number


def set_log_field(key: str, number: float) -> None:
    """Gives a field that was drawn another value, for example when a button is clicked."""
    value: _Value = st.session_state[f"{key}-value"]
    value.number = number
    value.moved += 1
    value.typed += 1


def _nth(key: str, count: int) -> str:
    return f"{key}-{count}" if count else key


def _take_slider(value: _Value, slider: str, typed: int) -> None:
    if typed == value.typed:  # else it is one that was replaced
        value.number = float(st.session_state[slider])
        value.moved += 1


def _take_number(value: _Value, number: str, moved: int) -> None:
    if moved == value.moved:
        value.number = float(st.session_state[number])
        value.typed += 1
