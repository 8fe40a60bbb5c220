"""What every registered metric owes its users; a new metric is checked without further lines."""

import pickle

import numpy as np
import pandas as pd
import pytest
import torch

from frem_core.errors import ConfigError, DataError
from frem_core.metrics import Metric, available_metrics, gdp, get_metric
from frem_core.metrics.metric import find_metric

ALL = [get_metric(name) for name in available_metrics()]
N = 120

every_metric = pytest.mark.parametrize("metric", ALL, ids=[metric.name for metric in ALL])


def _arrays(metric: Metric, seed: int = 0) -> list[np.ndarray]:
    """Positional arguments followed by the sensitive values, as the metric takes them."""
    random = np.random.default_rng(seed)
    s = random.random(N)
    p = np.clip(0.7 * s + 0.3 * random.random(N), 0, 1)
    y = (random.random(N) < p).astype(float)
    z = np.column_stack([p, random.normal(size=N)])
    return [z, s] if metric.measures == "representation" else [y, p, s]


def _value(metric: Metric, arrays: list) -> float:
    return metric(*arrays[:-1], sensitive_features=arrays[-1])


@every_metric
def test_describes_itself(metric: Metric) -> None:
    assert all(len(text) > 1 for text in (metric.label, metric.symbol, metric.formula))
    assert len(metric.help) > 20
    assert metric.tasks
    assert metric.axis_title.endswith(f"({metric.direction})")
    assert metric.symbol in metric.axis_title
    assert metric.__name__ == metric.name
    assert not (metric.purpose == "fairness" and metric.higher_is_better)
    assert metric.typical_floor is None or metric.has_noise_floor


@every_metric
def test_gives_a_plain_finite_float(metric: Metric) -> None:
    value = _value(metric, _arrays(metric))
    assert type(value) is float
    assert np.isfinite(value)


@every_metric
def test_the_order_of_rows_does_not_matter(metric: Metric) -> None:
    arrays = _arrays(metric)
    order = np.random.default_rng(1).permutation(N)
    assert _value(metric, [array[order] for array in arrays]) == pytest.approx(
        _value(metric, arrays), rel=1e-9, abs=1e-12
    )


@every_metric
def test_lists_frames_and_tensors_give_the_same_value(metric: Metric) -> None:
    arrays = _arrays(metric)
    value = _value(metric, arrays)
    assert _value(metric, [array.tolist() for array in arrays]) == value
    assert _value(metric, [torch.from_numpy(array) for array in arrays]) == value
    index = np.arange(N)[::-1] + 5
    assert _value(metric, [pd.DataFrame(array, index=index) for array in arrays]) == value


@every_metric
def test_inputs_stay_untouched(metric: Metric) -> None:
    arrays = _arrays(metric)
    kept = [array.copy() for array in arrays]
    _value(metric, arrays)
    assert all(np.array_equal(a, b) for a, b in zip(arrays, kept, strict=True))


@every_metric
def test_unequal_lengths_are_refused(metric: Metric) -> None:
    arrays = _arrays(metric)
    arrays[-2] = arrays[-2][:-1]
    with pytest.raises(DataError, match=r"same number of rows: .* has 119"):
        _value(metric, arrays)


@every_metric
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_missing_and_infinite_values_are_located(metric: Metric, bad: float) -> None:
    arrays = _arrays(metric)
    arrays[-2] = arrays[-2].copy()
    arrays[-2].reshape(N, -1)[4, 0] = bad
    with pytest.raises(DataError, match=r"1 missing or infinite values, the first in row 4"):
        _value(metric, arrays)


@every_metric
def test_text_is_refused(metric: Metric) -> None:
    arrays: list = _arrays(metric)
    arrays[-2] = ["many"] * N
    with pytest.raises(DataError, match="must hold numbers"):
        _value(metric, arrays)


@every_metric
def test_no_rows_are_refused(metric: Metric) -> None:
    with pytest.raises(DataError, match="rows are needed, but there are 0"):
        _value(metric, [array[:0] for array in _arrays(metric)])


@every_metric
def test_survives_pickling(metric: Metric) -> None:
    assert pickle.loads(pickle.dumps(metric)) == metric


of_fairness = pytest.mark.parametrize(
    "metric",
    [metric for metric in ALL if metric.purpose == "fairness"],
    ids=lambda metric: metric.name,
)


@of_fairness
def test_constant_predictions_are_perfectly_fair(metric: Metric) -> None:
    arrays = _arrays(metric)
    arrays[-2] = np.full_like(arrays[-2], 0.3)
    assert _value(metric, arrays) == 0


@of_fairness
def test_sensitive_values_without_gaps_only(metric: Metric) -> None:
    arrays = _arrays(metric)
    arrays[-1][3] = np.nan
    with pytest.raises(DataError, match="sensitive_features has 1 missing"):
        _value(metric, arrays)


@of_fairness
def test_dependent_predictions_score_worse_than_shuffled_ones(metric: Metric) -> None:
    arrays = _arrays(metric)
    shuffled = [*arrays[:-1], np.random.default_rng(2).permutation(arrays[-1])]
    assert _value(metric, arrays) > _value(metric, shuffled)


def test_errors_are_shown_as_one_minus_their_value() -> None:
    mae = get_metric("mae")
    assert mae.axis_title == "1 − mean absolute error, 1 − MAE (higher is better)"
    assert mae.axis_value(0.1) == 0.9
    assert mae.higher_is_better_on_axis
    assert get_metric("gdp").axis_value(0.1) == 0.1


def test_the_paper_s_scores_are_all_there() -> None:
    assert {"accuracy", "average_precision", "mse", "mae", "gdp", "geo", "hgr"} < set(
        available_metrics()
    )
    assert {"mutual_information", "representation_mutual_information"} < set(available_metrics())


def test_unknown_names_get_a_suggestion() -> None:
    with pytest.raises(ConfigError, match="Did you mean 'hgr'"):
        get_metric("hrg")


def test_a_function_leads_to_its_description() -> None:
    assert find_metric(gdp) is get_metric("gdp")
    assert find_metric(get_metric("gdp")) is get_metric("gdp")
    assert find_metric(lambda y_true, y_pred: 0.0) is None


def test_probabilities_of_both_classes_are_refused() -> None:
    with pytest.raises(DataError, match=r"predict_proba\(X\)\[:, 1\]"):
        gdp(None, np.full((5, 2), 0.5), sensitive_features=np.linspace(0, 1, 5))


def test_two_rows_are_too_few_for_a_gap() -> None:
    with pytest.raises(DataError, match="At least 3 rows are needed, but there are 2"):
        gdp(None, [0.1, 0.2], sensitive_features=[0, 1])
