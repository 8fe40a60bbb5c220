"""A device without double precision, played on the CPU: Apple's "mps" behaves like this.

Tensors that were moved there refuse to become float64, and so does everything computed from them,
until ``cpu()`` brings them back.
"""

from typing import Any

import torch
from torch.overrides import TorchFunctionMode

DEVICE = torch.device("mps")


class Elsewhere(torch.Tensor):
    """A tensor on that device."""

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        return DEVICE

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None) -> Any:
        if function is torch.Tensor.cpu:
            return args[0].as_subclass(torch.Tensor)
        if function is torch.Tensor.to and DEVICE in args[1:]:
            return args[0]
        found = super().__torch_function__(function, types, args, kwargs or {})
        if isinstance(found, cls) and found.as_subclass(torch.Tensor).dtype == torch.float64:
            raise TypeError("Cannot convert a MPS Tensor to float64 dtype")
        return found


class MovesThere(TorchFunctionMode):
    """While it is entered, ``tensor.to(DEVICE)`` gives a tensor of that device.

    Attributes:
        moved: how many were, parameters of networks aside: these stay what they are.
    """

    moved = 0

    def __torch_function__(self, function, types, args=(), kwargs=None) -> Any:
        kwargs = kwargs or {}
        if function is not torch.Tensor.to or DEVICE not in args[1:]:
            return function(*args, **kwargs)
        if isinstance(args[0], torch.nn.Parameter):
            assert args[0].dtype != torch.float64
            return args[0]
        self.moved += 1
        return args[0].as_subclass(Elsewhere)
