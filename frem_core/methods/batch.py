"""What a method sees of a mini-batch."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

FEWEST_ROWS = 3
"""Below this no method can say anything about dependence: the batch is skipped."""


@dataclass(frozen=True)
class Batch:
    """One mini-batch of every member of a stack.

    Attributes:
        z: (B, n, m) representations.
        p: (B, n) predictions, a probability or a target scaled to [0, 1].
        y: (B, n) targets.
        s: (B, n) sensitive values in [0, 1].
        group: (B, n) group of each row after the method's cuts, or None without cuts.
        judged: (B, n) true where fairness is asked for, or None for every row. Equal
            opportunity asks for it on the rows with Y = 1 only.
        plan: what the method's `planner` gave for this batch; only the method knows what it is.
    """

    z: Tensor
    p: Tensor
    y: Tensor
    s: Tensor
    group: Tensor | None = None
    judged: Tensor | None = None
    plan: object = None

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
        return penalty(Batch(z, p, y, s))
