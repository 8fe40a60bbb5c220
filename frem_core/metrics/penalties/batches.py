"""The shape rule all penalties share: rows last, any number of stacked models before them."""

from torch import Tensor

from frem_core.errors import DataError

# With fewer rows neither a conditional mean nor a density says anything about dependence.
FEWEST_ROWS = 3


def check_batch(p: Tensor, s: Tensor) -> None:
    """Raises a DataError unless ``p`` and ``s`` hold the same rows along their last dimension."""
    if p.ndim == 0 or s.ndim == 0 or p.shape[-1] != s.shape[-1]:
        raise DataError(
            f"Predictions {tuple(p.shape)} and sensitive values {tuple(s.shape)} must have the "
            "same number of rows in their last dimension; give p as (n,) or (models, n) and s "
            "alike."
        )
