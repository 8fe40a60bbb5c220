"""Differences of RMSE, by hand."""

import pandas as pd
import pytest

from frem_core.reproduction.simulation_study import rmse_gaps


def estimates(proposed: list[float], binning: list[float]) -> pd.DataFrame:
    rows = [
        ("case", 100, estimator, setting, number, value, 0.0)
        for estimator, setting, values in (
            ("proposed", 0.3, [9.0] * len(proposed)),
            ("proposed", 0.5, proposed),
            ("binning", 2.0, binning),
        )
        for number, value in enumerate(values)
    ]
    columns = ["case", "n", "estimator", "setting", "replicate", "estimate", "truth"]
    return pd.DataFrame(rows, columns=columns)


def test_compares_best_settings() -> None:
    (gap,) = rmse_gaps(estimates([1.0, -1.0, 1.0], [2.0, 2.0, -2.0]), "binning")
    assert (gap.ours, gap.other) == (0.5, 2.0)
    assert gap.value == pytest.approx(-1.0)
    assert gap.low == gap.high == pytest.approx(-1.0)


def test_equal_estimators_differ_by_nothing() -> None:
    (gap,) = rmse_gaps(estimates([1.0, -3.0], [-1.0, 3.0]), "binning")
    assert gap.value == gap.low == gap.high == 0.0
