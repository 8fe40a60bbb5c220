"""What the columns of a table are for: declared once for library, command line, sweeps and pages.

A new role is one more field of `Roles`. It is then a keyword of `load_table`, an option of the
commands that take a dataset, a key of the TOML file of a sweep and a parameter of an address.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypedDict

TASKS = ("auto", "classification", "regression")
_HELP = "help"
_METAVAR = "metavar"


def role(help_text: str, *, default: Any = None, metavar: str = "COLUMN") -> Any:
    """Declares what a column, or a list of columns, is for.

    Args:
        help_text: what the command line says about it.
        default: its value when it is not given.
        metavar: what stands for its value there.
    """
    return field(default=default, metadata={_HELP: help_text, _METAVAR: metavar})


class RoleSettings(TypedDict, total=False):
    """The roles as keywords of a function, each as users may write it: see `Roles`."""

    target: str | None
    sensitive: str | Sequence[str] | None
    also_sensitive: Sequence[str]
    id: str | None
    features: str | Sequence[str] | None
    leave_out: str | Sequence[str]
    as_text: str | Sequence[str]
    as_numbers: str | Sequence[str]
    task: str
    positive_class: str | None


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Which column of a table plays which part.

    Attributes:
        target: column to predict: two or more classes, or numbers.
        sensitive: continuous column that predictions must not follow. Several are given as a list:
            this is then the first of them, and ``also_sensitive`` holds the others.
        also_sensitive: further columns that predictions must not follow, numbers or categories.
        id: column that the edges of a graph refer to; None when they hold row numbers, from 0.
        features: columns to predict from; None for all others.
        leave_out: columns that are no features; the other way to say the same.
        as_text: columns that are categories, whatever they look like (codes, years, zip codes).
        as_numbers: columns that are numbers; cells that are none count as missing.
        task: ``"classification"``, ``"regression"``, or ``"auto"``: two distinct values make a
            classification, and so does text with up to 20 of them.
        positive_class: which of two classes counts as 1; by default what it means decides (yes,
            ja, true, the larger number, "> 50K"), else the rarer one. Of more classes it is the
            one that charts show against all others.
    """

    target: str | None = role("Column of a file to predict.")
    sensitive: str | None = role(
        "Numeric column of a file that predictions must not follow; give it again for further "
        "ones, numbers or categories."
    )
    id: str | None = role(
        "Column of a file that the edges refer to.  [default: row numbers from 0]"
    )
    features: tuple[str, ...] | None = role(
        "Columns of a file to predict from.  [default: all others]", metavar="COLUMN,COLUMN,…"
    )
    leave_out: tuple[str, ...] = role(
        "Columns of a file that are not to be used.", default=(), metavar="COLUMN,COLUMN,…"
    )
    as_text: tuple[str, ...] = role(
        "Columns of a file that are categories, whatever they look like.",
        default=(),
        metavar="COLUMN,COLUMN,…",
    )
    as_numbers: tuple[str, ...] = role(
        "Columns of a file that are numbers; cells that are none count as missing.",
        default=(),
        metavar="COLUMN,COLUMN,…",
    )
    task: str = role(
        "What to do with a file's target; two values, or a few texts, make a classification.",
        default="auto",
    )
    positive_class: str | None = role(
        "Which of two classes counts as 1, or which of more is shown.", metavar="LABEL"
    )
    also_sensitive: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        given: Any = self.sensitive
        if isinstance(given, list | tuple):
            several = tuple(dict.fromkeys(map(str, given)))
            object.__setattr__(self, "sensitive", several[0] if several else None)
            object.__setattr__(self, "also_sensitive", several[1:])
        for name in COLUMN_LISTS:
            given = getattr(self, name)
            if given is not None:
                columns = (given,) if isinstance(given, str) else tuple(map(str, given))
                object.__setattr__(self, name, tuple(dict.fromkeys(columns)))
        for name in ("target", "sensitive"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, str(given))

    @property
    def is_complete(self) -> bool:
        """Whether a table can be read with these roles."""
        return self.target is not None and self.sensitive is not None

    @property
    def all_sensitive(self) -> tuple[str, ...]:
        """All columns that predictions must not follow."""
        return () if self.sensitive is None else (self.sensitive, *self.also_sensitive)

    @property
    def given(self) -> dict[str, Any]:
        """The roles that were given, by name; several sensitive columns under one."""
        roles = {name: getattr(self, name) for name in _DEFAULTS}
        if self.also_sensitive:
            roles["sensitive"] = self.all_sensitive
        return {name: value for name, value in roles.items() if value != _DEFAULTS[name]}


# What is declared with `role`; further sensitive columns come under the name of the first.
COLUMN_LISTS = ("features", "leave_out", "as_text", "as_numbers")
"""The roles whose value is a list of columns."""

_DEFAULTS = {one.name: one.default for one in fields(Roles) if one.metadata}


def role_words(name: str) -> tuple[str, str]:
    """Returns what the command line says about a role, and what stands for its value."""
    about = next(one for one in fields(Roles) if one.name == name).metadata
    return about[_HELP], about[_METAVAR]


def role_names() -> tuple[str, ...]:
    """Names of all roles, in the order in which they are declared."""
    return tuple(_DEFAULTS)
