"""A table of people, and the options that name its columns."""

import pandas as pd
import pytest

from tests.estimators.people import people


@pytest.fixture(scope="module")
def people_csv(tmp_path_factory):
    X, y, age = people(rows=200)
    file = tmp_path_factory.mktemp("tables") / "people.csv"
    pd.concat([X, y, age], axis=1).to_csv(file, index=False)
    return file


@pytest.fixture(scope="module")
def file(people_csv):
    return ("--dataset", people_csv, "--target", "hired", "--sensitive", "age")
