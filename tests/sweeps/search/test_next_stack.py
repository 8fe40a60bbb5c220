import math

import numpy as np
import pytest

from frem_core.errors import ConfigError
from frem_core.pareto import hypervolume
from frem_core.sweeps.search import SearchSpec
from frem_core.sweeps.search.expected_front import ExpectedFront, Trial
from frem_core.sweeps.search.next_stack import next_stack, spread_weights

SPEC = SearchSpec(trainings=24, side_by_side=6)
SPACE = {"fairness_weight": (0.01, 100.0), "learning_rate": (1e-4, 1e-1)}
USUAL = {"learning_rate": 1e-3}


def _train(settings: dict[str, float], *, best_rate: float = 1e-2) -> Trial:
    """A made-up world: fairness falls with λ, prediction is best at one learning rate."""
    weight, rate = settings["fairness_weight"], settings["learning_rate"]
    fairness = 0.5 / (1 + weight)
    lost = 0.02 * math.log10(rate / best_rate) ** 2
    prediction = 0.9 - lost - 0.2 * (weight / (1 + weight)) ** 2
    return Trial(settings, prediction, fairness, lead=prediction - 0.75)


def _run(spec: SearchSpec = SPEC, **world: float) -> list[Trial]:
    trials: list[Trial] = []
    while stack := next_stack(spec, SPACE, USUAL, trials, seed=len(trials)):
        trials += [_train(settings, **world) for settings in stack]
    return trials


def test_a_search_ends_after_its_trainings_and_trains_nothing_twice() -> None:
    trials = _run()
    assert len(trials) == SPEC.trainings
    assert len({tuple(trial.settings.items()) for trial in trials}) == SPEC.trainings
    assert all(1e-4 <= trial.settings["learning_rate"] <= 1e-1 for trial in trials)


def test_members_of_a_stack_differ_in_weight_only_and_the_first_has_the_usual_settings() -> None:
    trials = _run()
    for start in range(0, len(trials), SPEC.side_by_side):
        rates = {trial.settings["learning_rate"] for trial in trials[start : start + 6]}
        assert len(rates) == 1
    assert trials[0].settings["learning_rate"] == USUAL["learning_rate"]


def test_the_same_trials_give_the_same_stack() -> None:
    trials = _run()[:18]
    again = [next_stack(SPEC, SPACE, USUAL, trials, seed=3) for _ in range(2)]
    assert again[0] == again[1]


def test_it_dominates_more_than_a_grid_of_the_same_size() -> None:
    grid = [
        _train({"fairness_weight": float(weight), "learning_rate": rate})
        for rate in (1e-4, 1e-3, 1e-1)  # the best one lies between
        for weight in np.geomspace(0.01, 100, 8)
    ]

    def area(trials: list[Trial]) -> float:
        points = [[t.prediction, t.fairness] for t in trials if t.is_useful]
        return hypervolume(points, reference=[0.75, 0.5], directions=["max", "min"])

    assert area(_run()) > 1.05 * area(grid)


def test_weights_lie_where_unfairness_falls_and_models_are_useful() -> None:
    trials = [
        _train({"fairness_weight": float(weight), "learning_rate": 1e-2})
        for weight in np.geomspace(0.01, 100, 6)
    ]
    weights = spread_weights(trials, SPACE["fairness_weight"], 6)
    found = sorted(_train({"fairness_weight": w, "learning_rate": 1e-2}).fairness for w in weights)
    assert weights == sorted(weights)
    assert max(np.diff(found)) < 0.25  # of a range of 0.5; the first stack leaves a gap of 0.4
    assert max(weights) < 40  # beyond about 6 models are worse than the constant


def test_where_the_same_weight_does_less_larger_ones_are_chosen() -> None:
    space = {"fairness_weight": (0.01, 100.0), "gamma": (0.05, 0.5)}

    def trained(weight: float, gamma: float) -> Trial:
        one = _train({"fairness_weight": weight * 0.05 / gamma, "learning_rate": 1e-2})
        return Trial({"fairness_weight": weight, "gamma": gamma}, one.prediction, one.fairness, 0.1)

    weights = np.geomspace(0.05, 20, 6)
    known = [trained(float(weight), gamma) for gamma in (0.05, 0.15) for weight in weights]
    front = ExpectedFront.of([*known, Trial({"fairness_weight": 1.0, "gamma": 0.1})], space)
    chosen, added = front.best_weights({"gamma": 0.5}, np.geomspace(0.01, 100, 60), 4)
    usual, _ = front.best_weights({"gamma": 0.05}, np.geomspace(0.01, 100, 60), 4)
    assert added > 0
    assert np.median(chosen) > 2 * np.median(usual)


def test_near_a_limit_the_weights_lie_around_it() -> None:
    trials = [
        _train({"fairness_weight": float(weight), "learning_rate": 1e-2})
        for weight in np.geomspace(0.01, 5, 12)
    ]
    weights = spread_weights(trials, SPACE["fairness_weight"], 6, at_most=0.25)
    found = [_train({"fairness_weight": w, "learning_rate": 1e-2}).fairness for w in weights]
    assert all(0.1 < value < 0.4 for value in found)


def test_where_everything_collapsed_smaller_weights_follow() -> None:
    trials = [Trial({"fairness_weight": w, "learning_rate": 1e-3}, 0.7, 0.0, -0.1) for w in (1, 10)]
    assert max(spread_weights(trials, (1.0, 10.0), 4)) <= 2


def test_waiting_and_failed_settings_count() -> None:
    waiting = [Trial({"fairness_weight": float(w), **USUAL}) for w in range(1, 19)]
    assert len(next_stack(SPEC, SPACE, USUAL, waiting, seed=1)) == 6
    assert next_stack(SPEC, SPACE, USUAL, [*waiting, *_run()[:6]], seed=1) == []


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"trainings": 1}, "at least 2"),
        ({"side_by_side": 0}, "at least 1"),
        ({"at_most": 0.0}, "above 0"),
        ({"ranges": {"gama": [1, 2]}}, "Did you mean 'gamma'"),
        ({"ranges": {"gamma": [2, 1]}}, "a lower and a higher number"),
        ({"training": 5}, "Did you mean 'trainings'"),
    ],
)
def test_mistakes_are_named(values, words) -> None:
    with pytest.raises(ConfigError, match=words):
        SearchSpec.from_dict(values)
