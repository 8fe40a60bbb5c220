import numpy as np
import pandas as pd
import pytest

from frem_core.datasets import load_table, prepare, read_table, split_dataset, table_to_dataset
from frem_core.errors import ConfigError, DataError
from tests.datasets.people import people


def load(frame=None, **options):
    frame = people() if frame is None else frame
    return load_table(frame, **{"target": "hired", "sensitive": "age", **options})


def notes(dataset):
    return " ".join(dataset.notes)


def test_an_ordinary_table():
    frame = people()
    dataset = load(frame)
    assert dataset.task == "classification"
    assert dataset.class_names == ("no", "yes")
    assert np.array_equal(dataset.target, (frame["hired"] == "yes").astype(float))
    assert np.array_equal(dataset.sensitive, frame["age"])
    assert list(dataset.features.columns) == ["hours", "city"]
    assert dataset.features["city"].cat.categories.tolist() == ["Jena", "Köln", "Ulm"]
    data = prepare(dataset, split_dataset(dataset, validation_size=0.2))
    assert data.feature_names == ("hours", "city=Jena", "city=Köln", "city=Ulm")


def test_reading_first_and_choosing_later_gives_the_same(tmp_path):
    path = tmp_path / "people.csv"
    people().to_csv(path, index=False)
    at_once = load_table(path, target="hired", sensitive="age")
    later = table_to_dataset(read_table(path), target="hired", sensitive="age", name="people")
    assert at_once.name == later.name == "people"
    assert at_once.fingerprint == later.fingerprint
    assert at_once.notes == later.notes


def test_the_frame_of_the_caller_is_not_touched():
    frame = people()
    frame.loc[3, "age"] = 44
    copy = frame.copy(deep=True)
    load(frame)
    pd.testing.assert_frame_equal(frame, copy)


@pytest.mark.parametrize(
    ("target", "task", "expected", "classes"),
    [
        ([0, 1], "auto", "classification", ("0", "1")),
        ([2.0, 1.0], "auto", "classification", ("1", "2")),
        ([True, False], "auto", "classification", ("False", "True")),
        (["true", "false"], "auto", "classification", ("False", "True")),
        (["Yes", "No"], "auto", "classification", ("No", "Yes")),
        (["a", "b"], "auto", "classification", ("a", "b")),
        ([1, 2, 3], "auto", "regression", None),
        ([0, 1], "regression", "regression", None),
    ],
)
def test_the_task_follows_the_target(target, task, expected, classes):
    dataset = load(people().assign(hired=np.resize(target, 120)), task=task)
    assert (dataset.task, dataset.class_names) == (expected, classes)
    if classes:
        assert f"Class 1 is hired = {classes[1]}" in notes(dataset)


def test_the_positive_class_can_be_chosen():
    plain, turned = load(), load(positive_class="no")
    assert turned.class_names == ("yes", "no")
    assert np.array_equal(turned.target, 1 - plain.target)


def test_rows_without_target_or_sensitive_are_dropped_and_counted():
    frame = people()
    frame["age"] = frame["age"].astype(float)
    frame.loc[:9, "age"] = np.nan
    frame.loc[5:14, "hired"] = None
    dataset = load(frame)
    assert dataset.n_rows == 105
    assert "15 of 120 rows without hired or age were dropped." in dataset.notes


def test_missing_features_by_the_stated_rule():
    frame = people()
    frame.loc[[0, 1], "hours"] = np.nan
    frame.loc[[2], "city"] = None
    dataset = load(frame)
    assert "Missing numbers become the median of the training rows: hours (2)." in dataset.notes
    assert "a category of their own, 'missing': city (1)." in notes(dataset)
    assert dataset.features["city"].iloc[2] == "missing"
    split = split_dataset(dataset, seed=0)
    data = prepare(dataset, split)
    median = dataset.features["hours"].iloc[split.train].median()
    low = dataset.features["hours"].iloc[split.train].min()
    high = dataset.features["hours"].iloc[split.train].max()
    part = data.train if 0 in split.train else data.test
    found = part.x[np.flatnonzero(part.rows == 0)[0], 0]
    assert found == pytest.approx((median - low) / (high - low), rel=1e-6)


def test_useless_columns_are_left_out_with_a_word():
    frame = people().assign(
        number=range(120),
        person_id=np.random.default_rng(0).permutation(120) * 7,
        country="DE",
        zero=0.0,
        remark=[f"remark {row}" for row in range(120)],
        opened=[f"text {row % 60}" for row in range(120)],
    )
    dataset = load(frame)
    assert list(dataset.features.columns) == ["hours", "city", "opened"]
    assert "only number or name the rows: number, person_id." in notes(dataset)
    assert "one value only: country, zero." in notes(dataset)
    assert "too many different values: remark (120, e.g. 'remark 0')." in notes(dataset)
    assert "number" in load(frame, features=["number", "hours"]).features


def test_more_than_a_hundred_levels_are_too_many():
    frame = people(1000).assign(code=[f"c{row % 101}" for row in range(1000)])
    assert "code" not in load(frame).features
    frame["code"] = [f"c{row % 100}" for row in range(1000)]
    assert "code" in load(frame).features


def test_dates_booleans_and_sensitive_dates():
    days = pd.date_range("1960-01-01", periods=120, freq="100D")
    frame = people().assign(
        since=days, born=days.strftime("%d.%m.%Y"), flag=np.resize([True, False, False], 120)
    )
    dataset = load(frame, sensitive="born")
    assert dataset.sensitive[0] == 1960
    assert dataset.sensitive[-1] == pytest.approx(1960 + 119 * 100 / 365.25, abs=0.01)
    assert dataset.features["since"].iloc[0] == (days[0] - pd.Timestamp("1970-01-01")).days
    assert set(dataset.features["flag"]) == {0, 1}
    assert "The dates of 'born' became years" in notes(dataset)
    assert "days since 1 January 1970: since." in notes(dataset)
    assert "1 and 0: flag." in notes(dataset)


def test_percentages_and_categories_as_sensitive():
    share = people().assign(share=[f"{row % 97},5 %" for row in range(120)])
    with pytest.raises(ValueError, match="not numeric"):
        load(share, sensitive="share")  # a decimal comma in a frame cannot be told from thousands
    share["share"] = [f"{row % 97}.5 %" for row in range(120)]
    dataset = load(share, sensitive="share")
    assert dataset.sensitive.max() == 96.5
    assert "in per cent" in notes(dataset)
    for values in (people()["age"], people()["age"].astype(str)):
        frame = people().assign(age=values.astype("category"))
        assert np.array_equal(load(frame).sensitive, people()["age"])


def test_chosen_features_and_their_order():
    frame = people().assign(extra=np.random.default_rng(1).normal(size=120))
    assert list(load(frame, features=["extra", "hours", "extra"]).features) == ["extra", "hours"]
    assert list(load(frame, features="hours").features) == ["hours"]


def test_categories_that_are_numbers_stay_categories():
    frame = people().assign(zone=pd.Categorical(np.resize([1, 2, 3], 120)))
    assert load(frame).features["zone"].cat.categories.tolist() == ["1", "2", "3"]


def test_numbered_columns_of_a_frame_can_be_named_as_text_or_number():
    frame = people().set_axis([0, 1, 2, 3], axis=1)
    dataset = load_table(frame, target=3, sensitive="0")
    assert list(dataset.features.columns) == ["1", "2"]


def test_unknown_task_is_a_config_error():
    with pytest.raises(ConfigError, match="not 'ranking'"):
        load(task="ranking")


@pytest.mark.parametrize(
    ("negative", "positive"),
    [
        ("nein", "ja"),
        ("non", "oui"),
        ("no", "sí"),
        ("нет", "да"),
        ("false", "TRUE"),
        ("<=50K", ">50K"),
        ("≤ 2000", "> 2000"),
        ("rejected", "approved"),
        ("not hired", "hired"),
        ("open", "yes"),  # only one of them says what it means
        ("no", "late"),
        (1, 2),
    ],
)
def test_the_positive_class_is_the_one_that_is_meant(negative, positive):
    frame = people()
    # The positive one is the more frequent here, so that its rarity cannot decide.
    frame["hired"] = np.where(np.arange(len(frame)) % 3 == 0, negative, positive)
    label = {"TRUE": "True", "false": "False"}
    expected = tuple(label.get(str(name), str(name)) for name in (negative, positive))
    assert load(frame).class_names == expected


def test_of_two_names_the_rarer_class_is_looked_for():
    frame = people()
    frame["hired"] = np.where(np.arange(len(frame)) % 4 == 0, "cat", "dog")
    assert load(frame).class_names == ("dog", "cat")
    assert load(frame, positive_class="dog").class_names == ("cat", "dog")


def test_a_column_of_the_wrong_type_can_be_changed():
    frame = people().assign(code=[10, 20, 30] * 40)
    assert str(load(frame).features["code"].dtype) == "int64"
    dataset = load(frame, as_text=["code"])
    assert dataset.features["code"].cat.categories.tolist() == ["10", "20", "30"]
    texts = frame["hours"].astype(str)
    texts[::10] = "unknown"
    frame["hours"] = texts
    assert "hours" not in load(frame).features  # text with too many values
    numbers = load(frame, as_numbers=["hours"]).features["hours"]
    assert numbers.isna().sum() == 12
    with pytest.raises(DataError, match="at once"):
        load(frame, as_text=["code"], as_numbers=["code"])
    with pytest.raises(DataError, match="Did you mean 'code'"):
        load(frame, as_text=["cod"])


def test_a_sensitive_attribute_with_few_values_is_noted():
    frame = people()
    frame["age"] = np.arange(len(frame)) % 6 + 1
    assert "'age' has 6 different values only" in notes(load(frame))
    frame["age"] = np.arange(len(frame)) % 12 + 1
    assert "different values only" not in notes(load(frame))
