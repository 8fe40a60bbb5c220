"""The training rows as tensors, moved once."""

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from frem_core.datasets import Part
from frem_core.errors import DataError
from frem_core.methods.grouping import group_of
from frem_core.methods.method import FEWEST_ROWS, Method
from frem_core.networks import Inputs
from frem_core.types import Task


@dataclass(frozen=True)
class Tensors:
    """What the loop indexes into.

    Attributes:
        inputs: what the encoder reads of the n training rows.
        y: (n,) float32 targets.
        s: (n,) float32 sensitive values in [0, 1], as the method compares them.
        group: (n,) groups after the method's cuts, or None.
        judged: (n,) true where fairness is asked for, or None for every row.
        places: (n, d) float64 all sensitive attributes where there are several, numbers as ``s``
            is; or None.
        levels: how many levels each of these has; 0 for a number.
        weight: (n,) how much each row counts in the prediction loss, or None.
    """

    inputs: Inputs
    y: Tensor
    s: Tensor
    group: Tensor | None
    judged: Tensor | None
    places: Tensor | None = None
    levels: tuple[int, ...] = ()
    weight: Tensor | None = None

    @classmethod
    def of(
        cls, part: Part, method: Method, inputs: Inputs, trained: Part | None = None
    ) -> "Tensors":
        """Copies a part of a split, so that the caller's arrays are never touched.

        ``trained`` are the training rows, where ``part`` is not these itself.
        """
        part = as_compared(part, method, part if trained is None else trained)
        y, s = (torch.tensor(column, dtype=torch.float32) for column in (part.y, part.s))
        cuts = method.cuts(s)
        several = part.attributes
        return cls(
            inputs=inputs,
            y=y,
            s=s,
            group=None if cuts is None else group_of(s, cuts),
            judged=y == 1 if method.fairness == "eo" else None,
            places=None if several is None else torch.tensor(several.values),
            levels=() if several is None else tuple(len(one or ()) for one in several.levels),
            weight=None if part.weight is None else torch.tensor(part.weight, dtype=torch.float32),
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
        several = () if self.places is None else (self.places,)
        weight = () if self.weight is None else (self.weight,)
        columns = (inputs.features, self.y, self.s, *places, *adjacency, *several, *weight)
        for column in columns:
            digest.update(str(tuple(column.shape)).encode())
            digest.update(memoryview(column.contiguous().numpy()).cast("B"))
        return digest.hexdigest()


def as_compared(part: Part, method: Method, trained: Part) -> Part:
    """The rows with their sensitive numbers as the method compares them after such a training.

    For equal opportunity it compares among the judged training rows; a place among the others
    would again crowd those that are judged where the target follows S.
    """
    judged = trained.y == 1 if method.fairness == "eo" else slice(None)
    several = part.attributes
    if several is not None:
        assert trained.attributes is not None
        values, among = several.values.copy(), trained.attributes.values[judged]
        for place in several.numbers:
            values[:, place] = method.compared(values[:, place], among[:, place])
        several = replace(several, values=values)
    return replace(part, s=method.compared(part.s, trained.s[judged]), attributes=several)


def check_part(part: Part, task: Task, name: str, classes: int = 2) -> None:
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
        known = "0 and 1" if classes == 2 else f"the whole numbers below {classes}"
        _check_range(part.y, f"{name} targets", known, np.isin(part.y, range(classes)))
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
