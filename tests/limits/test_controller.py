"""How weights move, with networks that answer as a formula says."""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
import torch

from frem_core.limits import Limit
from frem_core.limits.controller import FIRST_WEIGHT, LimitController
from frem_core.limits.shadows import Shadows
from frem_core.training import TrainingConfig, TrainingStack

EPOCHS = 60
LIMIT = 0.24


@dataclass
class Answering:
    """Stands for shadows: the score of a model follows from its weight."""

    score_at: Callable[[float], float]
    predicts_from: int = 0  # this look on; before, what it says is the same for everybody
    seen: list[float] = field(default_factory=list)

    def __len__(self) -> int:
        return 1

    def predictions(self, stack: TrainingStack, models: int) -> SimpleNamespace:
        self.seen.append(self.score_at(float(stack.fairness_weights[0])))
        y = np.random.default_rng(0).random((1, 50))
        p = y if len(self.seen) > self.predicts_from else np.full_like(y, y.mean())
        return SimpleNamespace(y=y, p=p[:, None], score=lambda limit, model: self.seen[-1])


def controller_of(shadows: Answering) -> LimitController:
    return LimitController(
        [Limit(at_most=LIMIT)], [[LIMIT]], balance=1.0, shadows=cast(Shadows, shadows)
    )


def steered(
    shadows: Answering, stopped_after: int | None = None
) -> tuple[list[float], SimpleNamespace]:
    """Weights over all epochs of a training whose balance is 1, and its stack at the end.

    The encoder of epoch 7 consists of sevens.
    """
    controller = controller_of(shadows)
    stack = SimpleNamespace(
        config=TrainingConfig(epochs=EPOCHS),
        fairness_weights=torch.full((2,), FIRST_WEIGHT),
        encoder=torch.nn.Linear(1, 2),  # the model's row, and its shadow's
        head=torch.nn.Linear(1, 2),
        task="regression",
    )
    weights = []
    for epoch in range(EPOCHS):
        stack.epochs_done = epoch
        torch.nn.init.constant_(stack.encoder.weight, epoch + 1)
        controller.steer(cast(TrainingStack, stack))
        weights.append(float(stack.fairness_weights[0]))
        if epoch + 1 == stopped_after:
            state, controller = controller.state(), controller_of(shadows)
            controller.restore(state)
    return weights, stack


def weights_and_scores(score_at: Callable[[float], float]) -> tuple[list[float], list[float]]:
    shadows = Answering(score_at)
    return steered(shadows)[0], shadows.seen


def averages() -> list[float]:
    """What the encoder is after each epoch, averaged over about three."""
    found = [1.0]
    for epoch in range(2, EPOCHS + 1):
        found.append(found[-1] + (epoch - found[-1]) / (0.05 * EPOCHS))
    return found


def test_a_training_ends_with_the_last_network_that_was_at_its_limit():
    """Networks go on changing while λ stays: here the score runs away in the last four epochs."""
    looks = np.full(EPOCHS, 0.97 * LIMIT)
    looks[-4:] *= [1.1, 0.9, 0.8, 0.85]
    scores = iter(looks[-52:])  # the first eight epochs are not looked at
    _, stack = steered(Answering(lambda weight: float(next(scores))))
    at_its_limit = averages()[-5]
    assert stack.encoder.weight.tolist() == [[pytest.approx(at_its_limit)]] * 2


def test_a_network_that_was_kept_survives_a_stop():
    looks = np.full(EPOCHS, 2.0 * LIMIT)
    looks[-7] = 0.97 * LIMIT
    scores = iter(looks[-52:])
    _, stack = steered(Answering(lambda weight: float(next(scores))), stopped_after=EPOCHS - 3)
    assert stack.encoder.weight.tolist() == [[pytest.approx(averages()[-7])]] * 2


def test_where_no_network_was_at_the_limit_the_nearest_is_kept_with_its_weight():
    looks = np.full(EPOCHS, 2.0 * LIMIT)
    looks[-7] = 1.3 * LIMIT
    looks[10] = 0.97 * LIMIT  # long before: a network that has hardly learned is no answer
    scores = iter(looks[-52:])
    weights, stack = steered(Answering(lambda weight: float(next(scores))))
    assert stack.encoder.weight.tolist() == [[pytest.approx(averages()[-7])]] * 2
    assert stack.fairness_weights.tolist() == [pytest.approx(weights[-8])] * 2


@pytest.mark.parametrize("steepness", [0.5, 1.0, 2.0])
def test_a_score_that_answers_ends_at_its_limit(steepness):
    _, scores = weights_and_scores(lambda weight: 0.3 * weight**-steepness)
    assert scores[-1] == pytest.approx(0.97 * LIMIT, rel=0.03)


def test_a_network_that_no_longer_predicts_is_steered_back():
    """Above a weight of 1 it collapses, long before it would keep its limit."""

    class Collapsing(Answering):
        def predictions(self, stack: TrainingStack, models: int) -> SimpleNamespace:
            self.predicts_from = 0 if float(stack.fairness_weights[0]) < 1 else EPOCHS
            return super().predictions(stack, models)

    weights, _ = steered(Collapsing(lambda weight: 2.0 * LIMIT))
    assert max(weights) > 1
    assert weights[-1] < 1


def test_a_range_of_weights_in_which_nothing_changes_is_left_behind():
    """The score is a little too high until the weight is 40 times where that began."""
    weights, scores = weights_and_scores(lambda weight: 0.27 if weight < 4 else 0.27 - weight / 400)
    assert max(weights) > 4
    assert scores[-1] < 0.26


def test_an_error_that_is_cut_off_makes_no_haste():
    """Five times the limit and falling: the weight grows as fast as the error allows, no faster."""
    weights, _ = weights_and_scores(lambda weight: 1.2 * (weight / FIRST_WEIGHT) ** -0.1)
    steps = np.diff(np.log(weights[9:20]))
    assert steps.max() < 0.45
