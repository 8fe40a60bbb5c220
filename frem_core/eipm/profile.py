"""Where along S a representation is unfair."""

from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from frem_core.eipm.evaluation import comparable_rows, signed_root
from frem_core.eipm.inputs import as_arrays, as_points
from frem_core.eipm.mean_square import spread_of
from frem_core.eipm.settings import ARRAY_FEATURES, EipmSettings, check_settings
from frem_core.eipm.tiles import KernelTiles, is_mirrored, keep_freed_memory, row_blocks
from frem_core.eipm.units import in_units
from frem_core.kernels import Kernel
from frem_core.kernels.feature_map import FeatureMap

_MOST_DISTINCT = 200
_QUANTILES = 101


def eipm_profile(
    z: ArrayLike | Tensor,
    s: ArrayLike | Tensor,
    *,
    gamma: float,
    sigma: float | str = 1.0,
    sensitive_kernel: str = "rbf",
    representation_kernel: str = "rbf",
    labels: ArrayLike | Tensor | None = None,
    positive_label: Any = 1,
    method: str = "auto",
    noise: str = "kept",
    units: str = "as_is",
    at: ArrayLike | None = None,
) -> pd.DataFrame:
    """How far the representations of people with S near s are from those of everybody.

    At each value s, over all rows j: ``w_j = K_γ(s, s_j) / Σ_l K_γ(s, s_l)`` and
    ``ipm = √(Σ_jk (w_j - 1/n)(w_k - 1/n) κ(z_j, z_k))``. EIPM averages the same quantity over the
    rows, each time without the row itself.

    Args:
        z: representation, ``(n, m)`` or ``(n,)``.
        s: sensitive attribute, ``(n,)``.
        gamma: bandwidth γ of the kernel on S.
        sigma: scale σ of the kernel on Z, or ``"median"``.
        sensitive_kernel: name of the kernel on S.
        representation_kernel: name of the kernel on Z.
        labels: when given, only rows with the positive label count.
        positive_label: which label that is.
        method: as in ``eipm``.
        noise: ``"kept"``, or ``"removed"``: less the square that rows independent of S give on
            average, ``Σ_j (w_j - 1/n)² (κ(0) - κ̄)``; where less is left than nothing, ``ipm`` is
            minus the root of what lacks.
        units: of ``z``, as in ``eipm``.
        at: values of s to look at; by default the distinct values of S, or 101 quantiles when
            there are more than 200.

    Returns:
        One row for each value: ``s``, ``ipm``, and ``effective_n = 1 / Σ w_j²``, the number of rows
        that effectively speak there. Where it is small, ``ipm`` is mostly noise. Where no row is
        in reach ``ipm`` is NaN and ``effective_n`` is 0.

    Example:
        >>> import numpy as np
        >>> s = np.repeat([0.0, 0.5, 1.0], 40)
        >>> z = np.where(s == 1.0, 3.0, 0.0) + np.sin(np.arange(120))
        >>> eipm_profile(z, s, gamma=0.05).round(2)
             s   ipm  effective_n
        0  0.0  0.37         40.0
        1  0.5  0.37         40.0
        2  1.0  0.73         40.0
    """
    settings = check_settings(
        gamma=gamma,
        sigma=sigma,
        sensitive_kernel=sensitive_kernel,
        representation_kernel=representation_kernel,
        method=method,
        features=ARRAY_FEATURES,
        random_state=0,
        noise=noise,
        units=units,
    )
    rows, attribute = as_arrays(z, s, labels, positive_label)
    points = _default_points(attribute[0]) if at is None else as_points(at)
    if rows.shape[1] < 3:
        nothing = np.full(len(points), np.nan)
        return pd.DataFrame({"s": points.numpy(), "ipm": nothing, "effective_n": 0.0})
    weights = _weights_at(points, attribute[0], settings)
    reachable = (weights.sum(1) > 0).numpy()
    ipm = _ipm(rows, weights - 1.0 / rows.shape[1], settings).numpy()
    return pd.DataFrame(
        {
            "s": points.numpy(),
            "ipm": np.where(reachable, ipm, np.nan),
            "effective_n": np.where(reachable, 1.0 / weights.square().sum(1).clamp(min=1e-300), 0),
        }
    )


def _default_points(s: Tensor) -> Tensor:
    distinct = np.unique(s.numpy())
    if len(distinct) > _MOST_DISTINCT:
        distinct = np.unique(np.quantile(s.numpy(), np.linspace(0, 1, _QUANTILES)))
    return torch.from_numpy(distinct)


def _weights_at(points: Tensor, s: Tensor, settings: EipmSettings) -> Tensor:
    """``w_j`` for every point, ``(points, n)``; a row of zeros where nothing is in reach."""
    gaps = (points.unsqueeze(1) - s) / settings.gamma
    logits = settings.sensitive_kernel.log_sensitive(gaps)
    return torch.softmax(logits, dim=1).nan_to_num_(nan=0.0)


def _ipm(z: Tensor, contrasts: Tensor, settings: EipmSettings) -> Tensor:
    """``√(aᵀκa)`` for each row a of ``contrasts`` ``(points, n)``, less the noise."""
    keep_freed_memory()
    rows, _ = comparable_rows(in_units(z, settings.units), settings)
    linear = settings.linear(z.shape[1])
    features = settings.feature_map(z.shape[-1], linear=linear)
    kernel = settings.representation_kernel
    # Random features are good to a percent at best: float32 is plenty.
    rows = rows.float() if linear and features is not None else rows
    if features is None:
        squares = _by_kernel(rows, contrasts, kernel)
    else:
        squares = _by_features(rows, contrasts, features)
    if settings.noise == "removed":
        noise = contrasts.square().sum(1) * spread_of(rows, kernel, features)
        return signed_root(squares - noise)
    return squares.clamp_(min=0.0).sqrt_()


def _by_features(rows: Tensor, contrasts: Tensor, features: FeatureMap) -> Tensor:
    """``aᵀκa`` for each contrast a."""
    means = contrasts.new_zeros(len(contrasts), features.width)
    for block in row_blocks(rows.shape[1], 2**20 // features.width):
        means.addmm_(contrasts[:, block], features(rows[0, block]).to(means.dtype))
    return means.square_().sum(1).mul_(features.weight)


def _by_kernel(rows: Tensor, contrasts: Tensor, kernel: Kernel) -> Tensor:
    """``aᵀκa`` for each contrast a."""
    smoothed = torch.zeros_like(contrasts)  # (points, n): contrasts κ
    for first, second, tile in KernelTiles(rows, kernel):
        smoothed[:, second] += contrasts[:, first] @ tile[0]
        if is_mirrored(first, second):
            smoothed[:, first] += contrasts[:, second] @ tile[0].T
    return (smoothed * contrasts).sum(1)
