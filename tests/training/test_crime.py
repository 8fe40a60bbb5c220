"""What FREM must show on Communities and Crime, over two splits."""

import pandas as pd
import pytest

from frem_core.datasets import load_dataset, prepare, split_dataset
from frem_core.evaluation import evaluate
from frem_core.methods import get_method
from frem_core.training import grid, suggested_config, train

SEEDS = (0, 1)


def mean_scores(name: str, *fairness_weights: float, **settings: str) -> pd.DataFrame:
    """Test scores averaged over the splits, by fairness weight."""
    crime = load_dataset("crime")
    rows = []
    for seed in SEEDS:
        data = prepare(crime, split_dataset(crime, seed=seed))
        models = train(
            data.train,
            task=data.task,
            method=get_method(name)(**settings),
            config=suggested_config("crime", len(data.train)),
            members=grid(fairness_weights, [seed]),
        )
        for model in models:
            z = model.transform(data.test.x)
            p = model.predict_from_representation(z)
            scores = evaluate(data.test.y, p, z, sensitive_features=data.test.s, task=data.task)
            rows.append({**scores, "weight": model.member.fairness_weight})
    return pd.DataFrame(rows).groupby("weight").mean()


@pytest.fixture(scope="module")
def unfair() -> pd.DataFrame:
    return mean_scores("unfair", 0.0)


@pytest.fixture(scope="module")
def frem() -> pd.DataFrame:
    return mean_scores("frem", 0.5, 1.6)


def test_the_unfair_model_predicts_as_well_as_in_the_paper(unfair: pd.DataFrame) -> None:
    assert 1 - unfair.loc[0.0, "mae"] >= 0.9


@pytest.mark.parametrize("score", ["eipm", "hgr", "representation_mutual_information"])
def test_frem_lowers_every_fairness_score_to_three_fifths(
    score: str, unfair: pd.DataFrame, frem: pd.DataFrame
) -> None:
    assert frem.loc[0.5, score] <= 0.6 * unfair.loc[0.0, score]


def test_the_front_reaches_a_fair_model_that_still_predicts(frem: pd.DataFrame) -> None:
    assert frem.loc[1.6, "hgr"] <= 0.17
    assert 1 - frem.loc[1.6, "mae"] >= 0.845


@pytest.mark.slow
def test_random_features_make_the_model_as_fair_as_the_exact_penalty(frem: pd.DataFrame) -> None:
    linear = mean_scores("frem", 0.5, computation="linear")
    for score in ("eipm", "hgr", "mae"):
        assert linear.loc[0.5, score] == pytest.approx(frem.loc[0.5, score], rel=0.1)
