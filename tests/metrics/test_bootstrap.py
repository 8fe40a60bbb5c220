import numpy as np
import pytest

from frem_core.errors import ConfigError, DataError
from frem_core.metrics import bootstrap, gdp, mae, mutual_information


def _rows(n: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    s = random.random(n)
    p = np.clip(s + 0.3 * random.normal(size=n), 0, 1)
    return random.random(n), p, s


def test_spread_of_a_mean_is_its_standard_error() -> None:
    y, p, s = _rows(400)
    errors = np.abs(p - y)
    result = bootstrap(mae, y, p, sensitive_features=s, n_resamples=2000)
    standard_error = errors.std() / np.sqrt(400)
    assert result.estimate == mae(y, p)
    assert result.mean == pytest.approx(errors.mean(), abs=4 * standard_error / np.sqrt(2000))
    assert result.sd == pytest.approx(standard_error, rel=0.1)
    assert result.cv == pytest.approx(result.sd / result.mean)
    assert (result.high - result.low) / 2 == pytest.approx(1.96 * standard_error, rel=0.1)


def test_equal_to_resampling_by_hand() -> None:
    y, p, s = _rows(50)
    result = bootstrap("gdp", y, p, sensitive_features=s, n_resamples=30, confidence=0.8)
    values = []
    for seed in np.random.SeedSequence(0).spawn(30):
        rows = np.random.default_rng(seed).integers(50, size=50)
        values.append(gdp(y[rows], p[rows], sensitive_features=s[rows]))
    assert result.mean == pytest.approx(np.mean(values))
    assert result.sd == pytest.approx(np.std(values, ddof=1))
    assert [result.low, result.high] == pytest.approx(np.quantile(values, [0.1, 0.9]))
    assert (result.n_resamples, result.confidence) == (30, 0.8)


def test_the_seed_decides_and_the_number_of_workers_does_not() -> None:
    y, p, s = _rows()
    first = bootstrap(gdp, y, p, sensitive_features=s, n_resamples=60)
    assert bootstrap(gdp, y, p, sensitive_features=s, n_resamples=60, n_jobs=2) == first
    other = bootstrap(gdp, y, p, sensitive_features=s, n_resamples=60, random_state=1)
    assert other.mean != first.mean


def test_repeated_rows_lift_mutual_information() -> None:
    y, p, s = _rows(150)
    result = bootstrap(mutual_information, y, p, sensitive_features=s, n_resamples=20)
    assert result.mean > result.estimate


def test_representations_and_own_functions_can_be_resampled() -> None:
    y, p, s = _rows(60)
    z = np.column_stack([p, y])
    by_name = bootstrap("representation_mutual_information", z, sensitive_features=s, n_resamples=5)
    assert by_name.sd > 0

    def correlation(y_true, y_pred, *, sensitive_features):
        return float(np.corrcoef(y_pred, sensitive_features)[0, 1])

    own = bootstrap(correlation, y, p, sensitive_features=s, n_resamples=50)
    assert own.low < own.estimate < own.high


def test_options_reach_the_metric() -> None:
    y, p, s = _rows()
    narrow = bootstrap(gdp, y, p, sensitive_features=s, n_resamples=5, bandwidth=0.05)
    assert narrow.estimate == gdp(y, p, sensitive_features=s, bandwidth=0.05)


def test_a_score_that_never_moves_has_no_variation() -> None:
    _, _, s = _rows()
    result = bootstrap(gdp, None, np.full(200, 0.5), sensitive_features=s, n_resamples=5)
    assert (result.mean, result.sd, result.cv, result.low, result.high) == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("setting", [{"n_resamples": 1}, {"confidence": 1.0}, {"confidence": 0}])
def test_settings_that_make_no_sense_are_refused(setting: dict[str, float]) -> None:
    y, p, s = _rows()
    with pytest.raises(ConfigError, match=next(iter(setting))):
        bootstrap(gdp, y, p, sensitive_features=s, **setting)


def test_unequal_lengths_are_refused() -> None:
    y, p, s = _rows()
    with pytest.raises(DataError, match="same number of rows"):
        bootstrap(gdp, y, p[:-1], sensitive_features=s)
