import pickle

import numpy as np
import pytest

from frem_core.eipm import eipm
from frem_core.errors import ConfigError
from frem_core.evaluation import available_scores, get_score
from frem_core.metrics import available_metrics, get_metric


def test_every_metric_and_eipm_are_scores() -> None:
    assert set(available_scores()) == {*available_metrics(), "eipm"}


def test_every_score_is_described() -> None:
    for name in available_scores():
        score = get_score(name)
        assert score.name == name
        assert score.axis_title.endswith(f"({score.direction})")
    assert get_score("gdp") is get_metric("gdp")


def test_eipm_is_called_like_the_other_scores_of_a_representation() -> None:
    random = np.random.default_rng(0)
    z, s = random.normal(size=(50, 2)), random.integers(0, 9, 50) / 8
    score = pickle.loads(pickle.dumps(get_score("eipm")))
    assert score(z, sensitive_features=s, gamma=0.1) == eipm(z, s, gamma=0.1)


def test_unknown_names_get_a_suggestion() -> None:
    with pytest.raises(ConfigError, match="Did you mean 'eipm'"):
        get_score("epim")
