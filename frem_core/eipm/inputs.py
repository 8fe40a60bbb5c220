"""Checks what callers hand over, once, and brings it into one shape."""

from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from frem_core.errors import ConfigError, DataError


def as_tensors(
    z: ArrayLike | Tensor, s: ArrayLike | Tensor, labels: ArrayLike | Tensor | None
) -> tuple[Tensor, Tensor, Tensor | None]:
    """Brings representation, sensitive attribute and labels into checked tensors.

    Args:
        z: ``(n, m)``, ``(n,)`` for one dimension, or for tensors a stack ``(B, n, m)``.
        s: ``(n,)``, or ``(B, n)`` for a stack.
        labels: like ``s``, or None.

    Returns:
        ``z`` (arrays become float64; tensors keep their dtype and graph), ``s`` in float64 on the
        device of ``z``, and ``labels``.
    """
    rows = _representation(z)
    attribute = _sensitive(s, rows)
    return rows, attribute, None if labels is None else _labels(labels, attribute)


def as_arrays(
    z: ArrayLike | Tensor,
    s: ArrayLike | Tensor,
    labels: ArrayLike | Tensor | None,
    positive_label: Any,
) -> tuple[Tensor, Tensor]:
    """As ``as_tensors`` for a value without gradient: the rows that count, as one stack.

    Returns:
        ``z`` ``(1, n, m)`` and ``s`` ``(1, n)``, both float64.
    """
    if isinstance(z, Tensor):
        z = z.detach().cpu().numpy()
    rows, attribute, marks = as_tensors(z, s, labels)
    if marks is not None:
        keep = marks == positive_label
        rows, attribute = rows[keep], attribute[keep]
    return rows.unsqueeze(0), attribute.unsqueeze(0)


def as_points(at: ArrayLike) -> Tensor:
    """Values of s to look at, ``(points,)`` float64."""
    points = torch.from_numpy(_numbers(at, "at")).flatten()
    if not len(points) or not _all_finite(points):
        raise DataError("at must hold one or more finite values of s.")
    return points


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


def _representation(z: ArrayLike | Tensor) -> Tensor:
    rows = z if isinstance(z, Tensor) else torch.from_numpy(_numbers(z, "z"))
    most_dimensions = 3 if isinstance(z, Tensor) else 2
    if not 1 <= rows.ndim <= most_dimensions:
        raise DataError(
            f"z has {rows.ndim} dimensions; give (rows, features), or for tensors also "
            "(stack, rows, features)."
        )
    if not rows.is_floating_point():
        rows = rows.to(torch.get_default_dtype())
    if rows.ndim == 1:
        rows = rows.unsqueeze(-1)
    if not rows.shape[-1]:
        raise DataError("z has no columns; give at least one feature.")
    if not _all_finite(rows.detach()):
        raise DataError("z contains NaN or infinite values; remove or impute those rows first.")
    return rows


def _sensitive(s: ArrayLike | Tensor, z: Tensor) -> Tensor:
    values = s.detach() if isinstance(s, Tensor) else torch.from_numpy(_numbers(s, "s"))
    values = values.to(z.device, torch.float64)
    if values.ndim == z.ndim and values.shape[-1] == 1:
        values = values.squeeze(-1)
    if values.shape != z.shape[:-1]:
        raise DataError(
            f"s has shape {tuple(values.shape)} but z has rows {tuple(z.shape[:-1])}; "
            "give one sensitive value for each row of z."
        )
    if not _all_finite(values):
        raise DataError("s contains NaN or infinite values; drop those rows first.")
    return values


def _labels(labels: ArrayLike | Tensor, s: Tensor) -> Tensor:
    try:
        marks = labels if isinstance(labels, Tensor) else torch.as_tensor(np.asarray(labels))
    except TypeError as error:
        raise DataError(
            "labels must be numbers or booleans; encode text labels first, for example as "
            "labels == 'yes' with positive_label=True."
        ) from error
    if marks.numel() != s.numel():
        raise DataError(
            f"labels has {marks.numel()} entries but z has {s.numel()} rows; give one label a row."
        )
    return marks.to(s.device).reshape(s.shape)


def _all_finite(values: Tensor) -> bool:
    # One NaN or infinity spoils the sum, and summing is several times cheaper than looking.
    return bool(torch.isfinite(values.sum())) or bool(torch.isfinite(values).all())


def _numbers(values: ArrayLike, what: str) -> NDArray[np.float64]:
    try:
        return np.array(values, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise DataError(f"{what} must be numbers: {error}.") from error
