"""Limits, the model they choose, and the words for what it costs."""

import numpy as np
import pytest

from frem_core.metrics import get_metric
from frem_core.store import Store
from frem_core.sweeps import SweepSpec
from studio.tradeoffs.decision import order_words
from studio.words import choice_sentence
from tests import finished_sweeps
from tests.finished_sweeps import add_crime, finish_next
from tests.pages.tradeoffs.page import checked, figure, numbers, open_page, slider, words


def test_limits_choose_and_say_what_they_cost(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr")
    # At first half of the 0.5 without fairness: only FREM's 0.2 and 0.22 keep it.
    assert slider(app, "At most").value == 0.25
    assert "**FREM** is off by 0.130 on average, 0.030 more than without fairness" in words(app)
    assert "is 0.200, 60 % below the 0.500 without fairness" in words(app)
    assert "No setting is that fair: ΔHGR is 0.300 at best" in words(app)
    slider(app, "At most").set_value(0.42)
    checked(app.run())
    assert "**FREM** is off by 0.110" in words(app)
    assert "**MMD** is off by 0.160" in words(app)
    assert float(app.query_params["at_most"]) == 0.42
    slider(app, "At least").set_value(0.86)
    checked(app.run())
    assert "best prediction score is 0.840" in words(app)
    again = open_page(fairness="hgr", at_most="0.42", at_least="0.86", goal="fairness")
    assert "**FREM** is off by 0.130" in words(again)  # the fairest within the limits


def _best(method: str, prediction: float, error: float) -> dict[str, object]:
    return {"method": method, "prediction": prediction, "prediction.se": error}


def test_who_is_first_is_said_with_its_doubt() -> None:
    none = order_words([], "prediction")
    assert none.startswith("**No useful model keeps these limits.**")
    alone = order_words([_best("frem", 0.9, 0.01)], "prediction")
    assert alone == "**Within these limits FREM predicts best; no other method keeps them.**"
    sure = order_words([_best("frem", 0.9, 0.01), _best("mmd", 0.8, 0.01)], "prediction")
    assert sure == "**Within these limits FREM predicts best, MMD comes next.**"
    close = order_words([_best("frem", 0.9, 0.08), _best("mmd", 0.8, 0.08)], "prediction")
    assert "no larger than the error over seeds" in close
    once = order_words([_best("frem", 0.9, np.nan), _best("mmd", 0.8, 0.01)], "prediction")
    assert "the order may be chance" in once


def test_a_model_no_better_than_a_constant_is_marked_and_never_recommended(
    store: Store, started_engines: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of all settings within the limit the collapsed one has the best score, but it is no model.
    collapsed = {("frem", 0.1): (0.2, 0.05), ("frem", 0.3): (0.197, 0.02), ("mmd", 0.1): (0.3, 0.3)}
    monkeypatch.setattr(finished_sweeps, "SCORES", {**finished_sweeps.SCORES, **collapsed})
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr", at_most="0.3")
    crossed = next(
        one for one in figure(app)["data"] if one["name"] == "predicts no better than a constant"
    )
    assert sorted(numbers(crossed["x"])) == pytest.approx([0.02, 0.05, 0.3])
    said = words(app)
    assert "Within these limits MMD predicts best" in said  # with λ 0.4, the only useful one
    assert "**FREM**: Every setting that is fair enough predicts no better than a constant" in said
    assert any("3 of 5 settings predict no better" in one.value for one in app.warning)
    app.button(key="tradeoffs-refine").click()
    checked(app.run())
    assert len(app.query_params["sweep"]) == 2
    refined = store.sweeps.frame().iloc[0]
    assert refined["name"] == "Crime by hand, refined"
    spec = SweepSpec.from_toml(store.sweeps.spec(refined["id"]))
    weights = {one.method: one.fairness_weights for one in spec.methods}
    assert all(0.03 < weight < 0.1 for weight in weights["frem"])
    assert all(weight < 0.1 for weight in weights["mmd"])  # its smallest has collapsed


@pytest.mark.parametrize(
    ("prediction", "fairness", "reference", "expected"),
    [
        ("accuracy", "gdp", (0.847, 0.4), "is right in 84.1 % of cases, 0.6 points less than"),
        ("accuracy", "gdp", (0.841, 0.4), "of cases, the same as without fairness. The"),
        ("accuracy", "gdp", None, "is right in 84.1 % of cases. The demographic parity gap"),
        ("mae", "hgr", (0.86, 0.2), "is off by 0.159 on average, 0.019 more than"),
        ("mae", "hgr", (0.86, 0.1), "(ΔHGR) is 0.200, 100 % above the 0.100 without"),
        ("mse", "hgr", (0.85, 0.2), "has a mean squared error of 0.1590, 0.0090 more"),
        ("average_precision", "hgr", (0.8, 0.2), "an average precision of 0.841, 0.041 more"),
    ],
)
def test_sentences(prediction, fairness, reference, expected) -> None:
    names = ("prediction", "fairness")
    sentence = choice_sentence(
        dict(zip(names, (0.841, 0.2), strict=True)),
        None if reference is None else dict(zip(names, reference, strict=True)),
        prediction=get_metric(prediction),
        fairness=get_metric(fairness),
    )
    assert expected in sentence


def test_a_score_within_chance_is_said_to_be() -> None:
    point = {"prediction": 0.8, "fairness": 0.1}
    metrics = {"prediction": get_metric("accuracy"), "fairness": get_metric("hgr")}
    assert "no more than chance" in choice_sentence(point, None, **metrics, chance=0.12)
    assert "chance" not in choice_sentence(point, None, **metrics, chance=0.08)
    assert "correlation with age" in choice_sentence(point, None, **metrics, sensitive="age")


def test_small_scores_keep_three_digits() -> None:
    small, large = ({"prediction": 0.8, "fairness": value} for value in (0.0005, 0.0045))
    metrics = {"prediction": get_metric("accuracy"), "fairness": get_metric("geo")}
    sentence = choice_sentence(small, large, **metrics)
    assert "is 0.00050, 89 % below the 0.00450 without fairness" in sentence
