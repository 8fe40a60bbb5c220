"""Trade-offs: non-dominated sets, fronts over seeds, hypervolume, best run under constraints."""

from frem_core.pareto.choice import best_under_constraints
from frem_core.pareto.front import non_dominated, pareto_front
from frem_core.pareto.hypervolume import (
    HypervolumeEstimate,
    hypervolume,
    hypervolume_interval,
    possible_area,
    reference_point,
)
from frem_core.pareto.hypervolume_difference import HypervolumeDifference, hypervolume_difference
from frem_core.pareto.matching import nearest_on_score
from frem_core.pareto.objectives import Direction, Objectives
from frem_core.pareto.summary import method_fronts

__all__ = [
    "Direction",
    "HypervolumeDifference",
    "HypervolumeEstimate",
    "Objectives",
    "best_under_constraints",
    "hypervolume",
    "hypervolume_difference",
    "hypervolume_interval",
    "method_fronts",
    "nearest_on_score",
    "non_dominated",
    "pareto_front",
    "possible_area",
    "reference_point",
]
