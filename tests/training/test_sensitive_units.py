"""Trainings in which FREM compares the sensitive attribute by its rank."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.stats import rankdata

from frem_core.attributes import Attributes
from frem_core.datasets import Part, prepare, social_graph_dataset, split_dataset
from frem_core.eipm import eipm
from frem_core.estimators import FREMClassifier
from frem_core.limits.shadows import Shadows
from frem_core.methods.frem import Frem, middle_ranks
from frem_core.methods.named_forms import PAPERS_FORM
from frem_core.networks import Inputs
from frem_core.training import Member, TrainingConfig, balance, select_bandwidth, train
from frem_core.training.early_stopping import EarlyStopping
from frem_core.training.loop import make_batch
from frem_core.training.stack import TrainingStack
from frem_core.training.tensors import Tensors
from frem_core.types import Floats
from tests.training.problems import small_part, weights_of

ROWS = 107
CONFIG = TrainingConfig(epochs=2, batch_size=60, hidden=(8, 6))
MEMBERS = [Member(fairness_weight=weight, seed=seed) for weight, seed in ((0.3, 0), (3, 0), (3, 1))]
WAYS = {
    "default": {},
    "paper": dict(PAPERS_FORM),
    "random features": {"computation": "linear"},
    "compact kernel": {"sensitive_kernel": "epanechnikov"},
    "compact kernel, random features": {
        "sensitive_kernel": "triangular",
        "computation": "linear",
    },
    "linear probe": {"linear_probe": 0.1},
    "equal opportunity": {"fairness": "eo"},
}


def frem(unit: str = "rank", **settings: object) -> Frem:
    return Frem(**{"gamma": 0.1, **settings, "sensitive_units": unit})  # type: ignore[arg-type]


def ranks(s: Floats) -> Floats:
    return (rankdata(s) - 0.5) / len(s)


def curved(s: Floats) -> Floats:
    """Another unit: rising, and 0 and 1 stay."""
    return np.expm1(4 * s) / np.expm1(4)


def repeated_or_not(kind: str, rows: int = ROWS) -> Part:
    part = small_part(rows)
    if kind == "repeated":
        return part
    spread = np.random.default_rng(1).random(rows) / 40
    return replace(part, s=(part.s + spread) / (part.s + spread).max())


def several(part: Part) -> Part:
    rng = np.random.default_rng(2)
    columns = (part.s, rng.integers(0, 3, len(part)), rng.random(len(part)))
    attributes = Attributes(
        ("income", "town", "age"), np.column_stack(columns), (None, ("a", "b", "c"), None)
    )
    return replace(part, attributes=attributes)


def with_s(part: Part, change: object) -> Part:
    """The rows with every sensitive number changed by a function."""
    assert callable(change)
    attributes = part.attributes
    if attributes is not None:
        values = attributes.values.copy()
        for place in attributes.numbers:
            values[:, place] = change(values[:, place])
        attributes = replace(attributes, values=values)
    return replace(part, s=change(part.s), attributes=attributes)


def trained(part: Part, method: Frem, config: TrainingConfig = CONFIG) -> Floats:
    models = train(part, task="classification", method=method, config=config, members=MEMBERS)
    return np.stack([weights_of(model) for model in models])


@pytest.mark.parametrize("kind", ["repeated", "continuous"])
@pytest.mark.parametrize("way", WAYS)
def test_it_is_the_training_on_ranks_whatever_the_unit(way: str, kind: str) -> None:
    part, settings = repeated_or_not(kind), WAYS[way]
    found = trained(part, frem(**settings))
    np.testing.assert_array_equal(found, trained(with_s(part, curved), frem(**settings)))

    def by_hand(s: Floats) -> Floats:
        if way != "equal opportunity":
            return ranks(s)
        judged = part.y == 1
        placed = np.zeros(len(s))  # nobody looks at the others
        placed[judged] = ranks(s[judged])
        return placed

    np.testing.assert_array_equal(found, trained(with_s(part, by_hand), frem("value", **settings)))
    assert (found != trained(part, frem("value", **settings))).any()


@pytest.mark.parametrize("fairness", ["dp", "eo"])
def test_of_several_attributes_the_numbers_go_by_rank(fairness: str) -> None:
    part, method = several(repeated_or_not("continuous")), frem(fairness=fairness)
    found = trained(part, method)
    np.testing.assert_array_equal(found, trained(with_s(part, curved), method))
    if fairness == "dp":
        np.testing.assert_array_equal(found, trained(with_s(part, ranks), frem("value")))


def test_on_a_graph_ranks_are_those_among_the_training_nodes() -> None:
    network = social_graph_dataset(120, n_edges=300, n_features=4, seed=1)
    part = prepare(network, split_dataset(network)).train
    config = TrainingConfig(encoder="gcn", hidden=(6,), activation="relu", epochs=2, batch_size=40)
    found = trained(part, frem(), config)
    np.testing.assert_array_equal(found, trained(with_s(part, curved), frem(), config))
    np.testing.assert_array_equal(found, trained(with_s(part, ranks), frem("value"), config))


@pytest.mark.parametrize("fairness", ["dp", "eo"])
def test_the_penalty_of_a_batch_written_out(fairness: str) -> None:
    """Ranks are those among all judged training rows, not among the rows of the batch."""
    part = repeated_or_not("repeated")
    method = frem(fairness=fairness, **PAPERS_FORM)
    data = Tensors.of(part, method, Inputs(torch.tensor(part.x)))
    rows = torch.arange(30).unsqueeze(0)
    z = torch.randn(1, 30, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    found = method.penalty(make_batch(data, rows, z, z[..., 0]))
    pool = part.s[part.y == 1] if fairness == "eo" else part.s
    keep = part.y[:30] == 1 if fairness == "eo" else np.full(30, True)
    s = [np.mean(pool < one) + np.mean(pool == one) / 2 for one in part.s[:30][keep]]
    expected = eipm(z[0].numpy()[keep], np.array(s), gamma=0.1)
    assert found.item() == pytest.approx(expected, rel=1e-6)


def test_ranks_of_rows_that_were_not_trained_on() -> None:
    seen = np.array([0.2, 0.4, 0.4, 0.9])
    found = middle_ranks(np.array([0.0, 0.2, 0.3, 0.4, 1.0]), seen)
    assert found.tolist() == [0.0, 0.125, 0.25, 0.5, 1.0]
    assert middle_ranks(seen, np.array([])).tolist() == [0.0] * 4  # nobody is judged


def test_what_surrounds_a_training_does_not_see_the_unit_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rule for λ, the choice of γ and early stopping."""
    monkeypatch.setattr("frem_core.training.weight_range._STEPS", 8)
    part = repeated_or_not("continuous")
    other = with_s(part, curved)
    about = {"task": "classification", "method": frem(), "config": CONFIG}
    assert balance(part, **about) == balance(other, **about)  # type: ignore[arg-type]
    found, again = (select_bandwidth(one, **about) for one in (part, other))  # type: ignore[arg-type]
    assert found.table.equals(again.table)
    stopped = [
        train(
            one.of(slice(0, 70)),
            callbacks=[EarlyStopping(one.of(slice(70, None)), patience=1)],
            **about,  # type: ignore[arg-type]
        )[0]
        for one in (part, other)
    ]
    np.testing.assert_array_equal(*map(weights_of, stopped))


def test_early_stopping_ranks_held_out_rows_among_the_training_rows() -> None:
    part, method = repeated_or_not("continuous"), frem()
    held_out = part.of(part.s > np.median(part.s))
    data = Tensors.of(held_out, method, Inputs(torch.tensor(held_out.x)), trained=part)
    assert data.s.min() > 0.5


def test_limits_still_look_at_the_value() -> None:
    part = repeated_or_not("continuous")
    shadows = Shadows.of(len(part), seed=0)
    members = [Member()] * (1 + len(shadows))
    stack = TrainingStack(
        part, task="classification", method=frem(), config=CONFIG, members=members
    )
    found = shadows.predictions(stack, models=1)
    np.testing.assert_allclose(found.s, part.s[shadows.held_out.numpy()], rtol=1e-6)


def test_an_estimator_takes_an_income_or_its_logarithm() -> None:
    rng = np.random.default_rng(0)
    income = np.exp(rng.normal(10, 1.5, 80))
    X = np.c_[np.log(income) + rng.normal(size=80), rng.normal(size=80)]
    y = X.sum(1) > 10

    def fitted(s: Floats, unit: str) -> Floats:
        model = FREMClassifier(
            fairness_weight=3.0, sensitive_units=unit, epochs=3, hidden=(6,), random_state=0
        )
        return model.fit(X, y, sensitive_features=s).predict_proba(X)

    same, other = (
        [fitted(s, unit) for s in (income, np.log(income))] for unit in ("rank", "value")
    )
    np.testing.assert_array_equal(*same)
    assert (other[0] != other[1]).any()
