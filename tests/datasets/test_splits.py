import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frem_core.datasets import Dataset, load_dataset, repeated_splits, split_dataset
from frem_core.errors import ConfigError, DataError


def dataset(n_rows, n_positive=None):
    classes = n_positive is not None
    target = (
        (np.arange(n_rows) < n_positive).astype(float) if classes else np.linspace(0, 9, n_rows)
    )
    return Dataset(
        name="rows",
        features=pd.DataFrame({"x": np.arange(n_rows)}),
        target=target,
        sensitive=np.arange(n_rows, dtype=float),
        task="classification" if classes else "regression",
        target_name="y",
        sensitive_name="s",
    )


@given(
    n_rows=st.integers(20, 400),
    share=st.floats(0.1, 0.5),
    validation=st.sampled_from([0.0, 0.2, 0.5]),
    positive=st.none() | st.floats(0.1, 0.9),
    seed=st.integers(0, 2**40),
)
@settings(deadline=None, max_examples=60)
def test_a_split_is_a_partition_with_the_shares_asked_for(
    n_rows, share, validation, positive, seed
):
    rows = dataset(n_rows, None if positive is None else int(positive * n_rows))
    split = split_dataset(rows, seed=seed, test_size=share, validation_size=validation)
    parts = [split.train, split.validation, split.test]
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(n_rows))
    assert all(part.dtype == np.int64 and (np.diff(part) > 0).all() for part in parts)
    assert len(split.test) == np.ceil(share * n_rows)
    assert len(split.validation) == np.ceil(validation * (n_rows - len(split.test)))
    if positive is not None:
        expected = rows.target.mean() * len(split.test)
        assert abs(rows.target[split.test].sum() - expected) < 1


def test_same_seed_same_rows_in_a_fresh_process():
    code = (
        "import json; from frem_core.datasets import *\n"
        "s = split_dataset(load_dataset('crime'), seed=3, validation_size=0.2)\n"
        "print(json.dumps([s.train.tolist(), s.validation.tolist(), s.test.tolist()]))"
    )
    fresh = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    here = split_dataset(load_dataset("crime"), seed=3, validation_size=0.2)
    expected = [here.train.tolist(), here.validation.tolist(), here.test.tolist()]
    assert json.loads(fresh.stdout) == expected


def test_rows_of_a_seed_never_change():
    # Run identifiers hold the seed, not the rows: these rows must survive every new version.
    split = split_dataset(dataset(40, 10), seed=1, validation_size=0.25)
    assert split.test.tolist() == ROWS_OF_SEED_1["test"]
    assert split.validation.tolist() == ROWS_OF_SEED_1["validation"]


def test_five_random_splits_by_default():
    splits = repeated_splits(load_dataset("adult"))
    assert [split.seed for split in splits] == [0, 1, 2, 3, 4]
    assert {(len(split.train), len(split.test)) for split in splits} == {(36_177, 9_045)}
    assert not np.array_equal(splits[0].test, splits[1].test)


def test_validation_share_does_not_move_the_test_rows():
    rows = dataset(100, 30)
    plain, validated = split_dataset(rows, seed=5), split_dataset(rows, seed=5, validation_size=0.3)
    assert np.array_equal(plain.test, validated.test)
    assert set(validated.train) | set(validated.validation) == set(plain.train)


def test_paper_table_needs_the_papers_partition():
    with pytest.raises(ConfigError, match="no partition of the paper"):
        split_dataset(dataset(60), kind="paper_table")
    crime = split_dataset(load_dataset("crime"), kind="paper_table", validation_size=0.2)
    assert (len(crime.train), len(crime.validation), len(crime.test)) == (1435, 359, 200)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"kind": "randon"}, "Did you mean 'random'"),
        ({"seed": -1}, "at least 0"),
        ({"seed": 0.5}, "whole number"),
        ({"test_size": 0.0}, "between 0 and 1"),
        ({"test_size": 1.0}, "between 0 and 1"),
        ({"validation_size": 1.0}, "below 1"),
    ],
)
def test_wrong_arguments_are_explained(wrong, message):
    with pytest.raises(ConfigError, match=message):
        split_dataset(dataset(60), **wrong)


def test_too_few_rows_are_refused():
    with pytest.raises(DataError, match="too few rows"):
        split_dataset(dataset(1))


ROWS_OF_SEED_1: dict[str, list[int]] = {
    "test": [0, 6, 11, 13, 17, 26, 31, 38],
    "validation": [2, 5, 16, 19, 20, 29, 32, 35],
}
