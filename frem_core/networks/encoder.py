"""What the training loop expects of an encoder; each file of this package may add one."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, cast

import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn

from frem_core.datasets.graphs import NodeFeatures
from frem_core.errors import ConfigError
from frem_core.networks.inputs import Inputs
from frem_core.networks.members import member_state
from frem_core.registry import Registry


class Encoder(nn.Module, ABC):
    """Turns the rows of a table (or the nodes of a graph) into representations Z, stacked.

    Every parameter has the members of the stack as its first dimension. The encoder first reads
    its inputs, once, and then encodes the rows that are wanted: a multilayer perceptron gathers
    these rows, a graph network propagates over the whole graph as well.

    Attributes:
        title: what people call it.
        needs_graph: whether it reads edges; others ignore them.
        suggested: settings of `TrainingConfig` that belong to it.
        representation_size: columns of Z.
    """

    title: ClassVar[str]
    needs_graph: ClassVar[bool] = False
    suggested: ClassVar[Mapping[str, Any]] = {}
    representation_size: int

    @classmethod
    def walks_graph(cls, hidden: Sequence[int]) -> bool:
        """Whether each step computes every node of the graph, however few rows are wanted."""
        return False

    @abstractmethod
    def read(self, x: ArrayLike | NodeFeatures) -> Inputs:
        """Moves features to tensors; a graph network refuses a table with a ConfigError."""

    @abstractmethod
    def forward(self, inputs: Inputs, rows: Tensor) -> Tensor:
        """Encodes some rows.

        Args:
            inputs: what `read` returned, the same for every member.
            rows: (B, n) row numbers of what was read, each member its own.

        Returns:
            (B, n, m), the representations.
        """

    def state_of_member(self, number: int) -> dict[str, Tensor]:
        """Returns what one member of the stack has learned, as the state of a stack of one."""
        return member_state(self, number)

    def __call__(self, inputs: Inputs, rows: Tensor) -> Tensor:
        """The same as `forward`, with its type."""
        return cast(Tensor, super().__call__(inputs, rows))


class EncoderBuilder(Protocol):
    """Builds an encoder with one member per generator; a class derived from `Encoder` is one."""

    @property
    def title(self) -> str:
        """See `Encoder.title`."""

    @property
    def needs_graph(self) -> bool:
        """See `Encoder.needs_graph`."""

    @property
    def suggested(self) -> Mapping[str, Any]:
        """See `Encoder.suggested`."""

    def walks_graph(self, hidden: Sequence[int]) -> bool:
        """See `Encoder.walks_graph`."""

    def __call__(
        self,
        inputs: int,
        *,
        hidden: Sequence[int],
        activation: str,
        generators: Sequence[torch.Generator],
    ) -> Encoder:
        """Returns the encoder of a table with ``inputs`` features."""


ENCODERS: Registry[EncoderBuilder] = Registry("encoder", "frem_core.networks", "frem.networks")


def available_encoders() -> tuple[str, ...]:
    """Names of every registered encoder."""
    return tuple(ENCODERS)


def check_reads(encoder: str, *, graph: bool) -> None:
    """Raises a ConfigError when a network needs edges and the data has none."""
    builder = ENCODERS.get(encoder)
    if builder.needs_graph and not graph:
        raise ConfigError(no_graph(builder.title))


def no_graph(title: str) -> str:
    """What to say when a graph network is given a table."""
    others = " or ".join(f"'{name}'" for name in ENCODERS if not ENCODERS.get(name).needs_graph)
    return (
        f"{title} reads the edges of a graph, and this data is a table without any; use the "
        f"encoder {others}, or give an edge list (frem_core.datasets.load_graph)."
    )
