"""The optimiser of a stack."""

from collections.abc import Iterable, Mapping

import torch
from torch import Tensor, nn

_WHOLE = 64  # numbers; a multiple of what any processor's vector unit takes at once
_BETAS = (0.9, 0.999)
_EPSILON = 1e-8


class Adam:
    """Adam whose weight decay is part of the gradient (coupled), unlike AdamW's.

    All parameters (of a device) become views of one long vector, each with room to the next
    multiple of 64: one call moves them all, and no number is left over at the end of one, where it
    would be rounded differently (see `frem_core.reproducible`). Parameters can belong to one such
    optimiser at a time; the last that was made moves them.

    It calls the kernel of ``torch.optim.Adam(fused=True)`` itself: making any optimiser of torch
    imports its compiler, which takes longer than many a training, and in every process anew.

    Args:
        parameters: to move.
        rate: of learning.
        decay: of weights.
    """

    def __init__(self, parameters: Iterable[nn.Parameter], rate: float, decay: float) -> None:
        self.moved = list(parameters)
        self._rate, self._decay = rate, decay
        homes: dict[torch.device, list[nn.Parameter]] = {}
        for one in self.moved:
            homes.setdefault(one.device, []).append(one)
        self._vectors, self._gradients = zip(*map(_joined, homes.values()), strict=True)
        self._means = [torch.zeros_like(one) for one in self._vectors]
        self._squares = [torch.zeros_like(one) for one in self._vectors]
        self._steps = [torch.zeros((), device=one.device) for one in self._vectors]

    def zero_grad(self) -> None:
        """The gradients stay where they are: the parameters' are views of the long one's."""
        for gradient in self._gradients:
            gradient.zero_()

    @torch.no_grad()
    def step(self) -> None:
        """Moves the parameters by their gradients."""
        for vector, gradient, mean, square, steps in zip(
            self._vectors, self._gradients, self._means, self._squares, self._steps, strict=True
        ):
            steps += 1
            torch._fused_adam_(
                [vector],
                [gradient],
                [mean],
                [square],
                [],
                [steps],
                lr=self._rate,
                beta1=_BETAS[0],
                beta2=_BETAS[1],
                weight_decay=self._decay,
                eps=_EPSILON,
                amsgrad=False,
                maximize=False,
            )

    def state(self) -> dict[str, Tensor]:
        """What it remembers of the gradients so far, by name."""
        kept = {"step": self._steps, "exp_avg": self._means, "exp_avg_sq": self._squares}
        return {
            f"{number}/{name}": value
            for name, values in kept.items()
            for number, value in enumerate(values)
        }

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Goes on from what `state` gave."""
        for name, value in self.state().items():
            value.copy_(state[name])


def _joined(parameters: list[nn.Parameter]) -> tuple[Tensor, Tensor]:
    """One long vector whose parts the parameters become, and one of their gradients."""
    rooms = [-(-one.numel() // _WHOLE) * _WHOLE for one in parameters]
    together = parameters[0].detach().new_zeros(sum(rooms))
    gradient = torch.zeros_like(together)
    start = 0
    for one, room in zip(parameters, rooms, strict=True):
        here = slice(start, start + one.numel())
        one.data = together[here].view_as(one).copy_(one.data)
        one.grad = gradient[here].view_as(one)
        start += room
    return together, gradient
