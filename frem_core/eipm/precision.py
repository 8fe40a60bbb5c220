"""How closely weights on S are interpolated."""

from dataclasses import dataclass

import torch

# Rounding of the interpolation itself.
_FINEST = 1e-13


@dataclass(frozen=True)
class Precision:
    """Bounds on the errors of interpolated weights.

    Attributes:
        row: largest sum of the errors of one anchor's weights. For an RBF kernel on Z each IPM,
            and so EIPM itself, is wrong by at most twice this number.
        node: largest error of an interpolated kernel value.
        smallest_mass: an anchor whose neighbours weigh less than this in all could exceed the
            bound, and is computed without interpolation.
    """

    row: float
    node: float
    smallest_mass: float

    @classmethod
    def of(cls, dtype: torch.dtype, n: int) -> "Precision":
        """Fine enough for n rows to disappear in the rounding of the dtype.

        ``n`` errors of at most ``node`` over a mass of at least ``smallest_mass`` make ``row``.
        """
        row = 1e-9 if dtype == torch.float64 else 2e-6
        node = max(row / n, _FINEST)
        return cls(row, node, smallest_mass=n * node / row)
