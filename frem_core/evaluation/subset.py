"""A random subset of rows for what would take too long on all of them."""

import numpy as np
from numpy.typing import NDArray


def random_rows(n_rows: int, at_most: int | None, random_state: int) -> NDArray[np.intp]:
    """Returns all row numbers, or ``at_most`` of them drawn without replacement, in order."""
    if at_most is None or n_rows <= at_most:
        return np.arange(n_rows)
    drawn = np.random.default_rng(random_state).choice(n_rows, size=at_most, replace=False)
    return np.sort(drawn)
