"""Targets with more than two classes: from a table to class numbers in every part of a split."""

from dataclasses import fields

import numpy as np
import pytest

from frem_core.datasets import load_table, prepare, split_dataset
from frem_core.errors import ConfigError, DataError
from frem_core.limits import Limit, train_within
from frem_core.methods import get_method
from frem_core.roles import Roles, RoleSettings
from frem_core.training import TrainingConfig, grid, train
from tests.graded import graded


def test_text_of_a_few_kinds_is_classes_and_the_one_that_is_meant_is_shown() -> None:
    table = graded()
    dataset = load_table(table, target="grade", sensitive="age")
    assert dataset.task == "classification"
    assert dataset.class_names == ("fail", "pass", "resit")  # "pass" is meant, "fail" is not
    names = np.array(dataset.class_names)[dataset.target.astype(int)]
    assert names.tolist() == table["grade"].tolist()
    assert dataset.outcome.tolist() == (table["grade"] == "pass").tolist()
    assert any("grade has 3 classes: fail, pass, resit." in note for note in dataset.notes)
    shown = load_table(table, target="grade", sensitive="age", positive_class="resit")
    assert shown.class_names == ("fail", "resit", "pass")
    with pytest.raises(DataError, match=r"'rest' is no class of 'grade'.*Did you mean 'resit'"):
        load_table(table, target="grade", sensitive="age", positive_class="rest")


def test_numbers_are_classes_only_when_that_is_said() -> None:
    table = graded()
    table["grade"] = table["grade"].map({"fail": 5, "resit": 3, "pass": 1})
    assert load_table(table, target="grade", sensitive="age").task == "regression"
    dataset = load_table(table, target="grade", sensitive="age", task="classification")
    assert dataset.class_names == ("1", "5", "3")  # the largest is shown


def test_a_class_with_hardly_any_rows_is_named() -> None:
    table = graded()
    table.loc[:2, "grade"] = "absent"
    with pytest.raises(DataError, match="Class 'absent' of the target column 'grade' has 3 rows"):
        load_table(table, target="grade", sensitive="age")


def test_every_part_of_a_split_has_the_shares_of_the_whole() -> None:
    dataset = load_table(graded(), target="grade", sensitive="age")
    data = prepare(dataset, split_dataset(dataset, seed=1))
    whole = np.bincount(dataset.target.astype(int)) / dataset.n_rows
    for part in (data.train, data.test):
        assert part.classes == 3
        assert part.of(slice(0, 5)).classes == 3
        shares = np.bincount(part.y.astype(int)) / len(part)
        np.testing.assert_allclose(shares, whole, atol=0.02)


def test_a_grid_trains_side_by_side_as_each_would_alone() -> None:
    dataset = load_table(graded(), target="grade", sensitive="age")
    data = prepare(dataset, split_dataset(dataset))
    config = TrainingConfig(epochs=3, batch_size=100, hidden=(6, 4))
    members = grid([0.0, 1.0])
    method = get_method("frem")()
    models = train(data.train, task=data.task, method=method, config=config, members=members)
    for model, member in zip(models, members, strict=True):
        p = model.predict(data.test.x)
        assert p.shape == (len(data.test), 3)
        (alone,) = train(data.train, task=data.task, method=method, config=config, members=[member])
        np.testing.assert_array_equal(alone.predict(data.test.x), p)


def test_what_needs_two_classes_says_so() -> None:
    dataset = load_table(graded(), target="grade", sensitive="age")
    part = prepare(dataset, split_dataset(dataset)).train
    method = get_method("frem")
    with pytest.raises(ConfigError, match="needs two classes, not 3"):
        train(part, task="classification", method=method(fairness="eo"))
    geo = Limit(score="geo", keep=0.5)
    with pytest.raises(ConfigError, match=r"geo\) is not defined for 3 classes; limit one of hgr"):
        train_within(part, task="classification", method=method(), limits=[geo])


def test_the_keywords_of_roles_are_offered_by_editors() -> None:
    assert set(RoleSettings.__annotations__) == {field.name for field in fields(Roles)}
