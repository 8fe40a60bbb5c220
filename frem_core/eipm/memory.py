"""Keeps freed memory at hand."""

import ctypes
import sys
from functools import cache

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of mallopt, from <malloc.h>
_LARGEST_BLOCK = 2**25  # the most that glibc accepts
_KEPT = 2**27


@cache
def keep_freed_memory() -> None:
    """Lets the C library keep blocks of megabytes that were freed, instead of returning them.

    Each evaluation needs a few matrices of some megabytes. By default glibc hands such blocks back
    to the system and gets them again page by page, which took longer than all arithmetic on them
    (21 against 8 ms at n = 1024). Said outright, because Dask starts its workers with a setting
    that also ends glibc's own adaptation. Other C libraries are left as they are.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGEST_BLOCK)
        mallopt(_M_TRIM_THRESHOLD, _KEPT)
