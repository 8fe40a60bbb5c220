"""What the columns of a table are for: declared once for library, command line, sweeps and pages.

A new role is one more field of `Roles`. It is then a keyword of `load_table`, an option of the
commands that take a dataset, a key of the TOML file of a sweep and a parameter of an address.
"""

from dataclasses import dataclass, field, fields
from typing import Any

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


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Which column of a table plays which part.

    Attributes:
        target: column to predict: two classes, or numbers.
        sensitive: continuous column that predictions must not follow.
        id: column that the edges of a graph refer to; None when they hold row numbers, from 0.
        features: columns to predict from; None for all others.
        leave_out: columns that are no features; the other way to say the same.
        task: ``"classification"``, ``"regression"``, or ``"auto"``: two distinct values make a
            classification.
        positive_class: which of two classes counts as 1; by default ``yes`` before ``no``, the
            larger number, or the later in the alphabet.
    """

    target: str | None = role("Column of a file to predict.")
    sensitive: str | None = role("Numeric column of a file that predictions must not follow.")
    id: str | None = role(
        "Column of a file that the edges refer to.  [default: row numbers from 0]"
    )
    features: tuple[str, ...] | None = role(
        "Columns of a file to predict from.  [default: all others]", metavar="COLUMN,COLUMN,…"
    )
    leave_out: tuple[str, ...] = role(
        "Columns of a file that are not to be used.", default=(), metavar="COLUMN,COLUMN,…"
    )
    task: str = role(
        "What to do with a file's target; two values make a classification.", default="auto"
    )
    positive_class: str | None = role("Which of two classes counts as 1.", metavar="LABEL")

    def __post_init__(self) -> None:
        for name in ("features", "leave_out"):
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
    def given(self) -> dict[str, Any]:
        """The roles that were given, by name."""
        roles = {one.name: getattr(self, one.name) for one in fields(Roles)}
        return {name: value for name, value in roles.items() if value != _DEFAULTS[name]}


_DEFAULTS = {one.name: one.default for one in fields(Roles)}
#: The roles whose value is a list of columns.
COLUMN_LISTS = ("features", "leave_out")


def role_words(name: str) -> tuple[str, str]:
    """Returns what the command line says about a role, and what stands for its value."""
    about = next(one for one in fields(Roles) if one.name == name).metadata
    return about[_HELP], about[_METAVAR]


def role_names() -> tuple[str, ...]:
    """Names of all roles, in the order in which they are declared."""
    return tuple(_DEFAULTS)
