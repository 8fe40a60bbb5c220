"""Members of a stack that have the same sensitive values."""

from itertools import pairwise

from torch import Tensor


def runs_of_same(s: Tensor) -> list[slice]:
    """Neighbours in a stack ``(B, n)`` with the same S: trainings with one seed see one batch.

    >>> import torch
    >>> runs_of_same(torch.tensor([[0.1, 0.2], [0.1, 0.2], [0.3, 0.2]]))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    if len(s) == 1:
        return [slice(0, 1)]
    changes = (s[1:] != s[:-1]).any(1).nonzero().flatten().tolist()
    edges = [0, *(change + 1 for change in changes), len(s)]
    return [slice(start, stop) for start, stop in pairwise(edges)]
