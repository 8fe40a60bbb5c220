"""Features whose inner products stand for a kernel on Z."""

from functools import lru_cache
from math import ceil
from typing import Protocol

import numpy as np
import torch
from scipy.special import gammaincinv
from torch import Tensor

from frem_core.reproducible import stacked_product


class FeatureMap(Protocol):
    """Features φ of rows of Z with ``κ(z, z') ≈ weight · φ(z)·φ(z')``, and the way back."""

    weight: float
    width: int
    """D, the number of features."""

    def __call__(self, z: Tensor) -> Tensor:
        """Features ``(..., n, D)`` of rows ``(..., n, m)`` in units of σ."""
        ...

    def pull(self, features: Tensor, gradient: Tensor) -> Tensor:
        """Gradient wrt z ``(..., n, m)`` from φ(z) and the gradient wrt φ, both ``(..., n, D)``."""
        ...


class Identity:
    """``φ(z) = z``: only means are compared.

    Args:
        weight: of the inner product.
        width: m, the number of columns of Z.
    """

    def __init__(self, weight: float, width: int) -> None:
        self.weight, self.width = weight, width

    def __call__(self, z: Tensor) -> Tensor:
        """The rows themselves."""
        return z

    def pull(self, features: Tensor, gradient: Tensor) -> Tensor:
        """The gradient itself."""
        del features
        return gradient


class RandomFourierFeatures:
    """``φ(z) = (cos Ωᵀz, sin Ωᵀz)``, so that ``E φ(z)·φ(z') / F = exp(-‖z - z'‖²/2)``.

    Frequencies are drawn orthogonally in blocks of m and with stratified lengths, which spreads
    them more evenly than independent draws and lowers the variance. ``φ(z)·φ(z) = F`` exactly, so
    the diagonal of the kernel matrix, which carries most of a nearly fair EIPM, has no error.

    Args:
        dimensions: m, the number of columns of Z.
        count: F, the number of frequencies; the error falls as ``1/√F``.
        seed: fixes the frequencies.
    """

    def __init__(self, dimensions: int, count: int, seed: int) -> None:
        self._which = dimensions, count, seed
        self.weight, self.width = 1.0 / count, 2 * count

    def __call__(self, z: Tensor) -> Tensor:
        """Cosines, then sines, of the projections."""
        angles = _product(z, self._frequencies(z))  # (..., n, F)
        features = angles.new_empty(*angles.shape[:-1], self.width)
        cosines, sines = features.chunk(2, dim=-1)
        torch.cos(angles, out=cosines)
        torch.sin(angles, out=sines)
        return features

    def pull(self, features: Tensor, gradient: Tensor) -> Tensor:
        """Turns the gradient through cosine and sine, then back along the frequencies."""
        cosines, sines = features.chunk(2, dim=-1)
        along_cosines, along_sines = gradient.chunk(2, dim=-1)
        angular = (along_sines * cosines).addcmul_(along_cosines, sines, value=-1.0)
        return _product(angular, self._frequencies(features).T)

    def _frequencies(self, like: Tensor) -> Tensor:
        return _frequencies_as(*self._which, like.dtype, like.device)


def _product(rows: Tensor, table: Tensor) -> Tensor:
    """``rows @ table`` for ``(n, k)`` or a stack ``(B, n, k)``, the same in any company."""
    stacked = rows if rows.ndim == 3 else rows.unsqueeze(0)
    return stacked_product(stacked, table.unsqueeze(0)).reshape(*rows.shape[:-1], table.shape[1])


@lru_cache(maxsize=256)  # a training takes turns with many sets
def _frequencies_as(
    dimensions: int, count: int, seed: int, dtype: torch.dtype, device: torch.device
) -> Tensor:
    return _orthogonal_frequencies(dimensions, count, seed).to(device, dtype)


def _orthogonal_frequencies(dimensions: int, count: int, seed: int) -> Tensor:
    """Frequencies ``(m, F)``: orthogonal directions with the lengths of Gaussian vectors.

    One length is drawn from each of F equally likely ranges, which spreads them evenly too.
    """
    generator = np.random.default_rng(seed)
    bases = [
        np.linalg.qr(generator.standard_normal((dimensions, dimensions)))[0]
        for _ in range(ceil(count / dimensions))
    ]
    level = (generator.permutation(count) + generator.random(count)) / count
    lengths = np.sqrt(2.0 * gammaincinv(dimensions / 2, level))  # quantiles of a χ distribution
    return torch.from_numpy(np.concatenate(bases, axis=1)[:, :count] * lengths)
