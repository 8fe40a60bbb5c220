"""Walks the kernel matrix of Z in tiles, so that it never has to exist as a whole."""

import ctypes
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import ceil

import torch
from torch import Tensor

from frem_core.kernels import Kernel
from frem_core.reproducible import is_narrow, stacked_product

LARGEST_WHOLE = 2048
"""Up to so many rows a tile spans all columns; beyond, only one half of the matrix is walked."""

SQUARE_TILE = 640
"""Rows and columns of a tile when only one half of the matrix is walked."""

# Products of squares whose edges lie elsewhere take 10 to 20 % longer.
_ALIGNED = 64

# From so many rows on, half of the matrix is worth its smaller tiles where order does not matter;
# stacks have fewer rows, so that a member is walked alike in any company.
_HALF_FROM = 768
_HALF_ROWS = 256

_TILE_ENTRIES = 2**20

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of mallopt, from <malloc.h>
_LARGEST_BLOCK = 2**25  # the most that glibc accepts
_KEPT = 2**27


class KernelTiles:
    """The symmetric matrix ``κ(z_j, z_k)``, tile by tile.

    With few rows, or a stack, tiles span all columns. With many rows only tiles on and above the
    diagonal are visited, and each one above it also stands for its mirror image. Then a tile is a
    square, for sums over neighbours, or with ``halves`` all that is left of its rows.

    Args:
        z: rows in units of σ, shape ``(B, n, m)``; best centred, because the rounding error of a
            squared distance grows with ``‖z‖²``.
        kernel: on Z.
        keep_bytes: a matrix of at most this size is kept, so that a second walk costs nothing.
        halves: whether tiles may have any shape.
    """

    def __init__(
        self, z: Tensor, kernel: Kernel, keep_bytes: int = 2**26, *, halves: bool = False
    ) -> None:
        stack, n, m = z.shape
        self._all = slice(0, n)
        self._kernel = kernel
        self._squares = stack == 1 and n > LARGEST_WHOLE
        self._halves = halves and stack == 1 and _HALF_FROM <= n <= LARGEST_WHOLE
        whole_rows = n if stack > 1 else max(64, _TILE_ENTRIES // n)
        if self._squares:
            self._blocks = row_blocks(n, SQUARE_TILE, multiple=_ALIGNED)
        else:
            self._blocks = row_blocks(n, _HALF_ROWS if self._halves else whole_rows)
        self._line = z if m == 1 else None
        if m > 1:
            self._prepare(z)
        keeps = stack * n * n * z.element_size() <= keep_bytes
        self._kept: dict[tuple[int, int], Tensor] | None = {} if keeps else None

    def _prepare(self, z: Tensor) -> None:
        """One product gives z_j·z_k - ‖z_j‖²/2 - ‖z_k‖²/2, which is -d²/2, times the scale."""
        scale = self._kernel.closeness_scale
        halves = z.square().sum(-1, keepdim=True).mul_(-0.5)
        ones = torch.ones_like(halves)
        self._left = torch.cat([z, halves, ones], -1).mul_(scale)
        self._right = torch.cat([z, ones, halves], -1)
        if self._kernel.rough_at_zero:  # distances this small are rounding
            rounding = 8.0 * torch.finfo(z.dtype).eps * scale
            self._coincident = halves.amin(1, keepdim=True).mul_(rounding)  # (B, 1, 1)

    def __iter__(self) -> Iterator[tuple[slice, slice, Tensor]]:
        for index, rows in enumerate(self._blocks):
            for columns in self._columns(index):
                yield rows, columns, self.tile(rows, columns)

    def _columns(self, index: int) -> list[slice]:
        """The columns of the tiles in a block of rows."""
        if self._squares:
            return self._blocks[index:]
        if not self._halves:
            return [self._all]
        rows = self._blocks[index]
        return [rows] if rows.stop == self._all.stop else [rows, slice(rows.stop, self._all.stop)]

    def tile(self, rows: slice, columns: slice) -> Tensor:
        """One tile ``(B, b, c)``; do not change it."""
        key = rows.start, columns.start
        if self._kept is not None and key in self._kept:
            return self._kept[key]
        tile = self._kernel.from_closeness_(self._closeness(rows, columns))
        if self._kept is not None:
            self._kept[key] = tile
        return tile

    def _closeness(self, rows: slice, columns: slice) -> Tensor:
        """``-d²/2`` times the scale."""
        if self._line is not None:  # differences are exact, and need no product
            gap = self._line[:, rows] - self._line[:, columns].mT
            return gap.square_().mul_(-0.5 * self._kernel.closeness_scale)
        left, right = self._left[:, rows], self._right[:, columns].mT
        if is_narrow(left.shape[1], *right.shape[1:]):
            closeness = stacked_product(left, right).contiguous()
        else:
            closeness = torch.bmm(left, right)
        # A rounded self-distance would not be 0.
        torch.diagonal(closeness, rows.start - columns.start, dim1=1, dim2=2).zero_()
        if self._kernel.rough_at_zero:
            closeness.masked_fill_(closeness >= self._coincident, 0.0)
        return closeness


def is_mirrored(rows: slice, columns: slice) -> bool:
    """Whether a tile lies above the diagonal and so also stands for its mirror image."""
    return bool(columns.start >= rows.stop)


def row_blocks(n: int, largest: int, multiple: int = 1) -> list[slice]:
    """Cuts n rows into as few blocks of at most ``largest`` rows as possible, evenly.

    All but the last have a multiple of ``multiple`` rows, which must divide ``largest``.

    >>> row_blocks(5, 3)
    [slice(0, 2, None), slice(2, 5, None)]
    >>> row_blocks(9, 4, multiple=2)
    [slice(0, 4, None), slice(4, 6, None), slice(6, 9, None)]
    """
    parts = ceil(n / max(1, largest))
    edges = [n * part // parts for part in range(parts)]
    return [slice(*edge) for edge in pairwise([*(-(-e // multiple) * multiple for e in edges), n])]


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
