"""What a method sees of a mini-batch."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from frem_core.methods.method import FEWEST_ROWS


@dataclass(frozen=True)
class Batch:
    """One mini-batch of every member of a stack.

    Attributes:
        z: (B, n, m) representations.
        p: (B, n) predictions, a probability or a target scaled to [0, 1].
        y: (B, n) targets.
        s: (B, n) sensitive values in [0, 1], as the method's `compared` gave them.
        group: (B, n) group of each row after the method's cuts, or None without cuts.
        judged: (B, n) true where fairness is asked for, or None for every row. Equal
            opportunity asks for it on the rows with Y = 1 only.
        plan: what the method's `planner` gave for this batch; only the method knows what it is.
        places: (B, n, d) all sensitive attributes where there are several: numbers as ``s`` is, and
            categories by the number of their level; None for one attribute.
        levels: how many levels each of these has; 0 for a number.
        target_spread: (B,) standard deviation of the targets of the whole batch, also of rows that
            are not judged.
    """

    z: Tensor
    p: Tensor
    y: Tensor
    s: Tensor
    group: Tensor | None = None
    judged: Tensor | None = None
    plan: object = None
    places: Tensor | None = None
    levels: tuple[int, ...] = ()
    target_spread: Tensor | None = None

    def spread_of_targets(self) -> Tensor:
        """Returns (B,): what predictions would spread if they were right."""
        if self.target_spread is not None:
            return self.target_spread
        centred = self.y - self.y.mean(dim=1, keepdim=True)
        return centred.square_().mean(dim=1).sqrt_()  # a sixth of the time of `std`

    def mean(self, values: Tensor) -> Tensor:
        """Averages (B, n) values over the judged rows; 0 where there are too few. Returns (B,)."""
        if self.judged is None:
            return values.mean(dim=1)
        count = self.judged.sum(dim=1)
        total = torch.where(self.judged, values, 0.0).sum(dim=1)
        return torch.where(count >= FEWEST_ROWS, total / count.clamp(min=1), 0.0)

    def per_member(self, penalty: Callable[["Batch"], Tensor]) -> Tensor:
        """Applies a penalty that knows nothing of judged rows to the judged rows. Returns (B,).

        Members judge different numbers of rows, so these no longer form one rectangular batch
        and each member is computed by itself.
        """
        if self.judged is None:
            return penalty(self)
        return torch.cat([self._one(member, penalty) for member in range(len(self.z))])

    def _one(self, member: int, penalty: Callable[["Batch"], Tensor]) -> Tensor:
        assert self.judged is not None
        keep = self.judged[member]
        if int(keep.sum()) < FEWEST_ROWS:
            return self.z.new_zeros(1)
        columns = (self.z, self.p, self.y, self.s)
        z, p, y, s = (column[member, keep].unsqueeze(0) for column in columns)
        places = None if self.places is None else self.places[member, keep].unsqueeze(0)
        spread = self.spread_of_targets()[member : member + 1]
        return penalty(Batch(z, p, y, s, places=places, levels=self.levels, target_spread=spread))

    def members(self, run: slice) -> "Batch":
        """The batch of some members that follow each other; every row of theirs is judged."""

        def of(column: Tensor | None) -> Tensor | None:
            return None if column is None else column[run]

        return replace(
            self,
            z=self.z[run],
            p=self.p[run],
            y=self.y[run],
            s=self.s[run],
            group=of(self.group),
            judged=of(self.judged),
            places=of(self.places),
            target_spread=of(self.target_spread),
            plan=None,
        )

    def each_attribute(self) -> list["Batch"]:
        """The batch once for every sensitive attribute, each time with that one as S.

        A category of two levels is a number that is 0 or 1; one of more is such a number for each
        of its levels.
        """
        if self.places is None:
            return [self]
        apart = []
        for place, levels in enumerate(self.levels):
            column = self.places[..., place]
            if levels > 2:
                apart += [(column == level).to(column.dtype) for level in range(levels)]
            else:
                apart.append(column)
        return [replace(self, s=s.to(self.s.dtype), plan=None, places=None) for s in apart]


def sum_over(batch: Batch, penalty: Callable[[Batch], Tensor]) -> Tensor:
    """Adds up a penalty that knows one sensitive attribute over all of them. Returns (B,)."""
    return torch.stack([penalty(one) for one in batch.each_attribute()]).sum(0)
