from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from frem_core.datasets import Dataset, MinMax, Split, load_dataset, prepare, split_dataset
from frem_core.errors import DataError


def rows(*numbers):
    return np.array(numbers, dtype=np.int64)


SPLIT = Split(train=rows(0, 1, 2), validation=rows(3), test=rows(4, 5), kind="random", seed=0)


def dataset(**changes):
    fields = {
        "name": "d",
        "features": pd.DataFrame(
            {
                "x": [0.0, 10.0, np.nan, 5.0, 1000.0, np.nan],
                "c": ["a", "b", "a", "b", "new", None],
            }
        ),
        "target": np.array([2.0, 4.0, 6.0, 5.0, 100.0, -3.0]),
        "sensitive": np.array([20.0, 40.0, 60.0, 50.0, 90.0, 0.0]),
        "task": "regression",
        "target_name": "y",
        "sensitive_name": "s",
    }
    return Dataset(**{**fields, **changes})


def test_everything_is_fitted_on_the_training_rows_only():
    data = prepare(dataset(), SPLIT)
    assert data.sensitive_scale == MinMax(20.0, 60.0)
    assert data.target_scale == MinMax(2.0, 6.0)
    assert data.feature_names == ("x", "c=a", "c=b")
    # Range 0–10 and median 5 of the training rows, although the test rows reach 1,000.
    assert data.train.x.tolist() == [[0, 1, 0], [1, 0, 1], [0.5, 1, 0]]
    assert data.test.x.tolist() == [[100, 0, 0], [0.5, 0, 0]]
    assert data.train.y.tolist() == [0, 0.5, 1]
    assert data.test.y.tolist() == [24.5, -1.25]


def test_changing_test_rows_changes_nothing_in_train():
    adult = load_dataset("adult")
    split = split_dataset(adult, seed=1)
    features = adult.features.copy()
    features.loc[split.test, "hours-per-week"] = 10_000
    sensitive = adult.sensitive.copy()
    sensitive[split.test] *= 100
    before, after = (
        prepare(data, split).train
        for data in (adult, replace(adult, features=features, sensitive=sensitive))
    )
    assert np.array_equal(before.x, after.x)
    assert np.array_equal(before.s, after.s)


def test_sensitive_is_clipped_and_can_be_shown_in_its_own_units():
    data = prepare(dataset(), SPLIT)
    assert data.train.s.tolist() == [0, 0.5, 1]
    assert data.validation.s.tolist() == [0.75]
    assert data.test.s.tolist() == [1, 0]
    assert data.sensitive_scale.inverse(data.validation.s).tolist() == [50.0]


def test_shapes_and_types():
    adult = load_dataset("adult")
    data = prepare(adult, split_dataset(adult, validation_size=0.2))
    for part in (data.train, data.validation, data.test):
        assert part.x.shape == (len(part), 101)
        assert (part.x.dtype, part.y.dtype, part.s.dtype) == (np.float32, np.float64, np.float64)
        assert part.s.min() >= 0
        assert part.s.max() <= 1
        assert set(part.y) == {0.0, 1.0}
        assert np.array_equal(part.y, adult.target[part.rows])
    assert data.train.x.min() == 0
    assert data.train.x.max() == 1
    assert len(data.train) + len(data.validation) + len(data.test) == 45_222


def test_columns_stay_when_the_training_rows_lack_a_level():
    adult = load_dataset("adult")
    small = Split(rows(*range(50)), rows(), rows(*range(50, 45_222)), "random", 0)
    data = prepare(adult, small)
    assert len(data.feature_names) == 101
    unseen = (data.train.x == 0).all(axis=0)
    assert unseen.any()
    # Min-max of a column that is constant in train: 0, so an unseen level is all zero.
    assert (data.test.x[:, unseen] == 0).all()
    assert data.validation is None


def test_crime_target_stays_in_its_own_units():
    crime = load_dataset("crime")
    data = prepare(crime, split_dataset(crime, seed=2))
    assert data.target_scale == MinMax(0.0, 1.0)
    assert np.array_equal(data.train.y, crime.target[data.train.rows])


def test_an_encoding_reads_new_rows_and_names_missing_columns():
    data = prepare(dataset(), SPLIT)
    new = pd.DataFrame({"c": ["b", "?"], "x": [20.0, 0.0]})
    assert data.encoding.transform(new).tolist() == [[2, 0, 1], [0, 0, 0]]
    with pytest.raises(DataError, match="lacks the feature columns x"):
        data.encoding.transform(new[["c"]])


def test_wild_test_values_stay_finite():
    features = pd.DataFrame({"x": [0.0, 5e-324, 0.0, 1.0, 1e90, -1e90]})
    data = prepare(dataset(features=features), SPLIT)
    assert np.isfinite(data.test.x).all()


def test_a_column_without_training_values_becomes_zero():
    features = pd.DataFrame({"x": [np.nan, np.nan, np.nan, 1.0, 2.0, 3.0], "w": range(6)})
    data = prepare(dataset(features=features), SPLIT)
    assert (data.test.x[:, 0] == 0).all()


def test_constant_sensitive_in_train_is_refused():
    constant = dataset(sensitive=np.array([1.0, 1.0, 1.0, 2.0, 3.0, 4.0]))
    with pytest.raises(DataError, match="sensitive column 's' is 1 in every training row"):
        prepare(constant, SPLIT)


def test_a_matrix_that_would_fill_the_memory_is_refused():
    n_rows, levels = 60_000, [f"level {k}" for k in range(9_000)]
    codes = np.zeros(n_rows, dtype=np.int64)
    features = pd.DataFrame({"x": codes, "wide": pd.Categorical.from_codes(codes, levels)})
    many = dataset(
        features=features, target=np.arange(n_rows) * 1.0, sensitive=np.arange(n_rows) * 1.0
    )
    with pytest.raises(DataError, match=r"60,000 × 9,001 numbers.* 2.2 GB.*widest: wide, x"):
        prepare(many, split_dataset(many))


def test_min_max_goes_there_and_back():
    scale = MinMax.fit(np.array([np.nan, 17.0, 90.0]))
    values = np.array([17.0, 42.5, 90.0, 100.0])
    assert scale.inverse(scale.transform(values)) == pytest.approx(values)
    assert MinMax(3.0, 3.0).transform([3.0, 9.0]).tolist() == [0, 0]
