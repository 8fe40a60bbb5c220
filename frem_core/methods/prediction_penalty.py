"""What methods share that penalise the prediction and leave the representation free."""

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from frem_core.methods.batch import Batch, sum_over
from frem_core.methods.method import Method


@dataclass(frozen=True, kw_only=True)
class PredictionPenalty(Method):
    """Base of methods that minimise L + λ · D(p; S) for some measure D of dependence."""

    supports_equal_opportunity = True
    supports_several = True
    judges_representation = False

    measure: ClassVar["staticmethod[[Tensor, Tensor], Tensor]"]
    """D of predictions (B, n) and sensitive values (B, n), as (B,); a static method."""

    def penalty(self, batch: Batch) -> Tensor:
        """Returns D (B,) of the judged rows."""
        return batch.per_member(lambda rows: sum_over(rows, lambda one: self.measure(one.p, one.s)))
