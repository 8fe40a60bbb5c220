"""Keeps freed memory at hand."""

from functools import cache

import torch


@cache
def keep_freed_memory() -> None:
    """Lets the C library keep blocks of megabytes that were freed, instead of returning them.

    Each evaluation needs a few matrices of some megabytes. By default glibc hands such blocks back
    to the system and gets them again page by page, which took longer than all arithmetic on them
    (21 against 8 ms at n = 1024). It raises its limit to the size of the largest block that was
    ever freed, at most 32 MB: freeing one untouched block of that size is enough, and costs
    nothing.
    """
    largest = 2**25 - 2**13  # just below the limit, with room for the block's own header
    torch.empty(largest, dtype=torch.uint8)
