"""Rows on which a limit is checked while a model trains, although the model learns from all rows.

Beside the model itself some *shadows* of it are trained: the same training, each without another
part of the rows. What a shadow does on the rows it has not seen is what the model would do on new
rows, as far as both are alike. Where they are not, a comparison on rows that both learned from
tells: two trainings with the same fairness weight can end far apart. The weight that they share is
moved until the sum of both keeps the limit.
"""

from dataclasses import dataclass, replace
from math import ceil

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from frem_core.attributes import Attributes
from frem_core.errors import DataError
from frem_core.limits.limit import Limit
from frem_core.limits.measure import Measure
from frem_core.metrics import noise_floor
from frem_core.training import TrainedModel, TrainingStack
from frem_core.types import Floats

PARTS = 5
"""The rows are cut into so many parts; a shadow does without one of them."""

_ENOUGH_ROWS = 8_000  # of all shadows together: ΔHGR is then known to about 0.01
_MOST_ROWS_OF_SLOW_SCORES = 1_500
_FEWEST_ROWS = 10  # per part; fewer say nothing about dependence
_ARRANGEMENTS = 40


def shadows_needed(rows: int) -> int:
    """How many shadows are trained beside a model of so many rows."""
    return min(PARTS, max(1, ceil(_ENOUGH_ROWS / max(rows // PARTS, 1))))


@dataclass(frozen=True, eq=False)
class Shadows:
    """Who is trained in a stack: G models, then G shadows without the first part, and so on.

    Attributes:
        shown: the rows that the model (first) and each of its shadows learn from.
        held_out: (shadows, n) the rows that each shadow does not see.
        compared: (shadows, n) rows that it and the model both learn from.
        attributes: of all rows, where there are several sensitive ones.
    """

    shown: tuple[Tensor, ...]
    held_out: Tensor
    compared: Tensor
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
        parts = order[: PARTS * size].view(PARTS, size)
        held_out = parts[:count]
        shown = [torch.arange(rows)]
        for part in held_out:
            seen = torch.ones(rows, dtype=torch.bool)
            seen[part] = False
            shown.append(seen.nonzero().flatten())
        return cls(
            shown=tuple(shown),
            held_out=held_out,
            compared=parts.roll(-1, dims=0)[:count],
            attributes=attributes,
        )

    def __len__(self) -> int:
        return len(self.held_out)

    def predictions(self, stack: TrainingStack, models: int) -> "HeldOut":
        """What the shadows of ``models`` models say about the rows they have not seen."""
        compared = self.compared.numpy()
        own = [TrainedModel.of_member(stack, number) for number in range(models)]
        z = [[one.transform(stack.part.x[rows]) for one in own] for rows in compared]
        p = [
            [
                one.predict_from_representation(of_rows)
                for one, of_rows in zip(own, part, strict=True)
            ]
            for part in z
        ]
        return replace(
            self._said(stack, models, self.held_out),
            of_model=self._with_truth(stack, np.array(z), np.array(p), compared),
            of_shadows=self._said(stack, models, self.compared),
        )

    @torch.no_grad()
    def _said(self, stack: TrainingStack, models: int, about: Tensor) -> "HeldOut":
        """What every shadow says about rows of its own (shadows, n)."""
        unused = about[:1]  # for the models themselves
        rows = torch.cat([unused, about]).repeat_interleave(models, dim=0)  # (B, n)
        z = stack.encode(rows)
        _, p = stack.predict(z)
        shape = (len(self) + 1, models, rows.shape[1])
        z, p = z.view(*shape, -1)[1:], p.view(*shape, *p.shape[2:])[1:]
        return self._with_truth(stack, z.numpy(), p.double().numpy(), about.numpy())

    def _with_truth(
        self, stack: TrainingStack, z: NDArray[np.float32], p: Floats, rows: NDArray[np.int64]
    ) -> "HeldOut":
        # Scores look at S by its value, whatever the method compares; as precisely as it does.
        s = stack.part.s.astype(np.float32)[rows].astype(np.float64)
        y = stack.data.y[torch.from_numpy(rows)].double().numpy()
        several = self.attributes
        attributes = None if several is None else tuple(map(several.of, rows))
        return HeldOut(z=z, p=p, y=y, s=s, attributes=attributes)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Predictions of shadows on the rows they have not seen.

    Attributes:
        z: (shadows, models, n, m).
        p: (shadows, models, n) or, with more than two classes, (shadows, models, n, classes).
        y: (shadows, n) targets, or the numbers of more than two classes.
        s: (shadows, n).
        attributes: of the rows of each shadow, where there are several sensitive ones.
        of_model: what the models themselves say about rows that they and the shadow learned from.
        of_shadows: what the shadows say about these.
    """

    z: NDArray[np.float32]
    p: Floats
    y: Floats
    s: Floats
    attributes: tuple[Attributes, ...] | None = None
    of_model: "HeldOut | None" = None
    of_shadows: "HeldOut | None" = None

    def of(self, model: int) -> "HeldOut":
        """Those of one model."""
        only = slice(model, model + 1)
        return replace(
            self,
            z=self.z[:, only],
            p=self.p[:, only],
            of_model=None if self.of_model is None else self.of_model.of(model),
            of_shadows=None if self.of_shadows is None else self.of_shadows.of(model),
        )

    def score(self, limit: Limit, model: int) -> float:
        """What one model would have on new rows, for a single limit.

        The mean over its shadows, and by how much the model is above them on rows that both know.
        """
        parts = range(len(self.y))
        mean = float(np.mean([self.score_of_part(limit, model, part) for part in parts]))
        if self.of_model is None or self.of_shadows is None:
            return mean
        apart = self.of_model.score(limit, model) - self.of_shadows.score(limit, model)
        return max(mean + apart, 0.0)

    def chance(self, limit: Limit, model: int) -> float:
        """What the mean over shadows stays below in 95 % of arrangements of S by chance."""
        floors = []
        for part in range(len(self.y)):
            measure, given, column = self._measured(limit, model, part)
            floors.append(
                noise_floor(
                    measure.function,
                    *given,
                    sensitive_features=column,
                    n_permutations=_ARRANGEMENTS,
                    random_state=part,
                    **measure.options,
                )
            )
        mean, upper = (np.array([getattr(one, of) for one in floors]) for of in ("mean", "upper"))
        return float(mean.mean() + np.sqrt(np.sum((upper - mean) ** 2)) / len(floors))

    def standard_error(self, limit: Limit) -> float:
        """Of the score of the first model: each shadow's rows are drawn anew.

        By how much the model differs from its shadows is told on the same rows, nearly exactly.
        """
        random, slow = np.random.default_rng(0), limit.metric.slow_on_many_rows
        variances = []
        for part, s in enumerate(self.s):
            size = min(len(s), _MOST_ROWS_OF_SLOW_SCORES) if slow else len(s)
            drawn = [random.integers(len(s), size=size) for _ in range(60 if slow else 100)]
            scores = [self.score_of_part(limit, 0, part, rows) for rows in drawn]
            variances.append(np.var(scores, ddof=1) * size / len(s))
        return float(np.sqrt(np.sum(variances)) / len(variances))

    def score_of_part(
        self, limit: Limit, model: int, part: int, rows: slice | NDArray[np.intp] = slice(None)
    ) -> float:
        """The score of one shadow, on all or some of its rows."""
        measure, given, column = self._measured(limit, model, part, rows)
        return measure.function(*given, sensitive_features=column, **measure.options)

    def _measured(
        self, limit: Limit, model: int, part: int, rows: slice | NDArray[np.intp] = slice(None)
    ) -> tuple[Measure, tuple[ArrayLike, ...], Floats]:
        """How the score is measured, and what of: the arrays it takes and the sensitive values."""
        if limit.metric.slow_on_many_rows and isinstance(rows, slice):
            rows = slice(_MOST_ROWS_OF_SLOW_SCORES)
        attributes = None if self.attributes is None else self.attributes[part]
        p = self.p[part, model, rows]
        measure = Measure.of(limit, attributes, p)
        given = measure.arrays(self.y[part, rows], p, self.z[part, model, rows])
        return measure, given, measure.column(self.s[part], attributes)[rows]
