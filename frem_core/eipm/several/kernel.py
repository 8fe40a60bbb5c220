"""The kernel on several sensitive attributes."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from frem_core.attributes import Attributes, read_attributes
from frem_core.errors import ConfigError
from frem_core.kernels import Kernel

NONE: Final = float("-inf")


@dataclass(frozen=True)
class JointKernel:
    """``K = Π_d K_γd(s_d, s'_d) · Π_c 1[s_c = s'_c]`` over numbers d and categories c.

    Attributes:
        kernel: on each number.
        gammas: bandwidth γ of each attribute; None for a category.
    """

    kernel: Kernel
    gammas: tuple[float | None, ...]

    @classmethod
    def of(cls, attributes: Attributes, kernel: Kernel, gamma: Any) -> "JointKernel":
        """Takes one bandwidth for all numbers, or one for each of them or for each attribute."""
        numbers = attributes.numbers
        every, count = len(attributes.names), len(numbers)
        if gamma is None and not count:
            given: list[Any] = [None] * every
        elif gamma is None or isinstance(gamma, str):
            raise ConfigError(
                f"gamma (the bandwidth on S) is {gamma!r}; give a positive number, or one for "
                "each attribute that is a number."
            )
        elif np.ndim(gamma) == 0:
            given = [gamma] * every
        else:
            several: list[Any] = list(np.asarray(gamma, dtype=object).ravel())
            if len(several) not in (count, every):
                raise ConfigError(
                    f"gamma has {len(several)} bandwidths; give one for all, or {count}: one for "
                    "each attribute that is a number."
                )
            given = [None] * every
            for place, value in zip(
                numbers if len(several) == count else range(every), several, strict=True
            ):
                given[place] = value
        gammas = [_bandwidth(given[place]) if place in numbers else None for place in range(every)]
        return cls(kernel, tuple(gammas))

    @property
    def leaves_out(self) -> bool:
        """Whether an anchor's own row is left out: not where there are categories only."""
        return any(gamma is not None for gamma in self.gammas)

    @property
    def is_smooth(self) -> bool:
        """Whether K is positive definite and smooth, so that few factors give it."""
        return self.kernel.interpolation_rank(1.0, 0.5) is not None

    def log(self, left: Tensor, right: Tensor) -> Tensor:
        """``log K`` between places ``(a, d)`` and ``(b, d)``: ``(a, b)``."""
        total = left.new_zeros(len(left), len(right))
        for place, gamma in enumerate(self.gammas):
            gaps = left[:, place].unsqueeze(1) - right[:, place]
            if gamma is None:
                total.masked_fill_(gaps != 0, NONE)
            else:
                total += self.kernel.log_sensitive(gaps.div_(gamma))
        return total


def one_or_several(given: Any, z: Any) -> tuple[Any, Attributes | None]:
    """S where it is one number a row, and the attributes where there are several or categories.

    Args:
        given: S as handed over.
        z: the representation, of which S has a value for each row; S of a stack is one number.
    """
    if np.ndim(z) == 3:
        return given, None
    is_array = isinstance(given, Tensor | np.ndarray)
    if is_array and (given.ndim < 2 or given.shape[1] == 1) and not _is_text(given):
        return given, None
    attributes = read_attributes(given, len(z))
    if attributes.levels == (None,):
        return torch.from_numpy(attributes.values[:, 0].copy()), None
    return given, attributes


def _is_text(array: Tensor | np.ndarray[Any, Any]) -> bool:
    return isinstance(array, np.ndarray) and array.dtype.kind not in "iuf"


def _bandwidth(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not 0 < number < float("inf"):
        raise ConfigError(f"gamma (the bandwidth on S) is {value!r}; give a positive number.")
    return number
