"""What the Estimator lab simulates, as it stands in the page's address."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from frem_core.simulation import (
    ESTIMATORS,
    PAPER_ESTIMATORS,
    Cell,
    Design,
    EstimatorGrid,
    GaussianDesign,
    MultivariateDesign,
)

DESIGNS: Final = {"gaussian": "One dimension", "multivariate": "Several dimensions"}
# ρ·√m of the second design; the paper's third is no round number.
TIES: Final = {
    "0": 0.0,
    "0.1": 0.1,
    "0.2": 0.2,
    "1/3": 1 / 3,
    "0.5": 0.5,
    "0.7": 0.7,
    "0.9": 0.9,
}
SAMPLES: Final = (50, 100, 140, 180, 220, 260, 300, 400, 600, 800)
GAMMAS: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, 1.5)
BINS: Final = (2, 3, 4, 5, 6, 8, 10)
REPLICATES: Final = (20, 50, 100, 200, 500, 1000)
DRAWS: Final = (0, 1000)
W1_SQUARED: Final = tuple(round(0.05 * step, 2) for step in range(21))
RHO: Final = tuple(round(0.05 * step, 2) for step in range(20))
DIMENSIONS: Final = tuple(range(1, 21))

T = TypeVar("T", str, int, float)


@dataclass(frozen=True)
class LabSettings:
    """One simulation; every field comes from a fixed list, so that an address is always valid.

    Attributes:
        design: ``"gaussian"`` or ``"multivariate"``.
        w1_squared: share of the tied feature in the first design.
        rho: correlation in the first design.
        dimension: m of the second design.
        tie: ρ·√m of the second design, a key of ``TIES``.
        samples: sample sizes n.
        gammas: bandwidths γ.
        bins: numbers of bins.
        noise_free: whether the proposed estimator is also shown with its noise removed.
        replicates: samples per size.
        draws: importance samples of the Nadaraya–Watson estimator; 0 solves its integral.
        seed: of the simulation.
    """

    design: str = "gaussian"
    w1_squared: float = 0.5
    rho: float = 0.4
    dimension: int = 3
    tie: str = "1/3"
    samples: tuple[int, ...] = (100, 180, 300)
    gammas: tuple[float, ...] = (0.3, 0.5, 0.7)
    bins: tuple[int, ...] = (2, 3, 4)
    noise_free: bool = True
    replicates: int = 200
    draws: int = 0
    seed: int = 0

    @classmethod
    def from_address(cls, address: Mapping[str, Sequence[str]]) -> "LabSettings":
        """Reads an address; what is missing or not on offer takes its default."""
        usual = cls()

        def one(name: str, kind: Callable[[str], T], allowed: Sequence[T], default: T) -> T:
            return next(iter(_known(address.get(name, ()), kind, allowed)), default)

        def several(
            name: str, kind: Callable[[str], T], allowed: Sequence[T], default: tuple[T, ...]
        ) -> tuple[T, ...]:
            return tuple(sorted(set(_known(address.get(name, ()), kind, allowed)))) or default

        return cls(
            design=one("design", str, list(DESIGNS), usual.design),
            w1_squared=one("w1", float, W1_SQUARED, usual.w1_squared),
            rho=one("rho", float, RHO, usual.rho),
            dimension=one("m", int, DIMENSIONS, usual.dimension),
            tie=one("tie", str, list(TIES), usual.tie),
            samples=several("n", int, SAMPLES, usual.samples),
            gammas=several("gamma", float, GAMMAS, usual.gammas),
            bins=several("bins", int, BINS, usual.bins),
            noise_free=bool(one("noise_free", int, (0, 1), int(usual.noise_free))),
            replicates=one("replicates", int, REPLICATES, usual.replicates),
            draws=one("draws", int, DRAWS, usual.draws),
            seed=one("seed", int, range(1000), usual.seed),
        )

    def to_address(self) -> dict[str, str | list[str]]:
        """The parameters of this simulation; those of the other design are left out."""
        address: dict[str, str | list[str]] = {"design": self.design}
        if self.design == "gaussian":
            address |= {"w1": f"{self.w1_squared:g}", "rho": f"{self.rho:g}"}
        else:
            address |= {"m": str(self.dimension), "tie": self.tie}
        return address | {
            "n": [str(n) for n in self.samples],
            "gamma": [f"{gamma:g}" for gamma in self.gammas],
            "bins": [str(count) for count in self.bins],
            "noise_free": str(int(self.noise_free)),
            "replicates": str(self.replicates),
            "draws": str(self.draws),
            "seed": str(self.seed),
        }

    @property
    def distribution(self) -> Design:
        """The design with its parameters filled in."""
        if self.design == "gaussian":
            return GaussianDesign(w1_squared=self.w1_squared, rho=self.rho)
        rho = None if self.tie == "1/3" else TIES[self.tie] / math.sqrt(self.dimension)
        return MultivariateDesign(dimension=self.dimension, rho=rho)

    @property
    def cells(self) -> list[Cell]:
        """The cells to simulate, one per sample size."""
        return [Cell(self.distribution, n) for n in self.samples]

    @property
    def grid(self) -> EstimatorGrid:
        """The estimators and their settings."""
        return EstimatorGrid(
            gammas=self.gammas,
            bins=self.bins,
            estimators=ESTIMATORS if self.noise_free else PAPER_ESTIMATORS,
            draws=self.draws,
        )


def _known(texts: Sequence[str], kind: Callable[[str], T], allowed: Sequence[T]) -> list[T]:
    by_text = {f"{value:g}" if kind is float else str(value): value for value in allowed}
    return [by_text[text] for text in texts if text in by_text]
