import numpy as np
import pandas as pd
import pytest

from frem_core.datasets import (
    available_datasets,
    fetch_adult,
    fetch_crime,
    load_dataset,
    prepare,
    split_dataset,
)
from frem_core.errors import ConfigError
from frem_core.metrics import hgr


def test_adult_is_the_papers_and_needs_no_network(socket_disabled):
    adult = fetch_adult()
    assert adult.data.shape == (45222, 101)
    assert adult.target.mean() == pytest.approx(0.248, abs=5e-4)
    assert set(adult.target) == {0, 1}
    assert (adult.sensitive_features.min(), adult.sensitive_features.max()) == (17, 90)
    assert adult.sensitive_features.nunique() == 74
    assert adult.data.isna().sum().sum() == 0
    assert list(adult.data.columns) == adult.feature_names
    assert "CC BY 4.0" in adult.DESCR


def test_adult_with_age_differs_by_that_feature_alone():
    adult, with_age = load_dataset("adult"), load_dataset("adult_with_age")
    assert list(with_age.features) == [*adult.features, "age (as a feature)"]
    assert (with_age.features["age (as a feature)"] == adult.sensitive).all()
    pd.testing.assert_frame_equal(with_age.features[list(adult.features)], adult.features)
    assert with_age.fingerprint != adult.fingerprint
    assert (with_age.folds == adult.folds).all()


def test_crime_is_the_papers_and_needs_no_network(socket_disabled):
    crime = fetch_crime()
    assert crime.data.shape == (1994, 121)
    assert crime.data.isna().sum().sum() == 0
    assert (crime.target.min(), crime.target.max()) == (0, 1)
    assert crime.sensitive_features.name == "racepctblack"
    assert {"PctKids2Par", "PctPopUnderPov", "PctHousOccup"} <= set(crime.feature_names)
    assert not {"state", "county", "community", "communityname", "fold"} & set(crime.feature_names)


def test_adult_has_every_level_of_every_category():
    levels = {name: len(column.cat.categories) for name, column in _categories("adult").items()}
    assert levels == {
        "workclass": 7,
        "education": 16,
        "marital-status": 7,
        "occupation": 14,
        "relationship": 6,
        "race": 5,
        "sex": 2,
        "native-country": 41,
    }


def test_one_hot_columns_of_adult_sum_to_one_for_each_category():
    data = fetch_adult().data
    for name in _categories("adult"):
        group = data[[column for column in data.columns if column.startswith(f"{name}=")]]
        assert (group.sum(axis=1) == 1).all()


def test_adult_rows_are_in_file_order_adult_data_first():
    adult = load_dataset("adult")
    # The first rows of UCI's adult.data and, from row 30,162 on, of adult.test.
    assert adult.sensitive[:5].tolist() == [39, 50, 38, 53, 28]
    assert adult.sensitive[30162:30165].tolist() == [25, 38, 28]


@pytest.mark.parametrize(
    ("name", "n_train", "n_test"), [("adult", 32_561, 12_661), ("crime", 1_794, 200)]
)
def test_paper_table_sizes(name, n_train, n_test):
    split = split_dataset(load_dataset(name), kind="paper_table")
    assert (len(split.train), len(split.test)) == (n_train, n_test)
    if name == "adult":
        assert split.train.tolist() == list(range(n_train))


def test_arrays_and_pairs_like_scikit_learn():
    x, y = fetch_crime(as_frame=False, return_X_y=True)
    assert isinstance(x, np.ndarray)
    assert x.shape == (1994, 121)
    assert y.shape == (1994,)
    adult = fetch_adult(as_frame=False)
    assert isinstance(adult.sensitive_features, np.ndarray)
    assert "frame" not in adult
    assert fetch_crime().frame.shape == (1994, 123)


def test_adult_with_all_columns_and_without_encoding():
    assert fetch_adult(drop_columns=()).data.shape == (45222, 103)
    assert fetch_adult(encode=False).data.shape == (45222, 11)
    with pytest.raises(ConfigError, match="Did you mean 'fnlwgt'"):
        fetch_adult(drop_columns=("fnlwgth",))


def test_the_papers_datasets_are_there():
    papers = {"adult", "crime", "gaussian_bivariate", "gaussian_multivariate"}
    assert papers <= set(available_datasets())


# Rows, features as the source has them, distinct values of S, means of Y and of S; worked out from
# the published archives.
FACTS = {
    "rand_health": (20_186, 20, 1_703, 0.687506, 8_037.0247),
    "county_murders": (37_346, 10, 12_958, 0.323750, 7.823746),
    "michigan_schools": (1_823, 3, 1_654, 71.908996, 39.251903),
    "retirement_savings": (9_275, 5, 6_852, 0.254340, 39.254641),
}


@pytest.mark.parametrize("name", FACTS)
def test_tables_with_a_continuous_attribute_are_the_published_ones(name, socket_disabled):
    dataset = load_dataset(name)
    rows, features, distinct, target, sensitive = FACTS[name]
    assert dataset.features.shape == (rows, features)
    assert dataset.features.isna().sum().sum() == 0
    assert len(np.unique(dataset.sensitive)) == distinct
    assert dataset.target.mean() == pytest.approx(target, abs=1e-5)
    assert dataset.sensitive.mean() == pytest.approx(sensitive, rel=1e-6)
    assert dataset.sensitive_name not in dataset.features.columns
    assert "Why it matters: " in dataset.description
    assert "Source" in dataset.description


@pytest.mark.parametrize("name", FACTS)
def test_even_a_linear_prediction_follows_the_continuous_attribute(name):
    dataset = load_dataset(name)
    data = prepare(dataset, split_dataset(dataset, seed=0))
    train, test = (
        np.column_stack([part.x, np.ones(len(part))]) for part in (data.train, data.test)
    )
    weights, *_ = np.linalg.lstsq(train, data.train.y, rcond=None)
    p, y, s = test @ weights, data.test.y, data.test.s
    assert np.mean((p - y) ** 2) < 0.95 * np.var(y)
    shuffled = np.random.default_rng(0).permutation(s)
    assert hgr(y, p, sensitive_features=s) > 0.3 > 2 * hgr(y, p, sensitive_features=shuffled)


def test_unknown_dataset_proposes_a_name():
    with pytest.raises(ConfigError, match="Did you mean 'adult'"):
        load_dataset("adlut")


def test_arrays_of_a_dataset_are_read_only():
    crime = load_dataset("crime")
    for array in (crime.target, crime.sensitive, crime.folds):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def _categories(name):
    features = load_dataset(name).features
    return {column: features[column] for column in features.select_dtypes("category")}
