"""Limits torch to a number of threads for a while."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def torch_threads(count: int = 1) -> Iterator[None]:
    """Runs the block with ``count`` torch threads, then restores the number before.

    Trainings here are small: with several workers on one machine a second thread each makes all
    of them slower, and sums in a different order. One thread also makes results independent of
    how many cores a machine has.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
