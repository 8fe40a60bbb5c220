"""Choosing a dataset, and what is shown of it."""

import json

import pytest

from frem_core.datasets import available_datasets, dataset_card, load_dataset
from frem_core.figures import plain_text
from tests.pages.conftest import OpenPage
from tests.pages.data.page import address, errors, shown_metrics, texts


def test_without_a_choice_every_dataset_is_offered(open_data: OpenPage) -> None:
    app = open_data()
    assert not app.exception
    for name in available_datasets():
        assert plain_text(dataset_card(name).question, longest=None) in texts(app)
        assert app.button(key=f"choose-{name}")
    assert app.file_uploader
    assert not app.metric


@pytest.mark.parametrize("name", available_datasets())
def test_each_built_in_dataset_is_shown(open_data: OpenPage, name: str) -> None:
    app = open_data(dataset=name)
    dataset = load_dataset(name)
    assert not app.exception
    assert not app.error
    metrics = shown_metrics(app)
    assert metrics["Rows"] == f"{dataset.n_rows:,}"
    assert metrics["Features"] == str(dataset.features.shape[1])
    low, high = dataset.sensitive.min(), dataset.sensitive.max()
    ends = [float(end.replace(",", "")) for end in metrics["Sensitive range"].split(" to ")]
    assert ends == [float(f"{low:.4g}"), float(f"{high:.4g}")]
    for note in dataset.notes:
        assert plain_text(note, longest=None) in texts(app)
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
    assert address(app, "dataset") == "adult"
    assert any(metric.value == "45,222" for metric in app.metric)


def test_the_view_is_kept_in_the_address_and_read_from_it(open_data: OpenPage) -> None:
    app = open_data(dataset="crime")
    app.slider(key="groups-crime").set_value(8).run()
    app.multiselect(key="show-crime").set_value(["medIncome"]).run()
    assert address(app, "groups") == "8"
    assert address(app, "show") == "medIncome"
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
    assert "Choose at least one column" in texts(app)


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
    assert message in errors(app)
    assert app.button(key="choose-crime")
    assert next(box for box in app.expander if box.label.startswith("Choose")).proto.expanded


def test_the_next_step_carries_the_dataset(open_start: OpenPage) -> None:
    app = open_start()
    app.switch_page("pages/1_Data.py")
    app.query_params["dataset"] = "adult"
    app.query_params["fairness"] = "eo"
    app.run()
    links = {link.proto.label: link.proto for link in app.main.get("page_link")}
    assert "dataset=adult" in links["Train models on it"].query_string
    assert "fairness=eo" in links["Train models on it"].query_string
