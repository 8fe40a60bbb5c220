"""Who is judged by what, and how far the data carries that."""

import base64
import json

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.audit import effective_rows
from frem_core.datasets import load_dataset
from frem_core.words import per_cent
from tests.pages.conftest import OpenPage
from tests.pages.data.page import address, shown_metrics, texts, upload


def _reliability_line(app: AppTest) -> list[float]:
    chart = next(one for one in app.get("plotly_chart") if one.key == "reliability")
    drawn = json.loads(chart.proto.spec)["data"][0]["y"]
    return np.frombuffer(base64.b64decode(drawn["bdata"]), drawn["dtype"]).tolist()


class TestJudging:
    def test_the_positive_class_is_chosen_and_kept_in_the_address(
        self, open_data: OpenPage, clinic: pd.DataFrame
    ) -> None:
        app = upload(open_data(), "clinic.csv", clinic.to_csv(index=False).encode())
        app.button(key="use-columns").click().run()
        rate = (clinic["recovered"] == "yes").mean()
        assert shown_metrics(app)["Positive rate"] == per_cent(rate, 1)
        control = next(one for one in app.segmented_control if one.label.startswith("Positive"))
        control.set_value("no").run()
        assert not app.exception
        assert address(app, "positive") == "no"
        assert shown_metrics(app)["Positive rate"] == per_cent(1 - rate, 1)
        assert address(app, "target") == "recovered"

    def test_the_notion_of_fairness_is_kept_and_given_to_training(
        self, open_data: OpenPage
    ) -> None:
        app = open_data(dataset="adult", groups="7")
        control = next(one for one in app.segmented_control if one.label.startswith("Who"))
        control.set_value("eo").run()
        assert (address(app, "fairness"), address(app, "groups")) == ("eo", "7")
        again = open_data(dataset="adult", fairness="eo")
        control = next(one for one in again.segmented_control if one.label.startswith("Who"))
        assert control.value == "eo"
        control.set_value("dp").run()
        assert "fairness" not in again.query_params

    def test_a_number_has_one_notion_only(self, open_data: OpenPage) -> None:
        app = open_data(dataset="crime", fairness="eo")
        assert not app.exception
        assert not app.segmented_control
        assert "needs a target with two classes" in texts(app)


class TestReliability:
    def test_the_chart_follows_the_bandwidth_and_the_address_keeps_it(
        self, open_data: OpenPage
    ) -> None:
        app = open_data(dataset="crime")
        assert "Suggested bandwidth: γ\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}0.05" in texts(app)
        assert "There is enough data everywhere" in texts(app)
        assert "gamma" not in app.query_params
        app.select_slider(key="reliability-gamma-crime-dp-slider").set_value(0.005).run()
        assert not app.exception
        assert address(app, "gamma") == "0.005"
        assert "Too little data at" in texts(app)
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
