"""A sensitive column as numbers of its distinct values."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class DistinctValues:
    """Sorted once for a dataset, so that no batch of it has to be sorted again.

    Attributes:
        values: ``(U,)`` float64, ascending.
        number: ``(N,)``, which of the values each row has.
    """

    values: Tensor
    number: Tensor

    @classmethod
    def of(cls, s: Tensor) -> "DistinctValues":
        """Numbers the values of a column ``(N,)``.

        >>> DistinctValues.of(torch.tensor([0.5, 0.25, 0.5])).number
        tensor([1, 0, 1])
        """
        values, number = torch.unique(s.double(), return_inverse=True)
        return cls(values, number)
