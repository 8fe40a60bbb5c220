"""The widget of one setting, made from how the setting is declared.

A number on a logarithmic scale is a slider, and beside it the same value to be typed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from frem_core.errors import ConfigError
from frem_core.kernels import available_kernels, get_kernel
from frem_core.methods import Parameter

_A_NUMBER = "a number"
_FEW_CHOICES = 4
# Choices are stored as short words; what they mean is said here. Kernels bring their own labels.
_WORDS = {
    _A_NUMBER: "A number",
    "median": "Median",
    "mean": "Mean",
    "bins": "Several bins",
}
_STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)


def setting_label(parameter: Parameter) -> str:
    """Plain words first, the symbol in brackets: "Bandwidth on the sensitive attribute (γ)"."""
    words = parameter.label[:1].upper() + parameter.label[1:]
    return f"{words} ({parameter.symbol})" if parameter.symbol else words


def setting_field(name: str, parameter: Parameter, *, key: str, default: Any = None) -> Any:
    """Draws the setting and returns its value, checked.

    Args:
        name: the field's name, for messages.
        parameter: its declaration.
        key: unique on the page.
        default: where it starts; the declared default when None.

    Raises:
        ConfigError: what was typed is no value of this setting.
    """
    start = parameter.default if default is None else default
    match parameter.kind:
        case "choice":
            value: Any = _choice(parameter, parameter.choices, start, key)
        case "flag":
            value = st.toggle(
                setting_label(parameter),
                value=start,
                key=key,
                help=parameter.help,
                persist_state="session",
            )
        case "integers":
            value = _whole_numbers(name, parameter, start, key)
        case _:
            value = _number_or_word(parameter, start, key)
    return parameter.checked(name, value)


def _number_or_word(parameter: Parameter, start: Any, key: str) -> Any:
    if parameter.choices:
        word = start if start in parameter.choices else _A_NUMBER
        options = (_A_NUMBER, *parameter.choices)
        chosen = _choice(parameter, options, word, f"{key}-kind", ending=" is")
        if chosen != _A_NUMBER:
            return chosen
        start = parameter.default if isinstance(start, str) else start
    return _number(parameter, start, key)


def _number(parameter: Parameter, start: Any, key: str) -> float | int:
    label, low, high = setting_label(parameter), parameter.minimum, parameter.maximum
    whole = parameter.kind == "integer"
    if parameter.log_scale and low and high and not whole:
        return log_field(
            label, low=low, high=high, default=start, key=key, help_text=parameter.help
        )
    kind = int if whole else float
    number = st.number_input(
        label,
        None if low is None else kind(low),
        None if high is None else kind(high),
        kind(start),
        key=key,
        help=parameter.help,
        step=1 if whole else 0.001,
        format="%d" if whole else "%g",
        persist_state="session",
    )
    return kind(number)


def _choice(
    parameter: Parameter, options: tuple[str, ...], start: str, key: str, ending: str = ""
) -> str:
    label = setting_label(parameter) + ending
    settings: dict[str, Any] = {
        "key": key,
        "help": parameter.help,
        "disabled": len(options) == 1,
        "persist_state": "session",
    }
    if len(options) <= _FEW_CHOICES:
        chosen = st.segmented_control(
            label, options, default=start, required=True, format_func=choice_words, **settings
        )
        return str(chosen)
    return str(
        st.selectbox(label, options, options.index(start), format_func=choice_words, **settings)
    )


def choice_words(choice: str) -> str:
    """A choice in words, e.g. "Gaussian (RBF)" for ``"rbf"``."""
    if choice in available_kernels():
        return get_kernel(choice).label
    return _WORDS.get(choice, choice)


def _whole_numbers(name: str, parameter: Parameter, start: Any, key: str) -> tuple[int, ...]:
    typed = st.text_input(
        setting_label(parameter),
        ", ".join(str(item) for item in start),
        key=key,
        help=parameter.help,
        persist_state="session",
    )
    try:
        return tuple(int(part) for part in (typed or "").replace(",", " ").split())
    except ValueError as error:
        raise ConfigError(
            f"{name} = '{typed}' ({parameter.label}) must be whole numbers with commas between "
            "them, such as 50, 50."
        ) from error


@dataclass
class FieldValue:
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
    value: FieldValue = st.session_state.setdefault(f"{key}-value", FieldValue(start, start, start))
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
    value: FieldValue = st.session_state[f"{key}-value"]
    value.number = number
    value.moved += 1
    value.typed += 1


def _nth(key: str, count: int) -> str:
    return f"{key}-{count}" if count else key


def _take_slider(value: FieldValue, slider: str, typed: int) -> None:
    if typed == value.typed:  # else it is one that was replaced
        value.number = float(st.session_state[slider])
        value.moved += 1


def _take_number(value: FieldValue, number: str, moved: int) -> None:
    if moved == value.moved:
        value.number = float(st.session_state[number])
        value.typed += 1


def log_stops(low: float, high: float) -> tuple[float, ...]:
    """The round numbers from ``low`` to ``high``, both included, for the stops of a slider.

    >>> log_stops(0.01, 0.1)
    (0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1)
    """
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    rounded = (float(f"{step}e{decade}") for decade in decades for step in _STEPS)
    return tuple(sorted({low, high, *(stop for stop in rounded if low < stop < high)}))


def nearest_stop(stops: Sequence[float], value: float) -> float:
    """The stop with the smallest ratio to ``value``; below the lowest there is only the lowest."""
    if value <= stops[0]:
        return stops[0]
    return min(stops, key=lambda stop: abs(math.log(stop / value)))


def log_grid(low: float, high: float, count: int) -> tuple[float, ...]:
    """``count`` numbers from ``low`` to ``high`` with equal ratios, rounded to three digits.

    >>> log_grid(0.01, 1.0, 3)
    (0.01, 0.1, 1.0)
    >>> log_grid(0.5, 2.0, 1)
    (0.5,)
    """
    if count == 1 or low == high:
        return (float(low),)
    ratio = math.log(high / low)
    inner = (low * math.exp(ratio * place / (count - 1)) for place in range(1, count - 1))
    return tuple(dict.fromkeys((float(low), *(float(f"{value:.3g}") for value in inner), high)))
