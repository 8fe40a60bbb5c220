"""The optimiser of a stack."""

from collections.abc import Iterable

import torch
from torch import nn

_WHOLE = 64  # numbers; a multiple of what any processor's vector unit takes at once


class Adam(torch.optim.Adam):
    """Adam whose weight decay is part of the gradient (coupled), unlike AdamW's.

    All parameters (of a device) become views of one long vector, each with room to the next
    multiple of 64: one call moves them all, and no number is left over at the end of one, where it
    would be rounded differently (see `frem_core.reproducible`). Parameters can belong to one such
    optimiser at a time; the last that was made moves them.

    Args:
        parameters: to move.
        rate: of learning.
        decay: of weights.
    """

    def __init__(self, parameters: Iterable[nn.Parameter], rate: float, decay: float) -> None:
        self.moved = list(parameters)
        homes: dict[torch.device, list[nn.Parameter]] = {}
        for one in self.moved:
            homes.setdefault(one.device, []).append(one)
        self._vectors = [_joined(alike) for alike in homes.values()]
        super().__init__(self._vectors, lr=rate, weight_decay=decay, fused=True)

    def zero_grad(self, set_to_none: bool = False) -> None:
        """The gradients stay where they are: the parameters' are views of the long one's."""
        for vector in self._vectors:
            assert vector.grad is not None
            vector.grad.zero_()


def _joined(parameters: list[nn.Parameter]) -> nn.Parameter:
    """One long vector whose parts the parameters become, and their gradients those of its own."""
    rooms = [-(-one.numel() // _WHOLE) * _WHOLE for one in parameters]
    together = nn.Parameter(parameters[0].new_zeros(sum(rooms)))
    together.grad = torch.zeros_like(together)
    start = 0
    for one, room in zip(parameters, rooms, strict=True):
        here = slice(start, start + one.numel())
        one.data = together.data[here].view_as(one).copy_(one.data)
        one.grad = together.grad[here].view_as(one)
        start += room
    return together
