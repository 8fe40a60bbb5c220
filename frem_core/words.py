"""How counts, sizes and notions of fairness are written, on pages, in reports and in a terminal."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

NOTIONS: Final = {"dp": "demographic parity", "eo": "equal opportunity"}
"""What the notions of fairness are called within a sentence, by their names in settings."""

_ROUNDING: Final = 1e-9  # what is smaller is 0


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, in the singular where there is one.

    >>> counted(1, "epoch"), counted(2_000, "epoch"), counted(0, "batch", "batches")
    ('1 epoch', '2,000 epochs', '0 batches')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(words: Sequence[str]) -> str:
    """Words as a sentence lists them.

    >>> listed(["age", "sex", "income"]), listed(["age"])
    ('age, sex and income', 'age')
    """
    return " and ".join([*filter(None, [", ".join(words[:-1])]), *words[-1:]])


def rounded(value: float, digits: int = 3) -> str:
    """A number with so many significant digits; a large one with commas instead of an exponent.

    >>> rounded(0.08312), rounded(235_831.9), rounded(-2_359_033, digits=4), rounded(41.0)
    ('0.0831', '236,000', '-2,359,000', '41')
    >>> rounded(8000, digits=4), rounded(1234.56, digits=5), rounded(999.96, digits=4)
    ('8,000', '1,234.6', '1,000')
    """
    near = float(f"{value:.{digits}g}")
    return f"{near:,}".removesuffix(".0") if 1000 <= abs(near) < math.inf else f"{near:.{digits}g}"


def in_units(value: float, digits: int = 3) -> str:
    """A value of a column; years stay years, so commas begin with ten thousand.

    >>> in_units(0.08312), in_units(1956), in_units(18_932.4), in_units(-2_359_033, digits=4)
    ('0.0831', '1956', '18,900', '-2,359,000')
    """
    near = float(f"{value:.{max(digits, 4) if 1000 <= abs(value) < 10_000 else digits}g}")
    text = rounded(near, 17) if 1000 <= abs(near) < math.inf else f"{near:.{digits}g}"
    return text if abs(near) >= 10_000 else text.replace(",", "")


def with_interval(row: Mapping[Any, Any], ending: str = "", digits: int = 3) -> str:
    """A value with its interval.

    Args:
        row: ``value``, ``low`` and ``high``.
        ending: of these three names.
        digits: significant ones.

    >>> with_interval({"value": 0.08, "low": 0.05, "high": 0.11})
    '0.08 [0.05, 0.11]'
    """
    value, low, high = (rounded(row[name + ending], digits) for name in ("value", "low", "high"))
    return f"{value} [{low}, {high}]"


def per_cent(share: float, decimals: int = 0) -> str:
    """A share in per cent, with a space before the sign, as everywhere in pages and reports.

    >>> per_cent(0.091), per_cent(0.8), per_cent(0.0445, 1), per_cent(-0.0001)
    ('9 %', '80 %', '4.5 %', '0 %')
    """
    return f"{100 * share:z.{decimals}f} %"


def decimals(size: float, digits: int = 3) -> int:
    """How many decimals show so many digits of a number of this size; at least three.

    >>> decimals(0.5), decimals(0.0045), decimals(0.0045, digits=2), decimals(1e-17)
    (3, 5, 4, 3)
    """
    return max(3, digits - 1 - math.floor(math.log10(size))) if size > _ROUNDING else 3
