"""Checks what callers hand over, once, and brings it into one shape."""

from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from frem_core.errors import DataError


def as_tensors(
    z: ArrayLike | Tensor, s: ArrayLike | Tensor, labels: ArrayLike | Tensor | None
) -> tuple[Tensor, Tensor, Tensor | None]:
    """Brings representation, sensitive attribute and labels into checked tensors.

    Args:
        z: ``(n, m)``, ``(n,)`` for one dimension, or a stack ``(B, n, m)``.
        s: ``(n,)``, or ``(B, n)`` for a stack.
        labels: like ``s``, or None.

    Returns:
        ``z`` (arrays become float64; tensors keep their dtype and graph), ``s`` in float64 on the
        device of ``z``, and ``labels``.
    """
    z = _representation(z)
    s = _sensitive(s, z)
    if labels is not None:
        labels = _as_tensor(labels, z.device, "labels").reshape_as(s) if _fits(labels, s) else None
        if labels is None:
            raise DataError(f"labels must have one entry for each of the {s.shape[-1]} rows of z.")
    return z, s, labels


def _representation(z: ArrayLike | Tensor) -> Tensor:
    most_dimensions = 3 if isinstance(z, Tensor) else 2
    if not isinstance(z, Tensor):
        z = torch.from_numpy(_numeric(z, "z"))
    if not 1 <= z.ndim <= most_dimensions:
        raise DataError(
            f"z has {z.ndim} dimensions; give (rows, features), or for tensors also "
            "(stack, rows, features)."
        )
    if not z.is_floating_point():
        z = z.to(torch.get_default_dtype())
    if z.ndim == 1:
        z = z.unsqueeze(-1)
    if not _all_finite(z.detach()):
        raise DataError("z contains NaN or infinite values; remove or impute those rows first.")
    return z


def _sensitive(s: ArrayLike | Tensor, z: Tensor) -> Tensor:
    s = _as_tensor(s, z.device, "s").detach().to(torch.float64)
    if s.ndim == z.ndim and s.shape[-1] == 1:
        s = s.squeeze(-1)
    if s.shape != z.shape[:-1]:
        raise DataError(
            f"s has shape {tuple(s.shape)} but z has rows {tuple(z.shape[:-1])}; "
            "give one sensitive value for each row of z."
        )
    if not _all_finite(s):
        raise DataError("s contains NaN or infinite values; drop those rows first.")
    return s


def _all_finite(values: Tensor) -> bool:
    # One NaN or infinity spoils the sum, and summing is several times cheaper than looking.
    return bool(torch.isfinite(values.sum())) or bool(torch.isfinite(values).all())


def _fits(labels: Any, s: Tensor) -> bool:
    return int(np.prod(np.shape(labels))) == s.numel()


def _as_tensor(values: ArrayLike | Tensor, device: torch.device, what: str) -> Tensor:
    if isinstance(values, Tensor):
        return values.to(device)
    if what == "labels":
        return torch.as_tensor(np.asarray(values), device=device)
    return torch.from_numpy(_numeric(values, what)).to(device)


def _numeric(values: ArrayLike, what: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    try:
        return np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{what} must be numbers: {error}.") from error
