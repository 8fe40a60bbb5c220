"""The EIPM estimator: how much the distribution of Z depends on S."""

import warnings
from typing import Any, overload

import torch
from numpy.typing import ArrayLike
from torch import Tensor
from torch.autograd.function import once_differentiable

from frem_core.eipm.evaluation import Evaluation, evaluate
from frem_core.eipm.inputs import as_arrays, as_tensors
from frem_core.eipm.plan import Plans
from frem_core.eipm.settings import (
    ARRAY_FEATURES,
    TENSOR_FEATURES,
    EipmSettings,
    check_settings,
)
from frem_core.eipm.units import in_units
from frem_core.eipm.weights import GroupedWeights


class DroppedAnchorsWarning(UserWarning):
    """Some rows had no neighbour within the bandwidth of a compact kernel and were left out."""


@overload
def eipm(
    z: Tensor,
    s: ArrayLike | Tensor,
    *,
    gamma: float,
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
) -> Tensor: ...
@overload
def eipm(
    z: ArrayLike,
    s: ArrayLike,
    *,
    gamma: float,
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
) -> float: ...
def eipm(
    z: ArrayLike | Tensor,
    s: ArrayLike | Tensor,
    *,
    gamma: float,
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
        gamma: bandwidth γ of the kernel on S, in units of S.
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

    Returns:
        A float for arrays, computed in float64. For tensors a differentiable scalar, or ``(B,)``
        for a stack, in the dtype of ``z``. With fewer than 3 rows EIPM is 0.

    Raises:
        DataError: shapes do not fit, or values are missing.
        ConfigError: a setting is not allowed.

    Warns:
        DroppedAnchorsWarning: for arrays, when a compact kernel leaves anchors without neighbours.

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
    settings = check_settings(
        gamma=gamma,
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
    if not is_tensor:
        return _value(*as_arrays(z, s, labels, positive_label), settings)
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


class _EipmFunction(torch.autograd.Function):
    """Computes the gradient together with the value, while the kernel matrix is at hand."""

    @staticmethod
    def forward(
        ctx: Any,
        z: Tensor,
        s: Tensor,
        settings: EipmSettings,
        gradient: bool,
        planned: GroupedWeights | Plans | None,
    ) -> Tensor:
        # No graph is built in here; not preparing for one either saves time in small steps.
        with torch.inference_mode():
            found = evaluate(z, s, settings, gradient=gradient, planned=planned)
            value = found.eipm
        ctx.gradient = found.gradient  # made here and seen by nobody else
        return value.to(z.dtype, copy=True)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor, None, None, None, None]:
        return ctx.gradient * outer.view(-1, 1, 1), None, None, None, None


def stacked_eipm(
    z: Tensor,
    s: Tensor,
    settings: EipmSettings,
    planned: GroupedWeights | Plans | None = None,
) -> Tensor:
    """Differentiable EIPM ``(B,)`` of a stack that is known to be sound, as in a training step.

    Args:
        z: ``(B, n, m)``, finite.
        s: ``(B, n)``, finite.
        settings: what to estimate.
        planned: weights on S, where they are known already, as from `BatchPlanner`; or plans that
            several representations with the same S share.
    """
    z = in_units(z, settings.units)
    gradient = torch.is_grad_enabled() and z.requires_grad
    values: Tensor = _EipmFunction.apply(  # type: ignore[no-untyped-call]
        z, s, settings, gradient, planned
    )
    return values
