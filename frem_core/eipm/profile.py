"""Where along S a representation is unfair."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from frem_core.attributes import Attributes
from frem_core.eipm.evaluation import comparable_rows, signed_root
from frem_core.eipm.inputs import as_arrays, as_points
from frem_core.eipm.joint_kernel import JointKernel, one_or_several
from frem_core.eipm.mean_square import spread_of
from frem_core.eipm.settings import ANY_GAMMA, ARRAY_FEATURES, EipmSettings, check_settings
from frem_core.eipm.tiles import KernelTiles, is_mirrored, keep_freed_memory, row_blocks
from frem_core.eipm.units import in_units
from frem_core.kernels import Kernel
from frem_core.kernels.feature_map import FeatureMap

_MOST_DISTINCT = 200
_QUANTILES = 101

# Values of each number on a map by default, and weights that are made at a time.
_GRID = 21
_MAP_ENTRIES = 2**24


def eipm_profile(
    z: ArrayLike | Tensor,
    s: Any,
    *,
    gamma: float | Sequence[float] | None = None,
    sigma: float | str = 1.0,
    sensitive_kernel: str = "rbf",
    representation_kernel: str = "rbf",
    labels: ArrayLike | Tensor | None = None,
    positive_label: Any = 1,
    method: str = "auto",
    noise: str = "kept",
    units: str = "as_is",
    at: Any = None,
) -> pd.DataFrame:
    """How far the representations of people with S near s are from those of everybody.

    At each value s, over all rows j: ``w_j = K_γ(s, s_j) / Σ_l K_γ(s, s_l)`` and
    ``ipm = √(Σ_jk (w_j - 1/n)(w_k - 1/n) κ(z_j, z_k))``. EIPM averages the same quantity over the
    rows, each time without the row itself.

    Args:
        z: representation, ``(n, m)`` or ``(n,)``.
        s: sensitive attribute, ``(n,)``, or several, as in ``eipm``: a map.
        gamma: bandwidth γ of the kernel on S, or one for each of several attributes.
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
            there are more than 200. Of several attributes a table with their columns; by default
            every category with every number of a grid.

    Returns:
        One row for each value: ``s`` (or a column for each of several attributes), ``ipm``, and
        ``effective_n = 1 / Σ w_j²``, the number of rows that effectively speak there. Where it is
        small, ``ipm`` is mostly noise. Where no row is in reach ``ipm`` is NaN and
        ``effective_n`` is 0.

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
    s, several = one_or_several(s, z)
    settings = check_settings(
        gamma=gamma if several is None else ANY_GAMMA,
        sigma=sigma,
        sensitive_kernel=sensitive_kernel,
        representation_kernel=representation_kernel,
        method=method,
        features=ARRAY_FEATURES,
        random_state=0,
        noise=noise,
        units=units,
    )
    if several is not None:
        return _map(z, several, gamma, settings, labels, positive_label, at)
    rows, attribute = as_arrays(z, s, labels, positive_label)
    points = _default_points(attribute[0]) if at is None else as_points(at)
    if rows.shape[1] < 3:
        nothing = np.full(len(points), np.nan)
        return pd.DataFrame({"s": points.numpy(), "ipm": nothing, "effective_n": 0.0})
    gaps = (points.unsqueeze(1) - attribute[0]) / settings.gamma
    logits = settings.sensitive_kernel.log_sensitive(gaps)
    return pd.DataFrame({"s": points.numpy()} | _profile(rows, logits, settings))


def _profile(rows: Tensor, logits: Tensor, settings: EipmSettings) -> dict[str, Any]:
    """IPM and effective rows at points with ``log K`` ``(points, n)`` to the rows."""
    # A row of zeros where nothing is in reach.
    weights = torch.softmax(logits, dim=1).nan_to_num_(nan=0.0)
    reachable = (weights.sum(1) > 0).numpy()
    ipm = contrast_ipm(rows, weights - 1.0 / rows.shape[1], settings).numpy()
    return {
        "ipm": np.where(reachable, ipm, np.nan),
        "effective_n": np.where(reachable, 1.0 / weights.square().sum(1).clamp(min=1e-300), 0),
    }


def _map(
    z: ArrayLike | Tensor,
    attributes: Attributes,
    gamma: float | Sequence[float] | None,
    settings: EipmSettings,
    labels: ArrayLike | Tensor | None,
    positive_label: Any,
    at: Any,
) -> pd.DataFrame:
    """The profile over several attributes."""
    rows, _ = as_arrays(z, attributes.values[:, 0], labels, positive_label)
    if labels is not None:
        attributes = attributes.of(np.asarray(labels) == positive_label)
    joint = JointKernel.of(attributes, settings.sensitive_kernel, gamma)
    places = attributes.grid(_GRID) if at is None else attributes.places(at)
    shown, everybody = attributes.shown(places), torch.from_numpy(attributes.values)
    if rows.shape[1] < 3:
        return shown.assign(ipm=np.nan, effective_n=0.0)
    parts = [
        pd.DataFrame(_profile(rows, joint.log(some, everybody), settings))
        for some in torch.split(torch.from_numpy(places), max(1, _MAP_ENTRIES // rows.shape[1]))
    ]
    return pd.concat([shown, pd.concat(parts, ignore_index=True)], axis=1)


def _default_points(s: Tensor) -> Tensor:
    distinct = np.unique(s.numpy())
    if len(distinct) > _MOST_DISTINCT:
        distinct = np.unique(np.quantile(s.numpy(), np.linspace(0, 1, _QUANTILES)))
    return torch.from_numpy(distinct)


def contrast_ipm(z: Tensor, contrasts: Tensor, settings: EipmSettings) -> Tensor:
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
