"""Scores of more than two classes, against scikit-learn's and against each class alone."""

import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    balanced_accuracy_score,
    roc_auc_score,
)

from frem_core.evaluation import against_constant, evaluate, get_score
from frem_core.metrics import gdp, hgr, mutual_information, noise_floor
from frem_core.metrics.classes import suited

random = np.random.default_rng(0)
S = random.random(300)
Y = random.choice(3, 300, p=[0.5, 0.3, 0.2])
LOGITS = random.normal(size=(300, 3)) + 1.5 * np.eye(3)[Y] + 2 * S[:, None] * [0, 0, 1]
P = np.exp(LOGITS) / np.exp(LOGITS).sum(axis=1, keepdims=True)


def test_scores_are_those_of_scikit_learn_or_means_over_classes() -> None:
    scores = evaluate(Y, P, P, sensitive_features=S, task="classification")
    chosen = P.argmax(axis=1)
    assert scores["accuracy"] == pytest.approx(accuracy_score(Y, chosen))
    assert scores["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(Y, chosen))
    assert scores["auc"] == pytest.approx(roc_auc_score(Y, P, multi_class="ovr"))
    assert scores["average_precision"] == pytest.approx(average_precision_score(np.eye(3)[Y], P))
    for score in (gdp, hgr, mutual_information):
        each = [score(None, column, sensitive_features=S) for column in P.T]
        assert scores[score.__name__] == pytest.approx(np.mean(each))
    assert not {"geo", "selection_rate"} & set(scores)
    assert {"eipm", "representation_mutual_information"} <= set(scores)


def test_two_classes_are_left_as_they_were() -> None:
    metric = get_score("hgr")
    assert suited(metric, P[:, 0]) is metric


def test_the_constant_says_the_most_frequent_class() -> None:
    constant = against_constant(Y.astype(float), P, "classification")
    share = np.bincount(Y).max() / 300
    assert constant["accuracy"].value == pytest.approx(share)
    lead = (P.argmax(axis=1) == Y).astype(float) - (Y == 0)
    assert constant["accuracy"].error == pytest.approx(lead.std(ddof=1) / np.sqrt(300))
    assert constant["auc"].value == 0.5
    scores = evaluate(Y, P, sensitive_features=S, task="classification")
    assert constant["accuracy"].is_beaten_by(scores["accuracy"], get_score("accuracy"))


def test_chance_is_measured_for_the_mean_over_classes() -> None:
    found = noise_floor(suited(get_score("gdp"), P), Y, P, sensitive_features=S, n_permutations=5)
    shuffled = np.random.default_rng(1).permutation(S)
    once = np.mean([gdp(None, column, sensitive_features=shuffled) for column in P.T])
    assert 0.3 * once < found.mean < 3 * once
    assert found.mean < gdp(None, P[:, 2], sensitive_features=S)
