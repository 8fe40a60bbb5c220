"""How many decimals a score is shown with."""

import math
from typing import Final

_ROUNDING: Final = 1e-9  # what is smaller is 0


def decimals(size: float, digits: int = 3) -> int:
    """How many decimals show so many digits of a number of this size; at least three.

    >>> decimals(0.5), decimals(0.0045), decimals(0.0045, digits=2), decimals(1e-17)
    (3, 5, 4, 3)
    """
    return max(3, digits - 1 - math.floor(math.log10(size))) if size > _ROUNDING else 3
