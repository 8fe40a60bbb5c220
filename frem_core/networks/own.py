"""A user's own network as an encoder, and how it is found again after loading."""

import sys
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn

from frem_core.datasets.graphs import NodeFeatures
from frem_core.errors import ConfigError, DataError
from frem_core.networks.encoder import Encoder
from frem_core.networks.inputs import Inputs

MakeNetwork = Callable[[int], nn.Module]
"""Gets the number of inputs d and returns a network from (n, d) to (n, m)."""

_ROWS_TO_TRY = 4


class OwnEncoder(Encoder):
    """A stack of one around any ``nn.Module`` that maps rows (n, d) to representations (n, m).

    Dropout, normalisation and attention work as in any other training: the network is in training
    mode while it learns and in evaluation mode when it is asked.

    Args:
        make: gets d and returns the network.
        inputs: the number of features d.
        generators: one; its weights are drawn with a seed from it.

    Example:
        >>> def make(inputs):
        ...     return nn.Sequential(nn.Linear(inputs, 8), nn.Dropout(0.1), nn.ReLU())
        >>> own = OwnEncoder(make, 3, generators=[torch.Generator()])
        >>> own(own.read(torch.zeros(5, 3)), torch.tensor([[0, 2]])).shape
        torch.Size([1, 2, 8])
    """

    title: ClassVar[str] = "own network"

    def __init__(
        self, make: MakeNetwork, inputs: int, *, generators: Sequence[torch.Generator]
    ) -> None:
        super().__init__()
        (generator,) = generators
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(torch.randint(2**62, (1,), generator=generator)))
            network = make(inputs)
        if not isinstance(network, nn.Module):
            raise ConfigError(
                f"encoder({inputs}) returned {type(network).__name__}; it must return a "
                "torch.nn.Module that turns (n, inputs) into (n, size of the representation)."
            )
        self.network = network
        self.representation_size = self._try(inputs)

    @torch.no_grad()
    def _try(self, inputs: int) -> int:
        """Returns how many columns a few rows get; a network that cannot read them is refused."""
        rows = torch.zeros(_ROWS_TO_TRY, inputs)
        self.network.eval()
        try:
            z = self.network(rows)
        except (RuntimeError, TypeError, ValueError, IndexError) as error:
            raise ConfigError(
                f"The network of encoder({inputs}) cannot read rows of shape {tuple(rows.shape)}: "
                f"{error}"
            ) from error
        self.network.train()
        if not isinstance(z, Tensor) or z.ndim != 2 or len(z) != _ROWS_TO_TRY:
            found = tuple(z.shape) if isinstance(z, Tensor) else type(z).__name__
            raise ConfigError(
                f"The network of encoder({inputs}) turned rows of shape {tuple(rows.shape)} into "
                f"{found}; it must return one row of numbers for each, (n, m)."
            )
        return int(z.shape[1])

    def read(self, x: ArrayLike | NodeFeatures) -> Inputs:
        """Copies the rows' own features."""
        return Inputs.of_table(x)

    def forward(self, inputs: Inputs, rows: Tensor) -> Tensor:
        """Returns (1, n, m)."""
        z: Tensor = self.network(inputs.gather(rows)[0])
        return z.unsqueeze(0)

    def state_of_member(self, number: int) -> dict[str, Tensor]:
        """The whole network: it is a stack of one."""
        return {name: value.detach().cpu().clone() for name, value in self.state_dict().items()}


def name_of(make: MakeNetwork) -> str:
    """Where a function can be found again, e.g. "my_networks:tabular"."""
    return f"{make.__module__}:{getattr(make, '__qualname__', type(make).__qualname__)}"


def find_again(name: str) -> MakeNetwork:
    """Returns the function of that name from a module that this program has imported already.

    A model folder from elsewhere must not be able to have code imported, so nothing is imported
    here: whoever imported the module meant to run it.

    Raises:
        DataError: there is no such function.
    """
    module, _, path = name.partition(":")
    found: Any = sys.modules.get(module)
    for part in path.split("."):
        found = getattr(found, part, None)
    is_own = getattr(found, "__module__", None) == module and callable(found)
    if not is_own or module.split(".")[0] in sys.stdlib_module_names - {"__main__"}:
        raise DataError(
            f"The model was trained with a network of your own, {name}. Give the function that "
            f"makes it, load(folder, encoder=…), or import {module} before loading."
        )
    make: MakeNetwork = found
    return make
