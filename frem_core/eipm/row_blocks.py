"""Cuts rows into blocks."""

from itertools import pairwise
from math import ceil


def row_blocks(n: int, largest: int) -> list[slice]:
    """Cuts n rows into as few blocks of at most ``largest`` rows as possible, evenly.

    >>> row_blocks(5, 3)
    [slice(0, 2, None), slice(2, 5, None)]
    """
    parts = ceil(n / max(1, largest))
    edges = [n * part // parts for part in range(parts + 1)]
    return [slice(start, stop) for start, stop in pairwise(edges)]
