"""Turns a declared setting into a command-line option; nothing about it is written twice."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from frem_core.errors import ConfigError

if TYPE_CHECKING:
    from frem_core.methods import Parameter, Settings

# Keeps a setting apart from a command's own parameter of the same name.
_PREFIX = "setting_"


class SettingType(click.ParamType):  # type: ignore[type-arg]
    """Reads and checks one setting.

    Args:
        field: the setting's name, for messages.
        parameter: its declaration.
    """

    def __init__(self, field: str, parameter: "Parameter") -> None:
        self.name = parameter.kind
        self._field = field
        self._parameter = parameter

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the checked value; a wrong one ends the command with the setting's own words."""
        try:
            return self._parameter.checked(self._field, self._parsed(value))
        except ConfigError as error:
            self.fail(str(error), param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """What stands for the value in the help text."""
        words = list(self._parameter.choices)
        if self._parameter.kind == "choice":
            return "[" + "|".join(words) + "]"
        noun = {"integers": "N,N,…", "integer": "N"}.get(self._parameter.kind, "NUMBER")
        return "|".join([noun, *words])

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Offers the allowed words."""
        words = self._parameter.choices
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]

    def _parsed(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        if self._parameter.kind == "integers":
            return tuple(_number(item.strip()) for item in value.split(","))
        return _number(value)


class SectionedOption(click.Option):
    """An option with the heading under which the help text lists it."""

    def __init__(self, *args: Any, section: str = "Options", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


def section_option(
    section: str, *names: str, **settings: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``click.option`` under a heading of the help text."""
    return click.option(*names, cls=SectionedOption, section=section, **settings)


def setting_option(
    field: str,
    parameter: "Parameter",
    *,
    section: str,
    flag: str | None = None,
    default: str | None = None,
) -> SectionedOption:
    """Returns ``--the-field``; its value is None unless it was given. `given` collects them.

    Args:
        field: name of the setting.
        parameter: its declaration.
        section: heading in the help text.
        flag: another name than ``--the-field``, where that one is taken.
        default: words for the default where it depends on other choices.
    """
    flag = flag or flag_of(field)
    if parameter.kind == "flag":
        flag += f"/--no-{flag.removeprefix('--')}"
    return SectionedOption(
        [flag, _PREFIX + field],
        section=section,
        type=None if parameter.kind == "flag" else SettingType(field, parameter),
        default=None,
        help=_help(parameter, default or _written(parameter.default)),
    )


def flag_of(field: str) -> str:
    """``fairness_weight`` → ``--fairness-weight``."""
    return "--" + field.replace("_", "-")


def given(kind: "type[Settings]", options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of ``kind`` among a command's options, without those that were not given."""
    chosen = {name: options.get(_PREFIX + name) for name in kind.parameters()}
    return {name: value for name, value in chosen.items() if value is not None}


def _help(parameter: "Parameter", default: str) -> str:
    label = parameter.label[0].upper() + parameter.label[1:]
    symbol = f" ({parameter.symbol})" if parameter.symbol else ""
    limits = "" if parameter.kind in ("choice", "flag") else f"; {parameter.allowed}"
    return f"{label}{symbol}. {parameter.help}  [default: {default}{limits}]"


def _written(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _number(text: str) -> int | float | str:
    """A number where the text is one; otherwise the text, for the setting to judge."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text
