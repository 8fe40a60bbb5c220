import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from frem_core.datasets import Dataset, load_dataset
from frem_core.errors import DataError


def small(**changes):
    fields = {
        "name": "small",
        "features": pd.DataFrame({"x": [1.0, 2.0, 3.0], "c": ["a", "b", "a"]}),
        "target": np.array([0.0, 1.0, 1.0]),
        "sensitive": np.array([10.0, 20.0, 30.0]),
        "task": "classification",
        "target_name": "y",
        "sensitive_name": "s",
    }
    return Dataset(**{**fields, **changes})


def test_fingerprint_is_the_same_in_a_fresh_process():
    code = "from frem_core.datasets import load_dataset; print(load_dataset('crime').fingerprint)"
    fresh = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert fresh == load_dataset("crime").fingerprint


@pytest.mark.parametrize(
    "changes",
    [
        {"target": np.array([1.0, 1.0, 1.0])},
        {"sensitive": np.array([10.0, 20.0, 31.0])},
        {"features": pd.DataFrame({"x": [1.0, 2.0, 3.5], "c": ["a", "b", "a"]})},
        {"features": pd.DataFrame({"z": [1.0, 2.0, 3.0], "c": ["a", "b", "a"]})},
        {"features": pd.DataFrame({"x": [1.0, 2.0, 3.0], "c": ["a", "b", "b"]})},
        {"features": pd.DataFrame({"x": [1.0, 2.0, 3.0], "c": ["a", "d", "a"]})},
        {"features": pd.DataFrame({"x": [1.0, 2.0, np.nan], "c": ["a", "b", "a"]})},
        {"folds": np.array([True, False, True])},
        {"task": "regression"},
    ],
)
def test_fingerprint_changes_with_the_content(changes):
    assert small(**changes).fingerprint != small().fingerprint


def test_fingerprint_ignores_names_and_words():
    renamed = replace(small(), name="other", notes=("a note",), description="words")
    assert renamed.fingerprint == small().fingerprint
    halves = {"x": pd.Series([1, 2, 3], dtype="Int64"), "c": ["a", "b", "a"]}
    assert small(features=pd.DataFrame(halves)).fingerprint == small().fingerprint


def test_fingerprint_knows_levels_without_rows():
    declared = pd.Categorical(["a", "b", "a"], categories=["a", "b", "c"])
    features = pd.DataFrame({"x": [1.0, 2.0, 3.0], "c": declared})
    fewer = features.assign(c=features["c"].cat.remove_unused_categories())
    assert small(features=features).fingerprint != small(features=fewer).fingerprint


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"target": np.zeros(2)}, "target of 'small' has shape"),
        ({"sensitive": np.array([1.0, np.nan, 2.0])}, "sensitive of 'small' has missing"),
        ({"target": np.array([0.0, 1.0, 2.0])}, "coded 0.0 and 1.0"),
        ({"task": "ranking"}, "not 'ranking'"),
        ({"folds": np.ones(2, dtype=bool)}, "folds of 'small' have shape"),
        ({"features": pd.DataFrame(np.eye(3), columns=["a", 1, "1"])}, "same name"),
    ],
)
def test_a_dataset_cannot_be_inconsistent(changes, message):
    with pytest.raises(DataError, match=message):
        small(**changes)
