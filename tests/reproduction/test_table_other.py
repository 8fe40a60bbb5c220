"""Models at matched prediction, by hand."""

import pandas as pd
import pytest

from frem_core.reproduction.targets.table_other import matched_settings

RUNS = pd.DataFrame(
    {
        "series": ["frem"] * 4 + ["adv"],
        "weight": [1.0, 1.0, 2.0, 2.0, 5.0],
        "seed": [0, 1, 0, 1, 0],
        "accuracy": [0.90, 0.92, 0.80, 0.82, 0.7],
        "hgr": [0.4, 0.6, 0.1, 0.2, 0.3],
    }
)


def test_takes_the_weight_whose_mean_prediction_is_nearest() -> None:
    found = matched_settings(RUNS, "accuracy", {"frem": 0.85, "adv": 0.99, "mmd:mean": 0.5})
    assert found["series"].tolist() == ["frem", "adv"]
    frem = found.iloc[0]
    assert (frem["weight"], frem["seeds"]) == (2.0, 2)
    assert frem["hgr"] == pytest.approx(0.15)
    assert frem["hgr.se"] == pytest.approx(0.05)


def test_one_seed_has_no_standard_error() -> None:
    found = matched_settings(RUNS, "accuracy", {"adv": 0.7})
    assert found["hgr.se"].isna().all()
