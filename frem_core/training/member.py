"""One training among those that run side by side."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from frem_core.methods.parameter import parameter
from frem_core.methods.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Member(Settings):
    """What may differ between trainings that run side by side in one stack."""

    fairness_weight: float = parameter(
        1.0,
        label="fairness weight",
        symbol="λ",
        help="How much fairness counts beside prediction; 0 ignores it.",
        minimum=0.0,
        maximum=1e6,
        log_scale=True,
    )
    seed: int = parameter(
        0,
        label="seed",
        help="Chooses first weights and batch order; the same seed repeats the same training.",
        minimum=0,
        maximum=2**32 - 1,
        advanced=True,
    )


def grid(fairness_weights: Iterable[float], seeds: Iterable[int] = (0,)) -> list[Member]:
    """Returns every pair of fairness weight and seed.

    Example:
        >>> [(one.fairness_weight, one.seed) for one in grid([0.1, 1.0], seeds=[0, 1])]
        [(0.1, 0), (0.1, 1), (1.0, 0), (1.0, 1)]
    """
    return [
        Member(fairness_weight=weight, seed=seed)
        for weight, seed in product(fairness_weights, seeds)
    ]
