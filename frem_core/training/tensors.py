"""The training rows as tensors, moved once."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from frem_core.datasets import Part
from frem_core.errors import DataError
from frem_core.methods.batch import FEWEST_ROWS
from frem_core.methods.grouping import group_of
from frem_core.methods.method import Method
from frem_core.networks import Inputs
from frem_core.types import Task


@dataclass(frozen=True)
class Tensors:
    """What the loop indexes into.

    Attributes:
        inputs: what the encoder reads of the n training rows.
        y: (n,) float32 targets.
        s: (n,) float32 sensitive values in [0, 1].
        group: (n,) groups after the method's cuts, or None.
        judged: (n,) true where fairness is asked for, or None for every row.
    """

    inputs: Inputs
    y: Tensor
    s: Tensor
    group: Tensor | None
    judged: Tensor | None

    @classmethod
    def of(cls, part: Part, method: Method, inputs: Inputs) -> "Tensors":
        """Copies a part of a split, so that the caller's arrays are never touched."""
        y, s = (torch.tensor(column, dtype=torch.float32) for column in (part.y, part.s))
        cuts = method.cuts(s)
        return cls(
            inputs=inputs,
            y=y,
            s=s,
            group=None if cuts is None else group_of(s, cuts),
            judged=y == 1 if method.fairness == "eo" else None,
        )

    def __len__(self) -> int:
        return len(self.y)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything that is read; computed once, because a graph is large."""
        digest = hashlib.sha256()
        inputs = self.inputs
        adjacency = () if inputs.adjacency is None else (inputs.adjacency.col_indices(),)
        places = () if inputs.positions is None else (inputs.positions,)
        for column in (inputs.features, self.y, self.s, *places, *adjacency):
            digest.update(str(tuple(column.shape)).encode())
            digest.update(memoryview(column.contiguous().numpy()).cast("B"))
        return digest.hexdigest()


def check_part(part: Part, task: Task, name: str) -> None:
    """Raises a DataError for arrays that no training can use."""
    if not len(part.x) == len(part.y) == len(part.s):
        raise DataError(
            f"The {name} rows do not match: x has {len(part.x)}, y {len(part.y)}, s {len(part.s)}."
        )
    if len(part.x) < FEWEST_ROWS:
        raise DataError(
            f"There are too few {name} rows ({len(part.x)}); give at least {FEWEST_ROWS}."
        )
    for column in ("x", "y", "s"):
        if not np.isfinite(getattr(part, column)).all():
            raise DataError(
                f"The {name} {column} has missing or infinite values; fill or drop them first."
            )
    _check_range(part.s, f"{name} sensitive values", "[0, 1]", (part.s >= 0) & (part.s <= 1))
    if task == "classification":
        _check_range(part.y, f"{name} targets", "0 and 1", np.isin(part.y, (0, 1)))
    else:
        _check_range(part.y, f"{name} targets", "[0, 1]", (part.y >= 0) & (part.y <= 1))


def _check_range(
    values: NDArray[np.float64], what: str, allowed: str, good: NDArray[np.bool_]
) -> None:
    if not good.all():
        raise DataError(
            f"The {what} must lie in {allowed}, but one is {values[~good][0]:g}; scale or code "
            "them first, as frem_core.datasets.prepare does."
        )
