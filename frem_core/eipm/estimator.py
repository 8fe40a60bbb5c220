"""The EIPM estimator: how much the distribution of Z depends on S."""

import warnings
from collections.abc import Sequence
from typing import Any, overload

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from frem_core.eipm.evaluation import Evaluation, evaluate
from frem_core.eipm.inputs import as_arrays, as_tensors
from frem_core.eipm.settings import (
    ANY_GAMMA,
    ARRAY_FEATURES,
    TENSOR_FEATURES,
    EipmSettings,
    check_settings,
)
from frem_core.eipm.several.kernel import one_or_several
from frem_core.eipm.several.plan import N_MIN
from frem_core.eipm.several.sample import JointSample
from frem_core.eipm.stacked import stacked_eipm
from frem_core.eipm.units import in_units

_ROUNDING = 1e-6
_NARROW = 0.01  # of the range of S: a bandwidth below that was meant for S in [0, 1]


class DroppedAnchorsWarning(UserWarning):
    """Some rows had no neighbour within the bandwidth of a compact kernel and were left out."""


class UnscaledSensitiveWarning(UserWarning):
    """The sensitive attribute is not scaled to [0, 1], as usual bandwidths expect."""


@overload
def eipm(
    z: Tensor,
    s: Any,
    *,
    gamma: float | Sequence[float] | None = ...,
    sigma: float | str = ...,
    sensitive_kernel: str = ...,
    representation_kernel: str = ...,
    labels: ArrayLike | Tensor | None = ...,
    positive_label: Any = ...,
    method: str = ...,
    noise: str = ...,
    form: str = ...,
    units: str = ...,
    features: int | None = ...,
    random_state: int = ...,
    n_min: float = ...,
) -> Tensor: ...
@overload
def eipm(
    z: ArrayLike,
    s: Any,
    *,
    gamma: float | Sequence[float] | None = ...,
    sigma: float | str = ...,
    sensitive_kernel: str = ...,
    representation_kernel: str = ...,
    labels: ArrayLike | None = ...,
    positive_label: Any = ...,
    method: str = ...,
    noise: str = ...,
    form: str = ...,
    units: str = ...,
    features: int | None = ...,
    random_state: int = ...,
    n_min: float = ...,
) -> float: ...
def eipm(
    z: ArrayLike | Tensor,
    s: Any,
    *,
    gamma: float | Sequence[float] | None = None,
    sigma: float | str = 1.0,
    sensitive_kernel: str = "rbf",
    representation_kernel: str = "rbf",
    labels: ArrayLike | Tensor | None = None,
    positive_label: Any = 1,
    method: str = "exact",
    noise: str = "kept",
    form: str = "root",
    units: str = "as_is",
    features: int | None = None,
    random_state: int = 0,
    n_min: float = N_MIN,
) -> float | Tensor:
    """Estimates the expectation of integral probability metrics between Z given S and Z.

    For anchor i, over j ≠ i: ``W_ij = K_γ(s_i, s_j) / Σ_{l≠i} K_γ(s_i, s_l)`` and
    ``A_ij = W_ij - 1/(n-1)``. Then ``EIPM = mean_i √(Σ_jk A_ij A_ik κ(z_j, z_k))``
    (Proposition 1 of the paper). It is 0 when the smoothed conditional distributions of Z all
    equal its marginal distribution.

    Args:
        z: representation, ``(n, m)`` or ``(n,)``. A tensor may also be a stack ``(B, n, m)`` of
            independent representations, which costs less than B calls.
        s: sensitive attribute, ``(n,)``, or ``(B, n)`` for a stack; usually scaled to [0, 1].
            Several: ``(n, d)``, a DataFrame or a list of columns, in which text, booleans and
            categories count as categories. Then ``K = Π_d K_γd · Π_c 1[equal category]``, and a
            single category gives the paper's ``EIPM^cat`` (docs/several-attributes.md).
        gamma: bandwidth γ of the kernel on S, in units of S; of several attributes one for all
            numbers, or one for each; without it, ``0.9 · min(sd, IQR / 1.34) · n^(-1/5)`` of each.
            Categories need none, one number needs it.
        sigma: scale σ of the kernel on Z, or ``"median"`` for the median distance between rows.
            The median makes EIPM free of the scale of Z; gradients treat it as a constant.
        sensitive_kernel: name of the kernel on S.
        representation_kernel: name of the kernel on Z.
        labels: when given, equal opportunity: only rows with the positive label count.
        positive_label: which label that is.
        method: ``"exact"``; ``"linear"``, random Fourier features with cost linear in n; or
            ``"auto"``, exact up to 10,000 rows.
        noise: ``"kept"``, as in the paper, or ``"removed"``: less what rows independent of S
            give on average, so that EIPM is centred on 0 under independence and may fall below it.
        form: ``"root"`` or ``"square"``, the mean of the squared IPMs. Without noise an anchor may
            be negative, so that the root is that of the mean, with its sign. Only the square is
            exactly 0 on average under independence.
        units: of ``z``: ``"as_is"``; ``"scale"``, its root mean square distance to its centre;
            ``"standardised"``, √m standard deviations of each of its m dimensions; ``"whitened"``,
            the same along its principal axes. In all but the first, shrinking Z gains nothing.
        features: number of random frequencies of the linear method; 2,048 for arrays and 128 for
            tensors by default. The relative error falls as the inverse root of this number.
        random_state: seed of the random frequencies.
        n_min: of several attributes, only anchors with at least so many effective neighbours,
            ``1 / Σ_j W_ij²``, count.

    Returns:
        A float for arrays, computed in float64. For tensors a differentiable scalar, or ``(B,)``
        for a stack, in the dtype of ``z``. With fewer than 3 rows EIPM is 0.

    Raises:
        DataError: shapes do not fit, or values are missing.
        ConfigError: a setting is not allowed.

    Warns:
        UnscaledSensitiveWarning: for arrays, when one S is not scaled to [0, 1] and γ was
            meant for one that is: below 1 % of its range.
        DroppedAnchorsWarning: for arrays, when a compact kernel leaves anchors without neighbours.
        UncoveredWarning: for arrays, when no anchor has ``n_min`` effective neighbours; EIPM is
            then NaN.

    Example:
        >>> import numpy as np
        >>> i = np.arange(200)
        >>> z = np.column_stack([np.sin(i), np.cos(2 * i)])
        >>> round(eipm(z, (np.sin(i) + 1) / 2, gamma=0.1), 6)
        0.603983
    """
    is_tensor = isinstance(z, Tensor)
    if features is None:
        features = TENSOR_FEATURES if is_tensor else ARRAY_FEATURES
    s, several = one_or_several(s, z)
    settings = check_settings(
        gamma=gamma if several is None else ANY_GAMMA,
        sigma=sigma,
        sensitive_kernel=sensitive_kernel,
        representation_kernel=representation_kernel,
        method=method,
        features=features,
        random_state=random_state,
        noise=noise,
        form=form,
        units=units,
    )
    if several is not None:
        sample = JointSample(
            z,
            several,
            gamma=gamma,
            n_min=n_min,
            settings=settings,
            labels=labels,
            positive_label=positive_label,
        )
        return joint_eipm(sample)[0] if is_tensor else sample.value()
    if not is_tensor:
        rows, attribute = as_arrays(z, s, labels, positive_label)
        _warn_of_units(attribute, settings.gamma)
        return _value(rows, attribute, settings)
    rows, attribute, marks = as_tensors(z, s, labels)
    stacked = rows.ndim == 3
    if not stacked:
        rows, attribute = rows.unsqueeze(0), attribute.unsqueeze(0)
        marks = None if marks is None else marks.unsqueeze(0)
    if marks is None:
        values = stacked_eipm(rows, attribute, settings)
    else:
        # The number of positive rows differs, so the members of a stack go one by one.
        keep = marks == positive_label
        values = torch.cat(
            [
                stacked_eipm(rows[b : b + 1, k], attribute[b : b + 1, k], settings)
                for b, k in enumerate(keep)
            ]
        )
    return values if stacked else values[0]


def _value(z: Tensor, s: Tensor, settings: EipmSettings) -> float:
    z = in_units(z, settings.units)
    if settings.linear(z.shape[1]):  # random features err by far more than float32 does
        z = (z - z.mean(1, keepdim=True)).float()
    found = evaluate(z, s, settings, gradient=False)
    warn_of_dropped(found)
    return float(found.eipm[0])


def warn_of_dropped(found: Evaluation) -> None:
    """Says how many anchors a compact kernel left without neighbours, if any."""
    dropped = int((found.share == 0).sum())
    if dropped:
        warnings.warn(
            f"{dropped} of {found.share.numel()} rows have no other row within the bandwidth "
            "of S and were left out; use a larger gamma or the 'rbf' kernel to keep them.",
            DroppedAnchorsWarning,
            stacklevel=4,
        )


def joint_eipm(sample: JointSample) -> Tensor:
    """Differentiable EIPM ``(B,)`` of several attributes that all members of a stack share."""
    if len(sample) < 3:
        return sample.rows.sum((1, 2)) * 0.0
    plan = sample.plan()
    rows = plan.sorted(sample.rows)
    return stacked_eipm(rows, rows[..., 0].detach(), sample.settings, plan.weights)


def _warn_of_units(s: Tensor, gamma: float) -> None:
    """With raw ages and γ = 0.05 only people of the same age are compared: mere noise."""
    low, high = (float(s.min()), float(s.max())) if s.numel() else (0.0, 1.0)
    outside = low < -_ROUNDING or high > 1 + _ROUNDING
    if outside and gamma < _NARROW * (high - low):
        warnings.warn(
            f"Sensitive values run from {low:g} to {high:g}, and gamma={gamma:g} is in their "
            "units: only equal values are compared, which is mere noise. Scale "
            "them to [0, 1], as frem_core.audit does: (s - s.min()) / (s.max() - s.min()).",
            UnscaledSensitiveWarning,
            stacklevel=3,
        )
