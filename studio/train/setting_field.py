"""The widget of one setting, made from how the setting is declared."""

from typing import Any

import streamlit as st

from frem_core.errors import ConfigError
from frem_core.kernels import available_kernels, get_kernel
from frem_core.methods import Parameter
from studio.train.log_field import log_field

_A_NUMBER = "a number"
_FEW_CHOICES = 4
# Choices are stored as short words; what they mean is said here. Kernels bring their own labels.
_WORDS = {
    _A_NUMBER: "A number",
    "median": "Median",
    "mean": "Mean",
    "bins": "Several bins",
}


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
