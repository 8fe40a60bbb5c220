"""All estimates of a stack of small samples, sharing what they have in common.

A table needs hundreds of thousands of estimates on samples of a few hundred rows. There, calls to
the public estimators would spend their time on repeated kernel matrices and call overhead, so the
samples of one batch are stacked and every kernel matrix is formed once.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from frem_core.eipm.binned import bin_contrasts
from frem_core.eipm.evaluation import signed_root
from frem_core.eipm.nadaraya_watson import (
    importance_gram,
    leave_one_out_weights,
    plug_in_ipm,
    smoothed_gram,
)
from frem_core.errors import ConfigError
from frem_core.kernels import get_kernel, squared_distances
from frem_core.types import Floats

PAPER_ESTIMATORS = ("binning", "nadaraya-watson", "proposed")
"""In the order of the columns of the paper's tables."""
NOISE_FREE = "proposed-noise-free"
"""The proposed estimator less what chance alone gives; the paper does not have it."""
ESTIMATORS = (*PAPER_ESTIMATORS, NOISE_FREE)


@dataclass(frozen=True)
class EstimatorGrid:
    """Which estimators to run, with which settings.

    Args:
        gammas: bandwidths γ on S, for all estimators but binning.
        bins: numbers of quantile bins for the binning estimator.
        estimators: any of ``"binning"``, ``"nadaraya-watson"``, ``"proposed"`` and
            ``"proposed-noise-free"``; those of the paper when not given.
        draws: size R of the importance samples of the Nadaraya–Watson estimator (the paper's is
            1000); 0 solves its integral in closed form, which is exact and much faster.
    """

    gammas: tuple[float, ...] = (0.3, 0.5, 0.7)
    bins: tuple[int, ...] = (2, 3, 4)
    estimators: tuple[str, ...] = PAPER_ESTIMATORS
    draws: int = 0

    def __post_init__(self) -> None:
        unknown = [name for name in self.estimators if name not in ESTIMATORS]
        if unknown or not self.estimators:
            raise ConfigError(f"Estimators are {', '.join(ESTIMATORS)}; got {self.estimators}.")
        if any(not gamma > 0 for gamma in self.gammas):
            raise ConfigError(f"Every gamma must be greater than 0; got {self.gammas}.")
        if any(count < 1 for count in self.bins):
            raise ConfigError(f"Every number of bins must be at least 1; got {self.bins}.")
        if self.draws < 0:
            raise ConfigError(f"draws must be 0 (closed form) or more, not {self.draws}.")

    @property
    def columns(self) -> tuple[tuple[str, float], ...]:
        """(estimator, setting) of each column of ``estimate_stack``."""
        return tuple(
            (name, float(setting))
            for name in ESTIMATORS
            if name in self.estimators
            for setting in (self.bins if name == "binning" else self.gammas)
        )


def estimate_stack(
    z: Floats, s: Floats, grid: EstimatorGrid, rngs: list[np.random.Generator]
) -> Floats:
    """Estimates EIPM on every sample of a stack, with σ = 1 and RBF kernels.

    Args:
        z: representations, shape (B, n, m).
        s: sensitive attributes, shape (B, n).
        grid: estimators and settings.
        rngs: one source of importance samples for each of the B samples.

    Returns:
        Shape (B, len(grid.columns)).
    """
    rows = torch.from_numpy(z - z.mean(axis=1, keepdims=True))
    attribute = torch.from_numpy(s)
    gram = get_kernel("rbf").representation_(squared_distances(rows))  # (B, n, n)
    weights = [leave_one_out_weights(attribute, gamma) for gamma in grid.gammas]
    parts: list[Tensor] = []
    if "binning" in grid.estimators:
        parts += [_binning(gram, s, bins) for bins in grid.bins]
    if "nadaraya-watson" in grid.estimators and grid.draws > 0:
        parts += _sampled_plug_in(rows, weights, grid.draws, rngs)
    contrasts = [_contrasts_(weight) for weight in weights]
    if "nadaraya-watson" in grid.estimators and grid.draws == 0:
        smoothed = smoothed_gram(rows, sigma=1.0, bandwidth_z=1.0)
        parts += [_root_of_quadratic_form(smoothed, contrast).mean(-1) for contrast in contrasts]
    parts += _proposed(gram, contrasts, grid.estimators)
    return np.asarray(torch.stack(parts, dim=-1).numpy())


def _contrasts_(weights: Tensor) -> Tensor:
    """A = W − 1/(n−1) off the diagonal and 0 on it, in place of W; (B, n, n)."""
    weights -= 1.0 / (weights.shape[-1] - 1)
    weights.diagonal(dim1=-2, dim2=-1).zero_()
    return weights


def _proposed(gram: Tensor, contrasts: list[Tensor], estimators: tuple[str, ...]) -> list[Tensor]:
    """The paper's estimator and its noise-free form, each for every γ, as far as asked for."""
    if not {"proposed", NOISE_FREE} & set(estimators):
        return []
    squares = [_quadratic_form(gram, contrast) for contrast in contrasts]  # (B, n) each
    found: list[Tensor] = []
    if "proposed" in estimators:
        found += [square.sqrt().mean(-1) for square in squares]
    if NOISE_FREE in estimators:
        n = gram.shape[-1]
        spread = 1.0 - (gram.sum((-2, -1)) - n) / (n * (n - 1))  # κ(0) - κ̄ of each sample
        for square, contrast in zip(squares, contrasts, strict=True):
            noise = contrast.square().sum((-2, -1)) / n * spread
            found.append(signed_root(square.mean(-1) - noise))
    return found


def _binning(gram: Tensor, s: Floats, bins: int) -> Tensor:
    contrasts, shares = bin_contrasts(s, bins)  # (B, bins, n), (B, bins)
    return (shares * _root_of_quadratic_form(gram, contrasts)).sum(-1)


def _root_of_quadratic_form(gram: Tensor, contrasts: Tensor) -> Tensor:
    return _quadratic_form(gram, contrasts).sqrt_()


def _quadratic_form(gram: Tensor, contrasts: Tensor) -> Tensor:
    """A_i G A_iᵀ for every row i of the contrasts and a symmetric G, without rounding below 0."""
    return (contrasts @ gram).mul_(contrasts).sum(-1).clamp_(min=0.0)


def _sampled_plug_in(
    rows: Tensor, weights: list[Tensor], draws: int, rngs: list[np.random.Generator]
) -> list[Tensor]:
    # Single precision halves the time; its rounding is far below the sampling error.
    gram = torch.stack(
        [
            importance_gram(sample, sigma=1.0, bandwidth_z=1.0, draws=draws, rng=rng)
            for sample, rng in zip(rows.float(), rngs, strict=True)
        ]
    )
    return [plug_in_ipm(gram, weight.float()).mean(-1).double() for weight in weights]
