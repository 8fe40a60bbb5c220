"""X as people really have it: categories, gaps, dates, and mistakes."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from frem_core import FREMClassifier, FREMRepresentation
from frem_core.datasets import fetch_adult, load_dataset, prepare, split_dataset
from frem_core.errors import DataError
from frem_core.estimators.features import readable_columns
from tests.estimators.people import QUICK, people

X, y, age = people()


def model(**settings):
    return FREMClassifier(**{**QUICK, "random_state": 0, **settings})


def fit(table):
    return model().fit(table, y, sensitive_features=age)


def inputs(fitted, table):
    """What the network gets to see."""
    encoding = fitted.predictor_.encoding
    return encoding.transform(readable_columns(fitted._further_rows(table), encoding))


def test_a_table_is_encoded_as_the_datasets_are():
    adult = load_dataset("adult")
    split = split_dataset(adult, seed=0, test_size=0.99)
    data = prepare(adult, split)
    bunch = fetch_adult(encode=False)
    table = bunch.data.iloc[split.train]
    fitted = model(epochs=1).fit(
        table,
        bunch.target.iloc[split.train],
        sensitive_features=bunch.sensitive_features.iloc[split.train],
    )
    assert fitted.predictor_.encoding.feature_names == data.feature_names
    np.testing.assert_array_equal(inputs(fitted, table), data.train.x)
    np.testing.assert_array_equal(inputs(fitted, bunch.data.iloc[split.test[:500]]),
                                  data.test.x[:500])  # fmt: skip
    assert fitted.n_features_in_ == table.shape[1]
    assert fitted.feature_names_in_.tolist() == table.columns.tolist()


def test_numbers_are_scaled_to_the_range_of_fit():
    numbers = X[["years_of_work", "skill"]]
    fitted = fit(numbers)
    assert inputs(fitted, numbers).min() == 0
    assert inputs(fitted, numbers).max() == 1
    assert inputs(fitted, numbers * 2 + 100).max() > 1


def test_missing_numbers_become_the_median():
    holes = X.assign(skill=X["skill"].where(np.arange(len(X)) % 5 > 0))
    fitted = fit(holes)
    filled = holes.assign(skill=holes["skill"].fillna(holes["skill"].median()))
    np.testing.assert_allclose(inputs(fitted, holes), inputs(fitted, filled))
    array = holes[["years_of_work", "skill"]].to_numpy()
    assert np.isfinite(fit(array).predict_proba(array)).all()


@pytest.mark.parametrize("dtype", ["object", "str", "category"])
def test_a_missing_category_is_a_category_of_its_own(dtype):
    holes = X.assign(city=X["city"].where(X["city"] != "west").astype(dtype))
    fitted = fit(holes)
    outputs = fitted.predictor_.encoding.feature_names[2:]
    assert set(outputs) == {"city=missing", "city=north", "city=south"}
    assert inputs(fitted, holes)[:, 2:].sum(axis=1).tolist() == [1] * len(X)


def test_a_category_never_seen_counts_as_none():
    fitted = fit(X)
    assert (inputs(fitted, X.assign(city="mars"))[:, 2:] == 0).all()


def test_dates_are_days():
    since = pd.Timestamp("2020-01-01")
    days = np.arange(len(X)) % 100
    dated = X.assign(seen=since + pd.to_timedelta(days, unit="D"))
    numbered = X.assign(seen=days.astype(float))
    np.testing.assert_allclose(
        inputs(fit(dated), dated), inputs(fit(numbered), numbered), atol=1e-6
    )
    only_numbers = dated.drop(columns="city")
    assert np.isfinite(fit(only_numbers).predict_proba(only_numbers)).all()


def test_booleans_and_objects_with_numbers_are_numbers():
    table = X.assign(good=X["skill"] > 0, skill=X["skill"].astype(object))
    assert fit(table).predictor_.encoding.feature_names[:2] == ("years_of_work", "skill")


def test_decimals_dates_and_durations_are_numbers_whatever_holds_them():
    days = np.arange(len(X))
    plain = X.assign(paid=days / 4, since=pd.Timestamp("2020-01-01") + pd.to_timedelta(days, "D"))
    fitted = fit(plain)
    told = inputs(fitted, plain)
    held = {
        "paid": [Decimal(number) / 4 for number in days.tolist()],
        "since": plain["since"].dt.date,
    }
    np.testing.assert_array_equal(inputs(fitted, plain.assign(**held)), told)
    np.testing.assert_array_equal(
        inputs(fitted, plain.assign(since=plain["since"].dt.to_period("D"))), told
    )
    as_durations = plain.assign(paid=pd.to_timedelta(days / 4, "D"))
    np.testing.assert_allclose(inputs(fitted, as_durations), told, rtol=1e-6)
    again = fit(plain.assign(**held))
    np.testing.assert_array_equal(inputs(again, plain), told)


def test_a_row_without_any_value_of_a_column_has_the_median():
    table = X.assign(paid=[Decimal(number) for number in range(len(X))])
    fitted = fit(table)
    alone, median = table.head(1).assign(paid=None), table.head(1).assign(paid=(len(X) - 1) / 2)
    np.testing.assert_array_equal(inputs(fitted, alone), inputs(fitted, median))


def test_sensitive_values_in_another_order_than_the_rows_are_refused():
    named = X.set_axis([f"person {number}" for number in range(len(X))])
    ages = pd.Series(np.asarray(age), index=named.index)
    mixed = ages.sample(frac=1, random_state=0)
    for estimator in (model(epochs=1), FREMRepresentation(epochs=1)):
        with pytest.raises(DataError, match=r"another order; give sensitive_features.loc"):
            estimator.fit(named, y, sensitive_features=mixed)
    told = model(epochs=1).fit(named, y, sensitive_features=ages).predict_proba(named)
    right = model(epochs=1).fit(named, y, sensitive_features=mixed.loc[named.index])
    np.testing.assert_array_equal(right.predict_proba(named), told)
    model(epochs=1).fit(named, y, sensitive_features=mixed.to_numpy())  # as they stand


def test_tables_of_other_libraries_are_those_of_pandas():
    import pyarrow

    told = fit(X).predict_proba(X)
    table = pyarrow.Table.from_pandas(X)
    people_of = pyarrow.Table.from_pandas(pd.DataFrame({"age": np.asarray(age)}))
    again = model().fit(table, y, sensitive_features=people_of)
    np.testing.assert_array_equal(again.predict_proba(table), told)
    assert again.feature_names_in_.tolist() == X.columns.tolist()


def test_columns_may_have_no_names_or_numbers_as_names():
    array = X[["years_of_work", "skill"]].to_numpy()
    numbered = pd.DataFrame(array, index=X.index)
    expected = fit(array).predict_proba(array)
    np.testing.assert_array_equal(fit(numbered).predict_proba(numbered), expected)
    assert not hasattr(fit(numbered), "feature_names_in_")
    mixed = X.set_axis([0, 1, 2], axis=1)
    np.testing.assert_array_equal(fit(mixed).predict_proba(mixed), fit(X).predict_proba(X))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda table: table.assign(city=[f"person {i}" for i in range(len(table))]), None),
        (lambda table: table.assign(skill=np.inf), "'skill' contains infinity"),
        (lambda table: table.set_axis(["a", "b", "a"], axis=1), "more than one column called 'a'"),
        (lambda table: table.iloc[:2], "n_samples = 2"),
    ],
)
def test_tables_that_cannot_be_used_are_refused(change, words, monkeypatch):
    monkeypatch.setattr("frem_core.estimators.features.MOST_LEVELS", 100)
    with pytest.raises(DataError, match=words or "'city' has 240 different values"):
        fit(change(X))


def test_other_columns_at_prediction_are_refused():
    fitted = fit(X)
    with pytest.raises(DataError, match="'skill' held numbers at fit; now it holds text"):
        fitted.predict(X.assign(skill="high"))
    with pytest.raises(DataError, match="give a DataFrame with the same columns, not ndarray"):
        fitted.predict(X.to_numpy())
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(X.rename(columns={"skill": "talent"}))
    with pytest.raises(ValueError, match="must be in the same order"):
        fitted.predict(X[["skill", "city", "years_of_work"]])
    with pytest.raises(DataError, match="infinity"):
        fitted.predict(X.assign(skill=-np.inf))


def test_text_where_numbers_were_is_refused():
    numbers = X[["years_of_work", "skill"]]
    with pytest.raises(ValueError, match="could not convert string to float"):
        fit(numbers).predict(numbers.assign(skill="high"))


def test_a_predictor_finds_its_columns_in_a_raw_table():
    raw = X.assign(
        seen=pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(len(X)) % 100, unit="D"),
        city=X["city"].where(np.arange(len(X)) % 7 > 0),
    )
    fitted = fit(raw)
    wider = raw.assign(name="somebody")[["name", "city", "seen", "skill", "years_of_work"]]
    predictor = fitted.predictor_
    np.testing.assert_array_equal(predictor.score(wider), fitted.predict_proba(raw)[:, 1])
    assert predictor.predict(wider).tolist() == fitted.predict(raw).tolist()
    with pytest.raises(DataError, match="lacks the feature columns skill"):
        predictor.predict(raw.drop(columns="skill"))
    with pytest.raises(DataError, match="'seen' held numbers at fit"):
        predictor.predict(raw.assign(seen="yesterday"))
