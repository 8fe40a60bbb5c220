"""How many trainings run side by side."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import TypeVar

from frem_core.datasets import Part
from frem_core.datasets.graphs import NodeFeatures
from frem_core.networks import ENCODERS
from frem_core.training.config import TrainingConfig

ROWS_PER_STEP = 10_000
"""Rows of all members together in one step.

Fewer waste time on the overhead of small operations, more leave the cache. A training in such a
stack takes about a quarter of its time alone on Crime (batch 200) and three quarters on Adult
(batch 1024); ``python -m benchmarks.training`` measures it.
"""


def step_rows(config: TrainingConfig, rows: int, nodes: int | None) -> int:
    """Returns how many rows one member computes in one step.

    Args:
        config: the training.
        rows: number of training rows.
        nodes: number of nodes of the graph, or None for a table. A network that walks the graph
            computes all of them in every step, so its members run side by side on small graphs
            only, and in stacks of one on large ones.
    """
    if nodes is not None and ENCODERS.get(config.encoder).walks_graph(config.hidden):
        return nodes
    return min(config.batch_size, rows)


def nodes_of(part: Part) -> int | None:
    """Returns how many nodes the graph of some rows has; None for a table."""
    return len(part.x.whole.nodes) if isinstance(part.x, NodeFeatures) else None


T = TypeVar("T")


def stacks(members: Sequence[T], batch_rows: int, size: int | None) -> list[Sequence[T]]:
    """Cuts members into stacks of about equal size, as few as possible.

    Args:
        members: the trainings.
        batch_rows: rows of one member in one step.
        size: most members in a stack; None chooses it by ``ROWS_PER_STEP``.
    """
    most = size or max(1, ROWS_PER_STEP // batch_rows)
    parts = max(1, ceil(len(members) / most))
    edges = [len(members) * part // parts for part in range(parts + 1)]
    return [members[start:stop] for start, stop in pairwise(edges)]
