"""Walks the kernel matrix of Z in tiles, so that it never has to exist as a whole."""

from collections.abc import Iterator

import torch
from torch import Tensor

from frem_core.eipm.row_blocks import row_blocks
from frem_core.kernels import Kernel

TILE = 1024
"""Rows and columns of a tile: large enough for fast products, small enough for the cache."""


class KernelTiles:
    """The upper triangle of the symmetric matrix ``κ(z_j, z_k)``, tile by tile.

    A matrix of moderate size is kept after the first walk, so that a second one costs nothing.

    Args:
        z: rows in units of σ, shape ``(B, n, m)``; best centred, because the rounding error of a
            squared distance grows with ``‖z‖²``.
        kernel: on Z.
        keep_bytes: largest matrix to keep.
    """

    def __init__(self, z: Tensor, kernel: Kernel, keep_bytes: int = 2**26) -> None:
        n = z.shape[1]
        self._blocks = row_blocks(n, TILE)
        norms = z.square().sum(-1, keepdim=True)
        ones = torch.ones_like(norms)
        # One product gives ‖z_j‖² - 2 z_j·z_k + ‖z_k‖².
        self._left = torch.cat([z * -2.0, norms, ones], -1)
        self._right = torch.cat([z, ones, norms], -1)
        self._coincident = 8.0 * torch.finfo(z.dtype).eps * float(norms.max())
        self._kernel = kernel
        keeps = len(z) * n * n * z.element_size() <= keep_bytes
        self._kept: dict[tuple[int, int], Tensor] | None = {} if keeps else None

    def __iter__(self) -> Iterator[tuple[slice, slice, Tensor]]:
        for index, rows in enumerate(self._blocks):
            for columns in self._blocks[index:]:
                yield rows, columns, self.tile(rows, columns)

    def tile(self, rows: slice, columns: slice) -> Tensor:
        """One tile ``(B, b, c)``; do not change it."""
        key = rows.start, columns.start
        if self._kept is not None and key in self._kept:
            return self._kept[key]
        distances = self._left[:, rows] @ self._right[:, columns].mT  # (B, b, c)
        distances.clamp_(min=0.0)
        # A rounded self-distance would not be 0.
        torch.diagonal(distances, rows.start - columns.start, dim1=1, dim2=2).zero_()
        if self._kernel.rough_at_zero:
            distances.masked_fill_(distances <= self._coincident, 0.0)
        tile = self._kernel.representation_(distances)
        if self._kept is not None:
            self._kept[key] = tile
        return tile
