"""The weights must span the trade-off of tables in other units, sizes and tasks."""

from dataclasses import replace

import numpy as np
import pytest

from frem_core.attributes import Attributes
from frem_core.datasets import Part
from frem_core.methods import available_methods, get_method
from frem_core.training import TrainingConfig, grid, spanning_weights, train, weight_range
from frem_core.training.weight_range import balance
from frem_core.types import Task
from tests.training.problems import CONFIG, small_part

SHORT = TrainingConfig(epochs=60, batch_size=100, hidden=(16, 16), weight_decay=1e-3)
TABLES = ((900, "regression", 0.5), (400, "classification", 0.7))
# Both tables for FREM, one for each other kind of penalty; the rest takes the same path.
SPANNED = [
    pytest.param(name, *table, marks=() if name == "frem" or kind == at else pytest.mark.slow)
    for name, at in (("frem", 0), ("mmd", 1), ("reg_gdp", 1), ("reg_hgr", 0))
    for kind, table in enumerate(TABLES)
]


def hourly_wages(rows: int, *, task: Task, share: float) -> Part:
    """Skewed features and target, and a sensitive value that decides a share of the target."""
    random = np.random.default_rng(rows)
    s = random.beta(2, 5, rows)
    x = random.random((rows, 6)) ** 3
    x[:, 0] = 0.8 * s + 0.2 * x[:, 0]
    level = share * x[:, 0] + (1 - share) * x[:, 1] + 0.05 * random.standard_normal(rows)
    level = (level - level.min()) / (level.max() - level.min())
    y = (level > np.quantile(level, 0.8)).astype(float) if task == "classification" else level**2
    return Part(x=x.astype(np.float32), y=y, s=s, rows=np.arange(rows))


@pytest.mark.parametrize("name", available_methods())
def test_every_method_gets_rising_weights(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weight_range, "_STEPS", 40)
    weights = spanning_weights(
        small_part(), task="classification", method=get_method(name)(), config=CONFIG, count=5
    )
    assert list(weights) == sorted(set(weights))
    assert len(weights) == (5 if get_method(name).uses_fairness_weight else 1)
    assert np.isfinite(weights).all()


@pytest.mark.parametrize(("name", "rows", "task", "share"), SPANNED)
def test_from_hardly_any_effect_to_a_constant(
    name: str, rows: int, task: Task, share: float
) -> None:
    part = hourly_wages(rows, task=task, share=share)
    method = get_method(name)()
    weights = spanning_weights(part, task=task, method=method, config=SHORT, count=6)
    lowest, highest = weights[0], weights[-1]
    free, first, last = train(
        part, task=task, method=method, config=SHORT, members=grid([0.0, lowest, highest])
    )
    spread = [float(np.std(model.predict(part.x))) for model in (free, first, last)]
    assert spread[1] > 0.7 * spread[0]
    assert spread[2] < 0.5 * spread[0]


def test_a_target_in_other_units_moves_the_weights_with_its_loss() -> None:
    part = small_part(400, task="regression")
    smaller = replace(part, y=0.5 + (part.y - 0.5) / 10)
    method = get_method("reg_gdp")()
    gains = [
        balance(one, task="regression", method=method, config=SHORT).loss for one in (part, smaller)
    ]
    assert gains[1] == pytest.approx(gains[0] / 100, rel=0.3)


def test_an_attribute_without_effect_gives_finite_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weight_range, "_STEPS", 100)
    part = small_part(300)
    aside = replace(part, s=np.random.default_rng(5).permutation(part.s))
    weights = spanning_weights(
        aside, task="classification", method=get_method("frem")(), config=CONFIG
    )
    assert np.isfinite(weights).all()
    assert weights[0] > 0


def test_several_attributes_move_together_when_they_are_shuffled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(weight_range, "_STEPS", 20)
    part = hourly_wages(60, task="regression", share=0.5)
    again = Attributes(("s", "twin"), np.stack([part.s, part.s], axis=1), (None, None))
    method, short = get_method("frem")(joint_weight=0.0), replace(SHORT, hidden=(4,))
    one, both = (
        balance(each, task="regression", method=method, config=short)
        for each in (part, replace(part, attributes=again))
    )
    # The same attribute twice costs twice as much to follow, and by chance nothing.
    assert both.loss == pytest.approx(one.loss, rel=1e-3)
    assert both.penalty == pytest.approx(2 * one.penalty, rel=1e-3)
