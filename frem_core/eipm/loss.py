"""EIPM as a loss for one's own training loop."""

import warnings
from typing import Any, cast

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn

from frem_core.eipm.estimator import eipm
from frem_core.errors import ConfigError, DataError
from frem_core.kernels import get_kernel
from frem_core.words import per_cent

FEWEST_NEIGHBOURS = 5
"""A row should hear this many others of its batch, or the penalty is mostly chance."""
_BATCHES_TO_CHECK = 10
_DEVICES_WITH_DOUBLES = ("cpu", "cuda")
_WIDEST = 0.5


class BandwidthWarning(UserWarning):
    """The bandwidth γ does not fit the batches it meets."""


class EIPMLoss(nn.Module):
    """How much representations follow a sensitive attribute, differentiable: add λ times it.

    ``loss = task_loss + fairness_weight * fair(z, age)`` with ``fair = EIPMLoss()``. The attribute
    comes in its own units: the range that stands for [0, 1] is learned from the batches seen in
    training mode and kept in the ``state_dict``; in evaluation mode it stays, and values outside
    are clipped. It computes in single precision under mixed precision, and on the CPU for devices
    without double precision.

    Args:
        gamma: γ, bandwidth on the attribute scaled to [0, 1]; a warning says when a batch has too
            few rows within it, or when it spans so much that all rows look alike.
        sigma: σ, scale of the kernel on representations, or "median".
        sensitive_kernel: "rbf", "triangular" or "epanechnikov".
        representation_kernel: the same for representations.
        form: "root", or "square".
        noise: "kept", or "removed" what chance alone gives; goes with the square.
        units: of the representation: "as_is", "scale", "standardised" or "whitened".
        sensitive_range: (smallest, largest) where it is known; None learns it.
        gather: whether the batches of all processes of ``torch.distributed`` are judged together.
            Every process then has the same value, and averaging gradients as
            ``DistributedDataParallel`` does gives the gradient of that value.

    Example:
        >>> z = torch.randn(64, 8, requires_grad=True)
        >>> age = torch.linspace(18, 80, 64)
        >>> fair = EIPMLoss(gamma=0.1)
        >>> fair(z, age).backward()
        >>> fair.sensitive_range
        (18.0, 80.0)
    """

    def __init__(
        self,
        gamma: float = 0.05,
        sigma: float | str = 1.0,
        sensitive_kernel: str = "rbf",
        representation_kernel: str = "rbf",
        form: str = "root",
        noise: str = "kept",
        units: str = "as_is",
        sensitive_range: tuple[float, float] | None = None,
        gather: bool = False,
    ) -> None:
        super().__init__()
        if sensitive_range is not None and not sensitive_range[0] < sensitive_range[1]:
            raise ConfigError(
                f"sensitive_range={sensitive_range} is not allowed; give (smallest, largest)."
            )
        self.gamma = gamma
        self.gather = gather
        self._settings: dict[str, Any] = {
            "gamma": gamma,
            "sigma": sigma,
            "sensitive_kernel": sensitive_kernel,
            "representation_kernel": representation_kernel,
            "form": form,
            "noise": noise,
            "units": units,
        }
        eipm(np.zeros((3, 1)), np.zeros(3), **self._settings)  # wrong settings are refused now
        self._low, self._high = sensitive_range or (float("inf"), float("-inf"))
        self._learns_range = sensitive_range is None
        self._still_to_check = _BATCHES_TO_CHECK

    @property
    def sensitive_range(self) -> tuple[float, float]:
        """(smallest, largest): given, or seen so far."""
        return self._low, self._high

    def forward(self, z: Tensor, s: Tensor, labels: Tensor | None = None) -> Tensor:
        """Returns the EIPM of a batch, a scalar.

        Args:
            z: (n, m) representations, or (n,) predictions.
            s: (n,) the sensitive attribute in its own units.
            labels: (n,) for equal opportunity: only rows with label 1 are judged.
        """
        # First to the CPU: not every device knows double precision.
        s = torch.as_tensor(s).detach().cpu().double().flatten()
        if len(s) != len(z):
            raise DataError(f"z has {len(z)} rows and s {len(s)}; give one value of s for each.")
        if labels is not None:
            judged = torch.as_tensor(labels).flatten() == 1
            z, s = z[judged.to(z.device)], s[judged.cpu()]
        # Half precision would lose what distances differ by; the gradient comes back in z's own.
        with torch.autocast(device_type=z.device.type, enabled=False):
            z = z.float().reshape(len(z), -1)
            if z.device.type not in _DEVICES_WITH_DOUBLES:
                z = z.cpu()
            if self.gather and dist.is_available() and dist.is_initialized():
                z, s = _gathered(z, s)
            scaled = self._scaled(s)
            if self.training and self._still_to_check:
                self._check_bandwidth(scaled)
            value: Tensor = eipm(z, scaled.to(z.device), **self._settings)
            return value

    def __call__(self, z: Tensor, s: Tensor, labels: Tensor | None = None) -> Tensor:
        """The same as `forward`, with its type."""
        return cast(Tensor, super().__call__(z, s, labels))

    def _scaled(self, s: Tensor) -> Tensor:
        if self.training and self._learns_range and len(s):
            self._low = min(self._low, float(s.min()))
            self._high = max(self._high, float(s.max()))
        if self._low > self._high:
            raise DataError(
                "The range of s is not known yet: show EIPMLoss a batch in training mode first, "
                "or give sensitive_range=(smallest, largest)."
            )
        width = self._high - self._low
        return ((s - self._low) / (width or 1.0)).clamp(0.0, 1.0)

    def _check_bandwidth(self, scaled: Tensor) -> None:
        """Warns once, when a batch shows that γ does not fit."""
        self._still_to_check -= 1
        if len(scaled) < FEWEST_NEIGHBOURS:
            return
        kernel = get_kernel(self._settings["sensitive_kernel"])
        weight = kernel.sensitive((scaled[:, None] - scaled) / self.gamma)
        weight.fill_diagonal_(0.0)
        total = weight.sum(dim=1)
        heard = total.square() / weight.square().sum(dim=1).clamp(min=1e-300)
        few = float((heard < FEWEST_NEIGHBOURS).double().mean())
        if self.gamma >= _WIDEST:
            problem, remedy = "spans half of the range or more: rows look alike", "a smaller γ"
        elif few > 0.5:
            problem = (
                f"is too small for batches of {len(scaled)} rows: {per_cent(few)} of them have "
                f"fewer than {FEWEST_NEIGHBOURS} others within it"
            )
            remedy = "a larger γ or larger batches"
        else:
            return
        self._still_to_check = 0
        warnings.warn(
            f"The bandwidth γ = {self.gamma:g} {problem}; use {remedy}.",
            BandwidthWarning,
            stacklevel=4,
        )

    def get_extra_state(self) -> Tensor:
        """The range, for ``state_dict``."""
        return torch.tensor([self._low, self._high], dtype=torch.float64)

    def set_extra_state(self, state: Tensor) -> None:
        """Takes the range from a ``state_dict``."""
        self._low, self._high = state.tolist()

    def extra_repr(self) -> str:
        """The settings, as ``print`` shows them."""
        return ", ".join(f"{name}={value!r}" for name, value in self._settings.items())


def _gathered(z: Tensor, s: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the rows of all processes, with gradient for this process's own.

    Its gradient is multiplied by the number of processes, because averaging over them divides it.
    """
    world, own = dist.get_world_size(), dist.get_rank()
    counts: list[int] = [0] * world
    dist.all_gather_object(counts, len(z))
    longest = max(counts)

    def everybody(rows: Tensor) -> list[Tensor]:
        padded = rows.new_zeros(longest, *rows.shape[1:])
        padded[: len(rows)] = rows
        parts = [torch.empty_like(padded) for _ in range(world)]
        dist.all_gather(parts, padded)
        return [part[:count] for part, count in zip(parts, counts, strict=True)]

    all_z = everybody(z.detach())
    all_s = everybody(s.to(z.device))
    all_z[own] = z * world - z.detach() * (world - 1)
    return torch.cat(all_z), torch.cat(all_s).cpu()
