import base64
import json

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.audit import effective_rows
from frem_core.datasets import available_datasets, dataset_card, load_dataset
from frem_core.figures import plain_text
from frem_core.words import per_cent
from tests.pages.conftest import OpenPage


def _texts(app: AppTest) -> str:
    shown = [*app.title, *app.header, *app.subheader, *app.markdown, *app.caption, *app.info]
    return "\n".join(str(element.value) for element in shown)


def _upload(app: AppTest, name: str, content: bytes) -> AppTest:
    app.file_uploader[0].set_value((name, content, "text/csv"))
    return app.run()


def _address(app: AppTest, name: str) -> str | None:
    value = app.query_params.get(name)
    return value[0] if isinstance(value, list) else value


def _metrics(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def _reliability_line(app: AppTest) -> list[float]:
    chart = next(one for one in app.get("plotly_chart") if one.key == "reliability")
    drawn = json.loads(chart.proto.spec)["data"][0]["y"]
    return np.frombuffer(base64.b64decode(drawn["bdata"]), drawn["dtype"]).tolist()


def _errors(app: AppTest) -> str:
    return "\n".join(str(error.value) for error in app.error)


def test_without_a_choice_every_dataset_is_offered(open_data: OpenPage) -> None:
    app = open_data()
    assert not app.exception
    for name in available_datasets():
        assert plain_text(dataset_card(name).question, longest=None) in _texts(app)
        assert app.button(key=f"choose-{name}")
    assert app.file_uploader
    assert not app.metric


@pytest.mark.parametrize("name", available_datasets())
def test_each_built_in_dataset_is_shown(open_data: OpenPage, name: str) -> None:
    app = open_data(dataset=name)
    dataset = load_dataset(name)
    assert not app.exception
    assert not app.error
    metrics = _metrics(app)
    assert metrics["Rows"] == f"{dataset.n_rows:,}"
    assert metrics["Features"] == str(dataset.features.shape[1])
    low, high = dataset.sensitive.min(), dataset.sensitive.max()
    ends = [float(end.replace(",", "")) for end in metrics["Sensitive range"].split(" to ")]
    assert ends == [float(f"{low:.4g}"), float(f"{high:.4g}")]
    for note in dataset.notes:
        assert plain_text(note, longest=None) in _texts(app)
    charts = app.get("plotly_chart")
    assert len(charts) == 4 + min(3, dataset.features.shape[1])
    assert all(chart.proto.alt for chart in charts)


def test_crime_opens_on_the_columns_of_the_paper_in_five_groups(open_data: OpenPage) -> None:
    app = open_data(dataset="crime")
    assert app.multiselect(key="show-crime").value == [
        "PctKids2Par",
        "PctPopUnderPov",
        "PctHousOccup",
    ]
    specs = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    boxes = [spec["data"][0] for spec in specs if spec["data"][0]["type"] == "box"]
    assert len(boxes) == 3
    assert all(len(box["x"]) == 5 for box in boxes)
    assert sum(len(chart.proto.spec) for chart in app.get("plotly_chart")) < 150_000


def test_choosing_a_card_writes_the_address(open_data: OpenPage) -> None:
    app = open_data()
    app.button(key="choose-adult").click().run()
    assert _address(app, "dataset") == "adult"
    assert any(metric.value == "45,222" for metric in app.metric)


def test_the_view_is_kept_in_the_address_and_read_from_it(open_data: OpenPage) -> None:
    app = open_data(dataset="crime")
    app.slider(key="groups-crime").set_value(8).run()
    app.multiselect(key="show-crime").set_value(["medIncome"]).run()
    assert _address(app, "groups") == "8"
    assert _address(app, "show") == "medIncome"
    again = open_data(dataset="crime", groups="8", show=["medIncome"])
    assert again.slider(key="groups-crime").value == 8
    assert again.multiselect(key="show-crime").value == ["medIncome"]


@pytest.mark.parametrize("groups", ["1", "999", "-3", "five", "", "٣"])
def test_nonsense_in_the_address_falls_back(open_data: OpenPage, groups: str) -> None:
    app = open_data(dataset="crime", groups=groups, show=["no such column"])
    assert not app.exception
    assert app.slider(key="groups-crime").value == 5
    assert len(app.multiselect(key="show-crime").value) == 3


def test_no_columns_chosen_is_a_designed_state(open_data: OpenPage) -> None:
    app = open_data(dataset="crime")
    app.multiselect(key="show-crime").set_value([]).run()
    assert not app.exception
    assert "Choose at least one column" in _texts(app)


@pytest.mark.parametrize(
    ("dataset", "message"),
    [
        ("adlut", "Did you mean"),
        ("table-00000000000000000000", "not kept on this computer"),
        ("table-../../etc/passwd", "names no table"),
        ("table-", "names no table"),
    ],
)
def test_an_unknown_dataset_is_explained(open_data: OpenPage, dataset: str, message: str) -> None:
    app = open_data(dataset=dataset)
    assert not app.exception
    assert message in _errors(app)
    assert app.button(key="choose-crime")
    assert next(box for box in app.expander if box.label.startswith("Choose")).proto.expanded


def test_an_upload_goes_through_the_form_to_the_view(
    open_data: OpenPage, clinic: pd.DataFrame
) -> None:
    app = _upload(open_data(), "clinic.csv", clinic.to_csv(index=False).encode())
    assert not app.exception
    boxes = {box.label.split(":")[0]: box for box in app.selectbox}
    assert boxes["Target"].value == "recovered"
    assert boxes["Sensitive attribute"].value == "age"
    leave_out = next(box for box in app.multiselect if box.label == "Columns to leave out")
    assert leave_out.value == ["patient_id"]
    app.button(key="use-columns").click().run()
    assert not app.exception
    assert _address(app, "target") == "recovered"
    assert _address(app, "sensitive") == "age"
    metrics = _metrics(app)
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
    app = _upload(open_data(dataset="crime", groups="7"), "bad <i>.csv", content)
    assert not app.exception
    assert len(app.error) == 1
    assert message in _errors(app).replace("&#44;", ",")
    assert "<i>" not in _errors(app)
    assert _address(app, "dataset") == "crime"
    assert app.slider(key="groups-crime").value == 7
    assert any(metric.value == "1,994" for metric in app.metric)


def test_unusable_columns_are_one_message_and_the_form_stays(
    open_data: OpenPage, clinic: pd.DataFrame
) -> None:
    app = _upload(open_data(), "clinic.csv", clinic.to_csv(index=False).encode())
    sensitive = next(box for box in app.selectbox if box.label.startswith("Sensitive"))
    sensitive.set_value("ward $x$")
    app.button(key="use-columns").click().run()
    assert not app.exception
    assert len(app.error) == 1
    assert "ward" in _errors(app)
    assert "$x$" not in _errors(app)
    assert "target" not in app.query_params
    kept = next(box for box in app.selectbox if box.label.startswith("Sensitive"))
    assert kept.value == "ward $x$"


def test_a_kept_table_is_found_again_and_can_be_forgotten(
    open_data: OpenPage, clinic: pd.DataFrame
) -> None:
    app = _upload(open_data(), "clinic.csv", clinic.to_csv(index=False).encode())
    dataset = _address(app, "dataset")
    assert dataset is not None
    again = open_data(dataset=dataset, target="recovered", sensitive="age")
    assert any(metric.value == "300" for metric in again.metric)
    again.button(key="forget-table").click().run()
    assert "dataset" not in again.query_params
    gone = open_data(dataset=dataset, target="recovered", sensitive="age")
    assert not gone.metric
    assert "not kept on this computer" in _errors(gone)


def test_a_table_is_deleted_from_the_list_of_kept_ones(
    open_data: OpenPage, clinic: pd.DataFrame
) -> None:
    app = _upload(open_data(), "clinic.csv", clinic.to_csv(index=False).encode())
    dataset = _address(app, "dataset")
    assert dataset is not None
    elsewhere = open_data(dataset="crime")
    elsewhere.button(key=f"delete-{dataset.removeprefix('table-')}").click().run()
    assert not elsewhere.exception
    assert _address(elsewhere, "dataset") == "crime"
    assert "not kept on this computer" in _errors(open_data(dataset=dataset))


class TestJudging:
    def test_the_positive_class_is_chosen_and_kept_in_the_address(
        self, open_data: OpenPage, clinic: pd.DataFrame
    ) -> None:
        app = _upload(open_data(), "clinic.csv", clinic.to_csv(index=False).encode())
        app.button(key="use-columns").click().run()
        rate = (clinic["recovered"] == "yes").mean()
        assert _metrics(app)["Positive rate"] == per_cent(rate, 1)
        control = next(one for one in app.segmented_control if one.label.startswith("Positive"))
        control.set_value("no").run()
        assert not app.exception
        assert _address(app, "positive") == "no"
        assert _metrics(app)["Positive rate"] == per_cent(1 - rate, 1)
        assert _address(app, "target") == "recovered"

    def test_the_notion_of_fairness_is_kept_and_given_to_training(
        self, open_data: OpenPage
    ) -> None:
        app = open_data(dataset="adult", groups="7")
        control = next(one for one in app.segmented_control if one.label.startswith("Who"))
        control.set_value("eo").run()
        assert (_address(app, "fairness"), _address(app, "groups")) == ("eo", "7")
        again = open_data(dataset="adult", fairness="eo")
        control = next(one for one in again.segmented_control if one.label.startswith("Who"))
        assert control.value == "eo"
        control.set_value("dp").run()
        assert "fairness" not in again.query_params

    def test_a_number_has_one_notion_only(self, open_data: OpenPage) -> None:
        app = open_data(dataset="crime", fairness="eo")
        assert not app.exception
        assert not app.segmented_control
        assert "needs a target with two classes" in _texts(app)


class TestReliability:
    def test_the_chart_follows_the_bandwidth_and_the_address_keeps_it(
        self, open_data: OpenPage
    ) -> None:
        app = open_data(dataset="crime")
        assert "Suggested bandwidth: γ\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}0.05" in _texts(app)
        assert "There is enough data everywhere" in _texts(app)
        assert "gamma" not in app.query_params
        app.select_slider(key="reliability-gamma-crime-dp-slider").set_value(0.005).run()
        assert not app.exception
        assert _address(app, "gamma") == "0.005"
        assert "Too little data at" in _texts(app)
        table = effective_rows(load_dataset("crime").sensitive, gamma=0.005)
        assert _reliability_line(app) == pytest.approx(table["effective_n"].tolist())
        app.button(key="use-suggested-gamma").click().run()
        assert "gamma" not in app.query_params
        [number] = [one for one in app.number_input if one.label == "Bandwidth (γ), typed"]
        [slider] = [one for one in app.select_slider if one.label == "Bandwidth (γ)"]
        assert (number.value, slider.value) == (0.05, 0.05)

    def test_a_bandwidth_in_the_address_is_taken_and_nonsense_is_not(
        self, open_data: OpenPage
    ) -> None:
        app = open_data(dataset="crime", gamma="0.013")
        assert app.number_input(key="reliability-gamma-crime-dp").value == 0.013
        for nonsense in ("0", "-1", "nan", "7", "x"):
            app = open_data(dataset="crime", gamma=nonsense)
            assert not app.exception
            assert app.number_input(key="reliability-gamma-crime-dp").value == 0.05

    def test_equal_opportunity_counts_rows_with_a_positive_outcome_only(
        self, open_data: OpenPage
    ) -> None:
        adult = load_dataset("adult")
        app = open_data(dataset="adult", fairness="eo", gamma="0.02")
        positive = adult.sensitive[adult.target == 1]
        table = effective_rows(positive, gamma=0.02, sensitive_range=(17.0, 90.0))
        assert _reliability_line(app) == pytest.approx(table["effective_n"].tolist())


def test_the_next_step_carries_the_dataset(open_start: OpenPage) -> None:
    app = open_start()
    app.switch_page("pages/1_Data.py")
    app.query_params["dataset"] = "adult"
    app.query_params["fairness"] = "eo"
    app.run()
    links = {link.proto.label: link.proto for link in app.main.get("page_link")}
    assert "dataset=adult" in links["Train models on it"].query_string
    assert "fairness=eo" in links["Train models on it"].query_string
