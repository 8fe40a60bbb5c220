"""Rows on which a limit is checked while a model trains, although the model learns from all rows.

Beside the model itself some *shadows* of it are trained: the same training, each without another
part of the rows. What a shadow does on the rows it has not seen is what the model would do on new
rows, and the fairness weight that they share is moved until their average keeps the limit.
"""

from dataclasses import dataclass, replace
from math import ceil

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from frem_core.attributes import Attributes
from frem_core.errors import DataError
from frem_core.limits.limit import Limit
from frem_core.limits.measure import Measure
from frem_core.training import TrainingStack
from frem_core.types import Floats

PARTS = 5
"""The rows are cut into so many parts; a shadow does without one of them."""

_ENOUGH_ROWS = 2_000  # of all shadows together: ΔHGR is then known to about 0.02
_MOST_ROWS_OF_SLOW_SCORES = 1_500
_FEWEST_ROWS = 10  # per part; fewer say nothing about dependence


def shadows_needed(rows: int) -> int:
    """How many shadows are trained beside a model of so many rows."""
    return min(PARTS, max(1, ceil(_ENOUGH_ROWS / max(rows // PARTS, 1))))


@dataclass(frozen=True, eq=False)
class Shadows:
    """Who is trained in a stack: G models, then G shadows without the first part, and so on.

    Attributes:
        shown: the rows that the model (first) and each of its shadows learn from.
        held_out: (shadows, n) the rows that each shadow does not see.
        attributes: of all rows, where there are several sensitive ones.
    """

    shown: tuple[Tensor, ...]
    held_out: Tensor
    attributes: Attributes | None = None

    @classmethod
    def of(cls, rows: int, seed: int, attributes: Attributes | None = None) -> "Shadows":
        """Cuts ``rows`` at random; large tables need fewer shadows."""
        size = rows // PARTS
        if size < _FEWEST_ROWS:
            raise DataError(
                f"There are too few training rows ({rows}) to check a limit on rows that were "
                f"held out; give at least {PARTS * _FEWEST_ROWS}, or a fairness weight instead."
            )
        order = torch.from_numpy(np.random.default_rng([seed, 3]).permutation(rows))
        count = shadows_needed(rows)
        held_out = order[: count * size].view(count, size)
        shown = [torch.arange(rows)]
        for part in held_out:
            seen = torch.ones(rows, dtype=torch.bool)
            seen[part] = False
            shown.append(seen.nonzero().flatten())
        return cls(shown=tuple(shown), held_out=held_out, attributes=attributes)

    def __len__(self) -> int:
        return len(self.held_out)

    @torch.no_grad()
    def predictions(self, stack: TrainingStack, models: int) -> "HeldOut":
        """What the shadows of ``models`` models say about the rows they have not seen."""
        unused = self.held_out[:1]  # for the models themselves, which have seen every row
        rows = torch.cat([unused, self.held_out]).repeat_interleave(models, dim=0)  # (B, n)
        z = stack.encode(rows)
        _, p = stack.predict(z)
        shape = (len(self) + 1, models, rows.shape[1])
        z, p = z.view(*shape, -1)[1:], p.view(*shape, *p.shape[2:])[1:]
        # Scores look at S by its value, whatever the method compares; as precisely as it does.
        s = stack.part.s.astype(np.float32)[self.held_out.numpy()].astype(np.float64)
        y = stack.data.y[self.held_out].double().numpy()
        several = self.attributes
        attributes = None if several is None else tuple(map(several.of, self.held_out.numpy()))
        return HeldOut(z=z.numpy(), p=p.double().numpy(), y=y, s=s, attributes=attributes)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Predictions of shadows on the rows they have not seen.

    Attributes:
        z: (shadows, models, n, m).
        p: (shadows, models, n) or, with more than two classes, (shadows, models, n, classes).
        y: (shadows, n) targets, or the numbers of more than two classes.
        s: (shadows, n).
        attributes: of the rows of each shadow, where there are several sensitive ones.
    """

    z: NDArray[np.float32]
    p: Floats
    y: Floats
    s: Floats
    attributes: tuple[Attributes, ...] | None = None

    def of(self, model: int) -> "HeldOut":
        """Those of one model."""
        only = slice(model, model + 1)
        return replace(self, z=self.z[:, only], p=self.p[:, only])

    def score(self, limit: Limit, model: int) -> float:
        """The score of one model, for a single limit: the mean over its shadows."""
        parts = range(len(self.y))
        return float(np.mean([self.score_of_part(limit, model, part) for part in parts]))

    def score_of_part(
        self, limit: Limit, model: int, part: int, rows: slice | NDArray[np.intp] = slice(None)
    ) -> float:
        """The score of one shadow, on all or some of its rows."""
        if limit.metric.slow_on_many_rows and isinstance(rows, slice):
            rows = slice(_MOST_ROWS_OF_SLOW_SCORES)
        attributes = None if self.attributes is None else self.attributes[part]
        p = self.p[part, model, rows]
        measure = Measure.of(limit, attributes, p)
        column = measure.column(self.s[part], attributes)[rows]
        return measure(self.y[part, rows], p, self.z[part, model, rows], column)
