"""The EIPM estimator: how much the distribution of Z depends on S."""

from typing import Any, overload

import torch
from numpy.typing import ArrayLike
from torch import Tensor
from torch.autograd.function import once_differentiable

from frem_core.eipm.exact import exact_eipm
from frem_core.eipm.grouped import group_weights
from frem_core.eipm.inputs import as_tensors
from frem_core.eipm.settings import Settings


@overload
def eipm(
    z: Tensor,
    s: Tensor,
    *,
    gamma: float,
    sigma: float | str = ...,
    sensitive_kernel: str = ...,
    representation_kernel: str = ...,
    labels: Tensor | None = ...,
    positive_label: Any = ...,
    method: str = ...,
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
) -> float | Tensor:
    """Estimates the expectation of integral probability metrics."""
    settings = Settings.check(
        gamma=gamma,
        sigma=sigma,
        sensitive_kernel=sensitive_kernel,
        representation_kernel=representation_kernel,
        method=method,
    )
    rows, attribute, marks = as_tensors(z, s, labels)
    stacked = rows.ndim == 3
    if not stacked:
        rows, attribute = rows.unsqueeze(0), attribute.unsqueeze(0)
        marks = None if marks is None else marks.unsqueeze(0)
    if marks is None:
        values = _evaluate(rows, attribute, settings)
    else:
        values = torch.cat(
            [
                _evaluate(rows[b : b + 1, keep], attribute[b : b + 1, keep], settings)
                for b, keep in enumerate(marks == positive_label)
            ]
        )
    if not isinstance(z, Tensor):
        return float(values[0])
    return values if stacked else values[0]


class _EipmFunction(torch.autograd.Function):
    """Computes the gradient together with the value, while the kernel matrix is at hand."""

    @staticmethod
    def forward(ctx: Any, z: Tensor, s: Tensor, settings: Settings, gradient: bool) -> Tensor:
        value, slope = _value_and_gradient(z, s, settings, gradient)
        if slope is not None:
            ctx.save_for_backward(slope)
        return value

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor, None, None, None]:
        (slope,) = ctx.saved_tensors
        return slope * outer.view(-1, 1, 1), None, None, None


def _evaluate(z: Tensor, s: Tensor, settings: Settings) -> Tensor:
    gradient = torch.is_grad_enabled() and z.requires_grad
    result: Tensor = _EipmFunction.apply(z, s, settings, gradient)
    return result


def _value_and_gradient(
    z: Tensor, s: Tensor, settings: Settings, gradient: bool
) -> tuple[Tensor, Tensor | None]:
    stack, n, _ = z.shape
    if n < 3:  # two rows have one neighbour each: every weight equals the average weight
        return z.new_zeros(stack), torch.zeros_like(z) if gradient else None
    scale = 1.0 if settings.sigma is None else settings.sigma
    weights = group_weights(s, settings.sensitive_kernel, settings.gamma)
    value, slope = exact_eipm(z / scale, weights, settings.representation_kernel, gradient=gradient)
    return value.to(z.dtype), None if slope is None else slope / scale
