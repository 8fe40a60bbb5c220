"""Every kind of bad table gets one DataError that names the column and the remedy."""

import numpy as np
import pandas as pd
import pytest

from frem_core.datasets import load_table
from frem_core.errors import DataError
from tests.datasets.people import people

N = 120


def with_column(name, values):
    return people().assign(**{name: np.resize(np.array(values, dtype=object), N)})


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        (people(), {"target": "hird"}, "no target column 'hird'.*Did you mean 'hired'"),
        (people(), {"sensitive": "Age"}, "no sensitive column 'Age'.*Did you mean 'age'"),
        (people(), {"features": ["hour"]}, "no feature column 'hour'.*Did you mean 'hours'"),
        (people(), {"sensitive": "hired"}, "'hired' cannot be both"),
        (people(), {"features": ["age"]}, "'age' is the sensitive column; take it out"),
        (people(), {"features": ["hired"]}, "'hired' is the target; take it out"),
        (people(), {"sensitive": "city"}, "'city' is not numeric.*120 of 120.*'(Ulm|Jena|Köln)'"),
        (
            with_column("age", ["40", "41", "unknown"]),
            {},
            "'age' is not numeric: 40 of 120 values are text, such as 'unknown'",
        ),
        (with_column("age", [7]), {}, "'age' is 7 in every row; choose one that varies"),
        (with_column("age", [0, 1]), {}, "'age' has 2 distinct values; at least 3"),
        (with_column("age", [True, False]), {}, "'age' has 2 distinct values"),
        (with_column("age", [None]), {}, "Column 'age' is empty"),
        (with_column("age", [1.0, 2.0, np.inf]), {}, "Column 'age' has infinite"),
        (with_column("hired", ["yes"]), {}, r"'hired' has one value only \(yes\)"),
        (
            with_column("hired", [f"job {number}" for number in range(25)]),
            {},
            r"'hired' has 25 classes .*20 at most. Merge",
        ),
        (
            with_column("hired", list(range(25))),
            {"task": "classification"},
            "'hired' has 25 classes",
        ),
        (people(), {"task": "regression"}, "'hired' is text .*needs numbers"),
        (people(), {"positive_class": "maybe"}, "'maybe' is no class of 'hired'"),
        (with_column("hired", ["no"] * 117 + ["yes"] * 3), {}, "Class 'yes' .*has 3 rows"),
        (with_column("hired", [None]), {}, "Column 'hired' is empty"),
        (with_column("hired", [0.5, 1.5, -np.inf]), {}, "Column 'hired' has infinite"),
        (with_column("hired", pd.date_range("2020", periods=N).tolist()), {}, "holds dates"),
        (with_column("hours", [None]), {}, "Column 'hours' is empty.*Remove it"),
        (with_column("hours", [1.0, np.inf]), {}, "Column 'hours' has infinite .*60, the first"),
        (with_column("hours", [1.0, 1e200]), {}, "Column 'hours' has infinite or absurdly large"),
        (people().rename(columns={"hours": "age"}), {}, "more than one column called 'age'"),
        (people().rename(columns={"hours": " age "}), {}, "more than one column called 'age'"),
        (people().rename(columns={"hours": " "}), {}, "Column 2 .* has no name"),
        (people().rename(columns={"hours": None}), {}, "Column 2 .* has no name"),
        (people(49), {}, "Only 49 of 49 rows.*at least 50"),
        (people().iloc[:0], {}, "is empty|Only 0"),
        (people()[["age", "hired"]], {}, "No feature is left"),
        (people().assign(hours=1, city="x"), {}, "No feature is left.*one value only: hours, city"),
        (pd.DataFrame(), {}, "has no columns"),
    ],
)
def test_bad_table(frame, options, message):
    with pytest.raises(DataError, match=message) as caught:
        load_table(frame, **{"target": "hired", "sensitive": "age", **options})
    assert len(str(caught.value)) < 600
    assert "\n" not in str(caught.value)


def test_rows_that_become_too_few():
    frame = people().astype({"age": float})
    frame.loc[:90, "age"] = np.nan
    with pytest.raises(DataError, match="Only 29 of 120 rows have both 'hired' and 'age'"):
        load_table(frame, target="hired", sensitive="age")


def test_a_wrong_separator_is_proposed_to_be_changed(tmp_path):
    path = tmp_path / "people.csv"
    people().to_csv(path, index=False)
    with pytest.raises(DataError, match="one column only; name another separator"):
        load_table(path, target="hired", sensitive="age", separator=";")


def test_wide_tables_give_short_messages():
    frame = pd.DataFrame(np.eye(60, 500), columns=[f"column {k}" for k in range(500)])
    with pytest.raises(DataError) as caught:
        load_table(frame, target="column 501", sensitive="column 1")
    assert len(str(caught.value)) < 400
