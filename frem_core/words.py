"""How counts, sizes and notions of fairness are written, on pages, in reports and in a terminal."""

import math
from typing import Final

NOTIONS: Final = {"dp": "demographic parity", "eo": "equal opportunity"}
"""What the notions of fairness are called within a sentence, by their names in settings."""

_ROUNDING: Final = 1e-9  # what is smaller is 0


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, in the singular where there is one.

    >>> counted(1, "epoch"), counted(2_000, "epoch"), counted(0, "batch", "batches")
    ('1 epoch', '2,000 epochs', '0 batches')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def decimals(size: float, digits: int = 3) -> int:
    """How many decimals show so many digits of a number of this size; at least three.

    >>> decimals(0.5), decimals(0.0045), decimals(0.0045, digits=2), decimals(1e-17)
    (3, 5, 4, 3)
    """
    return max(3, digits - 1 - math.floor(math.log10(size))) if size > _ROUNDING else 3
