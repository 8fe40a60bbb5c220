"""Guesses which column of an unknown table plays which part; the user has the last word."""

import re
from dataclasses import dataclass
from typing import Final

import pandas as pd

_TARGET: Final = re.compile(
    r"(^|[^a-z])(target|label|outcome|class|y|income|default|churn|score|response|approved|"
    r"recid|salary|grade|admitted|survived|crime|crimes\w*)([^a-z]|$)"
)
_SENSITIVE: Final = re.compile(
    r"(^|[^a-z])(age|alter|race|racepct\w*|black|ethnic\w*|income|wealth|bmi|deprivation|"
    r"sensitive|s)([^a-z]|$)"
)
_IDENTIFIER: Final = re.compile(
    r"(^|[^a-z])(id|uuid|key|index|unnamed|row|name|phone|email)([^a-z]|$)"
)
_FEWEST_VALUES: Final = 3


@dataclass(frozen=True)
class ColumnGuess:
    """A first proposal for the form.

    Attributes:
        target: column to predict, or None.
        sensitive: sensitive attribute, or None.
        leave_out: columns that look like identifiers.
        sensitive_candidates: columns with enough numbers to be a continuous attribute.
    """

    target: str | None
    sensitive: str | None
    leave_out: tuple[str, ...]
    sensitive_candidates: tuple[str, ...]


def guess_columns(sample: pd.DataFrame) -> ColumnGuess:
    """Guesses from names, types and the number of distinct values in some rows."""
    columns = [str(name) for name in sample.columns]
    distinct = {name: int(sample[name].nunique()) for name in columns}
    leave_out = tuple(name for name in columns if _identifies(sample[name], name, distinct[name]))
    numeric = [
        name
        for name in columns
        if pd.api.types.is_numeric_dtype(sample[name])
        and not pd.api.types.is_bool_dtype(sample[name])
        and distinct[name] >= _FEWEST_VALUES
    ]
    usable = [name for name in columns if name not in leave_out and distinct[name] > 1]
    target = _guess_target(usable, numeric, distinct)
    candidates = [name for name in numeric if name not in leave_out and name != target]
    named = [name for name in candidates if _SENSITIVE.search(name.casefold())]
    sensitive = next(iter(named or candidates), None)
    return ColumnGuess(target, sensitive, leave_out, tuple(numeric))


def _guess_target(usable: list[str], numeric: list[str], distinct: dict[str, int]) -> str | None:
    fitting = [name for name in usable if distinct[name] == 2 or name in numeric]
    named = [name for name in fitting if _TARGET.search(name.casefold())]
    binary = [name for name in fitting if distinct[name] == 2]
    # In most published tables the target is the last column.
    for group in ([name for name in named if name in binary], named, binary, fitting):
        if group:
            return group[-1]
    return None


def _identifies(column: pd.Series, name: str, distinct: int) -> bool:
    rows = int(column.notna().sum())
    if rows == 0 or distinct < rows:
        return False
    return not pd.api.types.is_float_dtype(column) and (
        bool(_IDENTIFIER.search(name.casefold())) or not pd.api.types.is_numeric_dtype(column)
    )
