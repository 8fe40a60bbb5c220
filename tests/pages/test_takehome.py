"""What viewers take along: models, reports, predictions; and how they find their way."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.model_package import predict_table
from frem_core.model_package.of_run import run_model
from frem_core.store import Store
from frem_core.sweeps import SweepSpec
from studio.choice import Choice
from studio.here import steps_of
from studio.store import the_store
from tests.finished_sweeps import add_crime, finish_next
from tests.model_package.people import people
from tests.model_package.test_of_run import TOML
from tests.pages.conftest import ROOT
from tools.trained_sweeps import train_sweep


@pytest.fixture
def store(home: Path) -> Store:
    return the_store()


def open_page(script: str, **address: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages" / script), default_timeout=240)
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def labels(app: AppTest, kind: str) -> list[str]:
    return [one.proto.label for one in app.get(kind)]


def test_new_rows_are_predicted_with_the_model_of_a_run(store: Store, tmp_path: Path) -> None:
    people().to_csv(tmp_path / "people.csv", index=False)
    sweep = train_sweep(store, TOML.format(path=tmp_path / "people.csv"))
    run = str(store.runs.frame(sweep)["id"].iloc[0])
    details = open_page("2_Train.py", sweep=sweep, run=run[:12])
    assert "Download this model" in labels(details, "download_button")
    assert any(one.label == "Train it on all rows" for one in details.button)
    app = open_page("7_Predict.py", sweep=sweep, run=run[:12])
    new = people(rows=12, seed=8)
    new.loc[:1, "town"] = "Berlin"
    app.file_uploader[0].set_value(("new.csv", new.to_csv(index=False).encode(), "text/csv")).run()
    assert not app.exception
    assert any("2 rows hold a 'town'" in one.value.replace("&#39;", "'") for one in app.warning)
    shown = next(one.value for one in app.dataframe if "probability" in one.value)
    expected = predict_table(run_model(store, run).predictor, new).frame
    np.testing.assert_allclose(shown["probability"], expected["probability"], atol=1e-9)
    assert "Download predictions as CSV" in labels(app, "download_button")


def test_a_run_without_weights_offers_to_train_it_again(store: Store) -> None:
    sweep = add_crime(store)
    finish_next(store)
    run = str(store.runs.frame(sweep)["id"].iloc[0])
    details = open_page("2_Train.py", sweep=sweep, run=run[:12])
    assert any(one.label == "Train it again to download it" for one in details.button)
    page = open_page("3_Trade-offs.py", sweep=sweep)
    assert {"Download the report", "Report as JSON"} <= set(labels(page, "download_button"))


def test_a_reload_finds_the_form_of_a_sweep_as_it_was(store: Store) -> None:
    app = open_page("2_Train.py", dataset="gaussian_bivariate")
    assert "draft" not in app.query_params
    epochs = next(one for one in app.number_input if one.label == "Epochs")
    epochs.set_value(37).run()
    assert not app.exception
    name = str(app.query_params["draft"])
    again = open_page("2_Train.py", dataset="gaussian_bivariate", draft=name)
    assert _described(again).training["epochs"] == 37
    other = open_page("2_Train.py", dataset="gaussian_bivariate", draft="unknown")
    assert _described(other).training["epochs"] != 37


def test_the_bandwidth_found_on_data_is_taken_to_train(store: Store) -> None:
    app = open_page("2_Train.py", dataset="gaussian_bivariate", gamma="0.033")
    frem = next(one for one in _described(app).methods if one.method == "frem")
    assert frem.settings["gamma"] == (0.033,)
    nonsense = open_page("2_Train.py", dataset="gaussian_bivariate", gamma="9e9")
    frem = next(one for one in _described(nonsense).methods if one.method == "frem")
    assert frem.settings["gamma"] != (9e9,)


def test_the_file_of_a_sweep_on_an_own_table_takes_the_table_along(
    store: Store, clinic: pd.DataFrame
) -> None:
    kept = store.tables.keep(clinic, table_id="c" * 20, name="clinic.csv")
    address = {"dataset": f"table-{kept.id}", "target": "recovered", "sensitive": "age"}
    own = labels(open_page("2_Train.py", **address), "download_button")
    assert "Download file and table" in own
    built_in = labels(open_page("2_Train.py", dataset="gaussian_bivariate"), "download_button")
    assert "Download the file" in built_in


def _described(app: AppTest) -> SweepSpec:
    return SweepSpec.from_toml(next(one.value for one in app.code if "[dataset]" in one.value))


def test_the_way_says_what_is_next_and_why_not_yet() -> None:
    begun = steps_of(None, 0, 0)
    assert [step.state for step in begun] == ["open", "closed", "closed", "closed", "closed"]
    assert begun[1].words == "A dataset has to be chosen first."
    unnamed = steps_of(Choice.of_table("0" * 20), 0, 0)
    assert unnamed[0].words == "Say what the columns are."
    small = steps_of(Choice.of_table("0" * 20), 0, 0, has_rows=False)
    assert "too small: at least 50 rows" in small[0].words
    assert [step.state for step in small[:2]] == ["open", "closed"]
    chosen = steps_of(Choice.built_in("crime"), 0, 0)
    assert [step.state for step in chosen] == ["done", "open", "closed", "closed", "closed"]
    assert chosen[2].words == "A run on this data has to finish first."
    assert begun[2].words == "A run of your own has to finish first."
    trained = steps_of(Choice.built_in("crime"), 3, 1)
    assert [step.state for step in trained] == ["done", "done", "open", "open", "open"]


def test_the_way_begins_anew_with_a_new_table(store: Store, clinic: pd.DataFrame) -> None:
    """Models of other data are no step on the way of this table."""
    sweep = add_crime(store)
    finish_next(store)
    assert store.sweeps.frame().set_index("id").loc[sweep, "done"] > 0
    kept = store.tables.keep(clinic, table_id="c" * 20, name="clinic.csv")
    for dataset, upcoming in ((f"table-{kept.id}", "Data"), ("crime", "Trade-offs")):
        app = open_page("1_Data.py", dataset=dataset)
        way = next(
            one.proto.body for one in app.sidebar.get("html") if "You are here" in one.proto.body
        )
        marked = way.split("→")[1] if "→" in way else way
        assert f"<strong>{upcoming}</strong>" in marked.split("</li>")[0]


def test_the_way_is_on_every_page(store: Store) -> None:
    app = open_page("1_Data.py")
    texts = [one.proto.body for one in app.sidebar.get("html")]
    assert any("You are here" in text and 'aria-current="step"' in text for text in texts)


def test_pictures_have_title_legend_and_light_ground() -> None:
    import plotly.graph_objects as go

    from frem_core.figures import lay_out
    from frem_core.figures.picture import presentable

    figure = go.Figure(go.Scatter(x=[1, 2], y=[1, 2], name="Unfair", line={"color": "#E8F0F1"}))
    shown = presentable(
        lay_out(figure, x_title="x", y_title="y", legend=True), title="<b>Fronts</b> of all"
    )
    assert shown.layout.title.text == "&#60;b&#62;Fronts&#60;&#47;b&#62; of all"
    assert shown.layout.paper_bgcolor == "#FFFFFF"
    assert shown.data[0].line.color == "#000000"
    assert shown.layout.showlegend
    assert shown.layout.margin.t > 50
    assert figure.layout.title.text is None  # the chart on the page stays as it is


def test_pictures_have_room_for_every_line_of_a_legend() -> None:
    import plotly.graph_objects as go

    from frem_core.figures import lay_out
    from frem_core.figures.layout import legend_name
    from frem_core.figures.picture import presentable

    def top(names: list[str]) -> float:
        figure = go.Figure([go.Scatter(x=[1], y=[1], name=legend_name(name)) for name in names])
        lay_out(figure, x_title="x", y_title="y", legend=True)
        return float(presentable(figure, title="Fronts").layout.margin.t)

    short = top(["FREM", "Unfair"])
    long = "FREM, ΔHGR ≤ 50 % of unfair (λ 2.13), seed 1"
    assert top([long, "Unfair"]) == short + 26  # a second line
    assert top([long] * 5) == short + 3 * 26  # two rows of two lines


def test_long_axis_titles_wrap() -> None:
    from frem_core.figures.layout import wrapped_text

    title = " ".join(["information"] * 12)
    lines = wrapped_text(title, 40).split("<br>")
    assert max(map(len, lines)) <= 40
    assert " ".join(lines) == title


def test_titles_along_y_fit_the_height_of_their_chart() -> None:
    """Long names wrap or end in an ellipsis; words without blanks are cut; lines are alike long."""
    import plotly.graph_objects as go

    from frem_core.figures import lay_out
    from frem_core.figures.layout import wrapped_text

    for name in ("x" * 300, "many words in a name " * 12, "https://example.org/" + "a/b-c" * 30):
        figure = lay_out(go.Figure(), x_title=name, y_title=name, height=340)
        lines = figure.layout.yaxis.title.text.split("<br>")
        assert len(lines) <= 3
        assert max(map(len, lines)) * 7.2 <= 340 - 90  # pixels of a character, and of the plot
        assert lines[-1].endswith("…")
    title = "Maximal correlation with the sensitive attribute (lower is fairer)"
    assert wrapped_text(title, 60).split("<br>") == [
        "Maximal correlation with the",
        "sensitive attribute (lower is fairer)",
    ]
