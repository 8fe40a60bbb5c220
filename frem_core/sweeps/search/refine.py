"""Where the next trainings tell most: in the largest gap of a front, or next to a limit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
import pandas as pd

from frem_core.errors import ConfigError
from frem_core.methods import get_method
from frem_core.sweeps.method_spec import PRESET
from frem_core.sweeps.protocol import GammaPolicy
from frem_core.sweeps.search import SearchSpec
from frem_core.sweeps.spec import SweepSpec

_COUNT: Final = 4
# Beyond the last λ that was trained, and below a first one that has collapsed already.
_FURTHER: Final = 8.0
_MUCH_LESS: Final = 30.0


@dataclass(frozen=True)
class Refinement:
    """Fairness weights to train next, and why these.

    Attributes:
        weights: the new λ, rising.
        reason: what they are to find out, as a clause: "…, where …".
    """

    weights: tuple[float, ...]
    reason: str


def refinement(
    points: pd.DataFrame, *, at_most: float | None = None, count: int = _COUNT
) -> Refinement | None:
    """Chooses the next fairness weights of one method.

    With a limit they lie between the two neighbouring λ whose unfairness brackets it, or beyond
    the last λ where none is fair enough yet. Without one they lie in the largest gap between
    neighbouring settings, both scores counted in shares of their ranges. Where the smallest λ
    has collapsed already, they lie below it.

    Args:
        points: the settings of one method, as `frem_core.figures.front_points` gives them:
            ``fairness_weight``, ``prediction``, ``fairness`` and ``no_better``.
        at_most: the limit of the unfairness score.
        count: how many weights.

    Returns:
        The weights, or None where the method has no setting with a weight above 0.
    """
    curve = (
        points[points["fairness_weight"] > 0]
        .groupby("fairness_weight", as_index=False)
        .agg({"prediction": "max", "fairness": "min", "no_better": "all"})
        .sort_values("fairness_weight", ignore_index=True)
    )
    if curve.empty:
        return None
    weights = curve["fairness_weight"].to_numpy(dtype=float)
    if curve["no_better"].iloc[0]:
        return Refinement(
            _between(weights[0] / _MUCH_LESS, weights[0], count),
            "below the smallest λ so far, which has given up all prediction already",
        )
    if at_most is not None:
        return _next_to(curve, weights, at_most, count)
    return _largest_gap(curve, weights, count)


def refined_sweep(spec: SweepSpec, weights: Mapping[str, Sequence[float]]) -> SweepSpec:
    """The same sweep with other fairness weights, for the methods that are to be refined.

    Args:
        spec: the sweep as it is in the store.
        weights: the next fairness weights by method.

    Raises:
        ConfigError: none of the methods is in the sweep.
    """
    methods = tuple(
        replace(one, fairness_weights=tuple(weights[one.method]), relative_weights=(), limits=())
        for one in spec.methods
        if one.method in weights
    )
    if not methods:
        raise ConfigError("None of these methods is in the sweep, so there is nothing to refine.")
    name = spec.name if spec.name.endswith(", refined") else f"{spec.name}, refined"
    return replace(spec, name=name, methods=methods)


def searching_sweep(spec: SweepSpec, search: SearchSpec) -> SweepSpec:
    """The same sweep, looking for its settings itself.

    Of settings that the sweep has several values of, the first is where the search begins.

    Args:
        spec: the sweep as it is in the store.
        search: how it looks for them.

    Raises:
        ConfigError: no method of the sweep has a fairness weight.
    """
    methods = tuple(
        replace(
            one,
            fairness_weights=one.fairness_weights if not one.limits else PRESET,
            limits=(),
            settings={name: values[:1] for name, values in one.settings.items()},
        )
        for one in spec.methods
        if get_method(one.method).uses_fairness_weight
    )
    if not methods:
        raise ConfigError("No method of the sweep has a fairness weight, so nothing is searched.")
    return replace(
        spec,
        name=f"{spec.name.removesuffix(', refined')}, searched",
        methods=methods,
        gamma=GammaPolicy(),
        search=search,
    )


def _next_to(curve: pd.DataFrame, weights: np.ndarray, at_most: float, count: int) -> Refinement:
    fair = curve["fairness"].to_numpy(dtype=float) <= at_most
    if not fair.any():
        return Refinement(
            _beyond(weights[-1], count), f"beyond the largest λ so far, towards {at_most:.3g}"
        )
    first = int(np.argmax(fair))
    low = weights[first - 1] if first else weights[0] / _FURTHER
    return Refinement(
        _between(low, weights[first], count), f"where unfairness falls below {at_most:.3g}"
    )


def _largest_gap(curve: pd.DataFrame, weights: np.ndarray, count: int) -> Refinement:
    useful = ~curve["no_better"].to_numpy(dtype=bool)
    if len(weights) == 1:
        return Refinement(_beyond(weights[0], count), "beyond the only λ so far")
    scores = curve[["prediction", "fairness"]].to_numpy(dtype=float)
    span = scores.max(axis=0) - scores.min(axis=0)
    steps = np.diff(scores / np.where(span > 0, span, 1.0), axis=0)
    gaps = np.hypot(*steps.T) * (useful[:-1] | useful[1:])
    place = int(np.argmax(gaps))
    low, high = list(pairwise(weights))[place]
    return Refinement(
        _between(low, high, count),
        f"in the largest gap of the front, between λ {low:g} and {high:g}",
    )


def _between(low: float, high: float, count: int) -> tuple[float, ...]:
    return _rounded(np.geomspace(low, high, count + 2)[1:-1])


def _beyond(highest: float, count: int) -> tuple[float, ...]:
    return _rounded(np.geomspace(highest, _FURTHER * highest, count + 1)[1:])


def _rounded(weights: np.ndarray) -> tuple[float, ...]:
    return tuple(dict.fromkeys(float(f"{weight:.3g}") for weight in weights))
