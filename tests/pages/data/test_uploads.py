"""A file of one's own: brought, named, kept and deleted."""

import pandas as pd
import pytest

from tests.pages.conftest import OpenPage
from tests.pages.data.page import address, errors, shown_metrics, upload


def test_an_upload_goes_through_the_form_to_the_view(
    open_data: OpenPage, clinic: pd.DataFrame
) -> None:
    app = upload(open_data(), "clinic.csv", clinic.to_csv(index=False).encode())
    assert not app.exception
    boxes = {box.label.split(":")[0]: box for box in app.selectbox}
    assert boxes["Target"].value == "recovered"
    assert boxes["Sensitive attribute"].value == "age"
    leave_out = next(box for box in app.multiselect if box.label == "Columns to leave out")
    assert leave_out.value == ["patient_id"]
    app.button(key="use-columns").click().run()
    assert not app.exception
    assert address(app, "target") == "recovered"
    assert address(app, "sensitive") == "age"
    metrics = shown_metrics(app)
    assert metrics["Rows"] == "300"
    assert metrics["Features"] == "2"
    assert "<b>dose</b>" not in "".join(chart.proto.spec for chart in app.get("plotly_chart"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<!DOCTYPE html><html><body>x</body></html>", "web page"),
        (b"", "empty"),
        (b"a,a\n1,2\n", "more than one column"),
        (b"%PDF-1.7", "PDF"),
        (b"age,hours,hired\n", "column names but no rows"),
        (b"Ask Anna about the data.\nShe knows.\n", "Is it a note"),
    ],
)
def test_a_bad_file_is_one_message_and_loses_nothing(
    open_data: OpenPage, content: bytes, message: str
) -> None:
    app = upload(open_data(dataset="crime", groups="7"), "bad <i>.csv", content)
    assert not app.exception
    assert len(app.error) == 1
    assert message in errors(app).replace("&#44;", ",")
    assert "<i>" not in errors(app)
    assert address(app, "dataset") == "crime"
    assert app.slider(key="groups-crime").value == 7
    assert any(metric.value == "1,994" for metric in app.metric)


def test_unusable_columns_are_one_message_and_the_form_stays(
    open_data: OpenPage, clinic: pd.DataFrame
) -> None:
    app = upload(open_data(), "clinic.csv", clinic.to_csv(index=False).encode())
    sensitive = next(box for box in app.selectbox if box.label.startswith("Sensitive"))
    sensitive.set_value("ward $x$")
    app.button(key="use-columns").click().run()
    assert not app.exception
    assert len(app.error) == 1
    assert "ward" in errors(app)
    assert "$x$" not in errors(app)
    assert "target" not in app.query_params
    kept = next(box for box in app.selectbox if box.label.startswith("Sensitive"))
    assert kept.value == "ward $x$"


def test_a_kept_table_is_found_again_and_can_be_forgotten(
    open_data: OpenPage, clinic: pd.DataFrame
) -> None:
    app = upload(open_data(), "clinic.csv", clinic.to_csv(index=False).encode())
    dataset = address(app, "dataset")
    assert dataset is not None
    again = open_data(dataset=dataset, target="recovered", sensitive="age")
    assert any(metric.value == "300" for metric in again.metric)
    again.button(key="forget-table").click().run()
    assert "dataset" not in again.query_params
    gone = open_data(dataset=dataset, target="recovered", sensitive="age")
    assert not gone.metric
    assert "not kept on this computer" in errors(gone)


def test_a_table_is_deleted_from_the_list_of_kept_ones(
    open_data: OpenPage, clinic: pd.DataFrame
) -> None:
    app = upload(open_data(), "clinic.csv", clinic.to_csv(index=False).encode())
    dataset = address(app, "dataset")
    assert dataset is not None
    elsewhere = open_data(dataset="crime")
    elsewhere.button(key=f"delete-{dataset.removeprefix('table-')}").click().run()
    assert not elsewhere.exception
    assert address(elsewhere, "dataset") == "crime"
    assert "not kept on this computer" in errors(open_data(dataset=dataset))
