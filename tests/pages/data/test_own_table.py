"""What people stumble over with a table of their own: once shown wrongly, or not at all."""

import json
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from frem_core.cli import frem
from frem_core.words import per_cent
from tests.pages.conftest import OpenPage


@pytest.fixture
def loans() -> pd.DataFrame:
    """Loans: "ja" is the more frequent answer, postcodes look like numbers, S has six values."""
    rng = np.random.default_rng(1)
    step = np.arange(240) % 6 + 1
    return pd.DataFrame(
        {
            "Stufe": step,
            "Alter": 20 + 7 * step + rng.integers(0, 9, 240),
            "PLZ": rng.choice([10115, 20095, 80331], 240),
            "bewilligt": np.where(rng.random(240) < 0.4 + 0.08 * step, "ja", "nein"),
        }
    )


def _upload(app: AppTest, table: pd.DataFrame) -> AppTest:
    content = table.to_csv(index=False, sep=";").encode()
    app.file_uploader[0].set_value(("Kredite.csv", content, "text/csv")).run()
    assert not app.exception
    return app


def _use_columns(app: AppTest, sensitive: str) -> AppTest:
    next(box for box in app.selectbox if box.label.startswith("Sensitive")).set_value(sensitive)
    next(box for box in app.selectbox if box.label.startswith("Target")).set_value("bewilligt")
    app.button(key="use-columns").click().run()
    assert not app.exception
    assert not app.error
    return app


def _metrics(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def test_yes_is_positive_in_any_language_and_the_form_asks(
    open_data: OpenPage, loans: pd.DataFrame
) -> None:
    approved = (loans["bewilligt"] == "ja").mean()
    assert approved > 0.5  # neither the alphabet nor rarity would choose it
    app = _use_columns(_upload(open_data(), loans), "Alter")
    assert _metrics(app)["Positive rate"] == per_cent(approved, 1)
    other = _upload(open_data(), loans.assign(extra=1.0 * loans["Alter"]))
    box = next(one for one in other.selectbox if one.label.startswith("Positive class"))
    box.set_value(("bewilligt", "nein"))
    _use_columns(other, "Alter")
    assert _metrics(other)["Positive rate"] == per_cent(1 - approved, 1)


def test_too_few_rows_are_told_before_the_columns_are_asked_for(
    open_data: OpenPage, loans: pd.DataFrame
) -> None:
    app = _upload(open_data(), loans.head(49))
    assert "Kredite.csv has 49 rows; at least 50 are needed" in unescape(app.error[0].value)
    assert not any(one.label.startswith("Target") for one in app.selectbox)
    [way] = [one.proto.body for one in app.sidebar.get("html") if "You are here" in one.proto.body]
    assert "too small: at least 50 rows" in way
    assert "Say what the columns are" not in way
    assert not _upload(open_data(), loans.head(50)).error


def test_a_column_of_the_wrong_type_is_changed_in_the_form(
    open_data: OpenPage, loans: pd.DataFrame
) -> None:
    app = _upload(open_data(), loans)
    box = next(one for one in app.multiselect if one.label == "Read as categories")
    assert "PLZ (numbers)" in box.options
    box.set_value(["PLZ"])
    _use_columns(app, "Alter")
    columns = next(one.value for one in app.dataframe if "distinct values" in one.value)
    assert columns.set_index("column").loc["PLZ", "type"] == "category"


def test_few_values_of_the_attribute_are_told_before_anything_is_trained(
    open_data: OpenPage, loans: pd.DataFrame
) -> None:
    app = _use_columns(_upload(open_data(), loans), "Stufe")
    assert any("6 different values only" in note.value for note in app.warning)
    app = _use_columns(_upload(open_data(), loans), "Alter")
    assert not any("different values only" in note.value for note in app.warning)


def test_the_bandwidth_of_the_data_goes_along_to_train(
    open_start: OpenPage, loans: pd.DataFrame
) -> None:
    app = open_start()
    app.switch_page("pages/1_Data.py").run()
    _use_columns(_upload(app, loans), "Alter")
    [slider] = [one for one in app.select_slider if one.label == "Bandwidth (γ)"]
    link = next(one for one in app.main.get("page_link") if one.proto.label == "Train models on it")
    assert f"gamma={slider.value:g}" in link.proto.query_string


def test_data_and_audit_tell_the_same_of_a_column(
    open_data: OpenPage, loans: pd.DataFrame, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = _use_columns(_upload(open_data(), loans), "Alter")
    ranking = next(one.value for one in app.dataframe if "strength" in one.value)
    loans.to_csv(tmp_path / "loans.csv", index=False)
    command = ["audit", "--dataset", str(tmp_path / "loans.csv"), "--target", "bewilligt"]
    command += ["--sensitive", "Alter", "--permutations", "20", "--resamples", "20"]
    answer = CliRunner().invoke(frem, [*command, "--json"], catch_exceptions=False)
    told = {one["feature"]: one["strength"] for one in json.loads(answer.stdout)["features"]}
    assert told == pytest.approx(dict(zip(ranking["feature"], ranking["strength"], strict=True)))
    printed = CliRunner().invoke(frem, command, catch_exceptions=False, env={"COLUMNS": "140"})
    for name, strength in told.items():
        assert re.search(rf"{name}\W+{strength:.2f}\W", printed.stdout)
