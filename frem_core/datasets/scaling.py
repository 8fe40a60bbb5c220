"""Min-max scaling of one variable, and the way back to its own units."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class MinMax:
    """Maps ``[low, high]`` to ``[0, 1]``: ``(v − low) / (high − low)``.

    Values outside ``[low, high]`` land outside ``[0, 1]``; the caller decides about clipping.
    A variable that does not vary is mapped to 0.

    >>> age = MinMax(17.0, 90.0)
    >>> float(age.inverse(age.transform(53.5)))
    53.5
    """

    low: float
    high: float

    @classmethod
    def fit(cls, values: NDArray[np.floating]) -> "MinMax":
        """Takes the smallest and largest value; missing ones do not count."""
        known = values[~np.isnan(values)]
        if not len(known):
            return cls(0.0, 0.0)
        return cls(float(known.min()), float(known.max()))

    @property
    def is_constant(self) -> bool:
        """Whether the variable does not vary (or by less than can be divided by)."""
        return self.high - self.low < 1e-150

    def transform(self, values: ArrayLike) -> NDArray[np.float64]:
        """From own units to the scale on which ``[low, high]`` is ``[0, 1]``."""
        shifted = np.asarray(values, dtype=np.float64) - self.low
        if self.is_constant:
            return np.zeros_like(shifted)
        return shifted / (self.high - self.low)

    def inverse(self, values: ArrayLike) -> NDArray[np.float64]:
        """From the ``[0, 1]`` scale back to own units."""
        return self.low + np.asarray(values, dtype=np.float64) * (self.high - self.low)


IDENTITY = MinMax(0.0, 1.0)
