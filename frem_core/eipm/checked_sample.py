"""Input of the two comparison estimators: one centred float64 sample, positive settings."""

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from frem_core.eipm.inputs import as_tensors
from frem_core.errors import ConfigError, DataError


def checked_sample(z: ArrayLike | Tensor, s: ArrayLike | Tensor) -> tuple[Tensor, Tensor]:
    """Validates a representation and a sensitive attribute.

    Returns:
        z of shape (n, m), moved so that its mean is 0 (distances stay, their rounding error
        shrinks), and s of shape (n,), both float64.
    """
    rows, attribute, _ = as_tensors(z, s, None)
    if rows.ndim != 2 or rows.numel() == 0:
        raise DataError(f"z must have shape (n, m) with at least one row, not {tuple(rows.shape)}.")
    rows = rows.detach().to("cpu", torch.float64)
    return rows - rows.mean(dim=0), attribute.cpu()


def check_positive(**settings: float) -> None:
    """Raises a ConfigError for the first setting that is not a finite number above 0."""
    for name, value in settings.items():
        if not 0 < value < float("inf"):
            raise ConfigError(f"{name} must be a finite number greater than 0, not {value}.")
