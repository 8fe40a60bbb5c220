"""What follows a layer."""

from collections.abc import Callable
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from frem_core.errors import ConfigError, did_you_mean
from frem_core.reproducible import elementwise


def selu(x: Tensor) -> Tensor:
    """``1.0507 x`` above 0, ``1.7581 (exp(x) - 1)`` below."""
    return elementwise(functional.selu, x)


def sigmoid(x: Tensor) -> Tensor:
    """``1 / (1 + exp(-x))``."""
    return elementwise(torch.sigmoid, x)


def linear(x: Tensor) -> Tensor:
    """Leaves the layer as it is."""
    return x


ACTIVATIONS: Final[dict[str, Callable[[Tensor], Tensor]]] = {
    "selu": selu,
    "relu": functional.relu,
    "tanh": torch.tanh,
    "linear": linear,
}


def activation_of(name: str) -> Callable[[Tensor], Tensor]:
    """Returns an activation by name; an unknown one is a ConfigError."""
    if name not in ACTIVATIONS:
        raise ConfigError(
            f"There is no activation '{name}'; choose one of {', '.join(ACTIVATIONS)}."
            + did_you_mean(name, ACTIVATIONS)
        )
    return ACTIVATIONS[name]
