"""What the paper's experiment on Adult must show here; minutes, so only in the slow tests."""

import pytest

from frem_core.datasets import load_dataset, prepare, split_dataset
from frem_core.methods import get_method
from frem_core.methods.named_forms import PAPERS_FORM
from frem_core.metrics import accuracy, hgr
from frem_core.training import grid, suggested_config, train

pytestmark = pytest.mark.slow


def test_the_unfair_model_predicts_almost_as_well_as_in_the_paper_and_frem_is_fairer() -> None:
    adult = load_dataset("adult")
    data = prepare(adult, split_dataset(adult, seed=0))
    config = suggested_config("adult", len(data.train), weight_decay=0.01)

    def fitted(name: str, **settings: str) -> tuple[float, float]:
        (model,) = train(
            data.train,
            task=data.task,
            method=get_method(name)(**settings),
            config=config,
            members=grid([1.0], [0]),
        )
        p = model.predict(data.test.x)
        s = data.test.s
        return accuracy(data.test.y, p), hgr(data.test.y, p, sensitive_features=s)

    unfair_accuracy, unfair_hgr = fitted("unfair")
    assert unfair_accuracy >= 0.835
    frem_accuracy, frem_hgr = fitted("frem", **PAPERS_FORM)
    assert frem_accuracy >= 0.80
    assert frem_hgr <= 0.6 * unfair_hgr
