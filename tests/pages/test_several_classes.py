"""A target with three classes: from the table over a sweep to charts and a model to take."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.metrics import hgr
from frem_core.model_package import load_model, predict_table, save_model
from frem_core.model_package.of_run import run_model
from frem_core.store import Store, open_store
from frem_core.sweep_report import sweep_report
from frem_core.sweeps.outcome import load_outcomes, load_predictions
from frem_core.sweeps.run_floor import run_noise_floor, run_resamples
from frem_core.words import per_cent
from studio.data.columns import guess_columns
from studio.store import close_store
from tests.graded import graded
from tools.trained_sweeps import train_sweep

PAGES = Path(__file__).resolve().parents[2] / "pages"
SWEEP = """
name = "Grades"
seeds = [0]
[dataset]
path = "{path}"
target = "grade"
sensitive = "age"
[training]
epochs = 3
hidden = [6, 4]
[[methods]]
method = "unfair"
[[methods]]
method = "frem"
fairness_weights = [1.0]
"""


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, str]]:
    home = tmp_path_factory.mktemp("classes-home")
    graded().to_csv(home / "graded.csv", index=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FREM_HOME", str(home))
        patch.setenv("FREM_STORE", "")
        patch.setenv("FREM_EXAMPLES", "off")
        opened = open_store()
        sweep = train_sweep(opened, SWEEP.format(path=home / "graded.csv"))
        close_store()
        yield opened, sweep
        opened.close()
    close_store()


@pytest.fixture
def store(trained: tuple[Store, str]) -> Store:
    return trained[0]


def opened(script: str, **address: str) -> AppTest:
    app = AppTest.from_file(str(PAGES / script), default_timeout=240)
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not app.error
    return app


def charts(app: AppTest) -> str:
    return in_one_line(" ".join(one.proto.spec for one in app.get("plotly_chart")))


def in_one_line(text: str) -> str:
    """Titles that are broken to fit, as one reads them."""
    return re.sub(r"(<|\\u003c)br(>|\\u003e)", " ", text)


def test_scores_of_runs_are_means_over_classes(store: Store) -> None:
    runs = store.runs.frame()
    assert set(runs["state"]) == {"done"}
    for run in runs.to_dict("records"):
        found = load_outcomes(store, run["id"])
        assert found["p"].shape == (len(found["y"]), 3)
        each = [hgr(None, column, sensitive_features=found["s"]) for column in found["p"].T]
        scores = store.runs.get(run["id"]).scores["test"]
        assert scores["hgr"] == pytest.approx(np.mean(each))
        right = np.mean(found["p"].argmax(axis=1) == found["y"])
        assert scores["accuracy"] == pytest.approx(right)
        one = load_predictions(store, run["id"], of_class=2)
        assert one["p"].tolist() == found["p"][:, 2].tolist()
        assert one["y"].tolist() == (found["y"] == 2).tolist()
        assert 0 < run_noise_floor(store, run["id"], "gdp").mean < 0.2
    drawn = run_resamples(store, list(runs["id"]), "accuracy", "gdp", resamples=3)
    assert drawn.shape == (3, 2, 2)


def test_data_counts_the_classes_and_shows_one(store: Store) -> None:
    table = store.tables.keep(graded(), table_id="b" * 20, name="graded.csv")
    app = opened("1_Data.py", dataset=f"table-{table.id}", target="grade", sensitive="age")
    shown = {one.label: one.value for one in app.metric}
    assert shown["Task"] == "3 classes"
    assert shown["Share of pass"] == per_cent((graded()["grade"] == "pass").mean(), 1)
    assert "share with grade pass" in charts(app)
    captions = " ".join(one.value for one in app.caption)
    assert "for each class against all others" in captions


def test_a_target_of_a_few_kinds_is_proposed_when_its_name_says_so() -> None:
    assert guess_columns(graded()).target == "grade"
    assert guess_columns(graded().rename(columns={"grade": "colour"})).target != "colour"


def test_compare_shows_the_class_that_is_asked_for(store: Store) -> None:
    app = opened("4_Compare.py")
    assert "predicted probability of grade pass" in charts(app)
    choice = next(one for one in app.selectbox if one.label.startswith("Class of grade"))
    assert choice.options == ["fail", "pass", "resit"]
    choice.select_index(2).run()
    assert not app.exception
    assert "predicted probability of grade resit" in charts(app)


def test_tradeoffs_have_a_point_for_each_setting(store: Store) -> None:
    app = opened("3_Trade-offs.py")
    assert "Best constant" in charts(app)


def test_a_model_and_a_report_can_be_taken_along(
    trained: tuple[Store, str], tmp_path: Path
) -> None:
    store, sweep = trained
    runs = store.runs.frame()
    found = run_model(store, str(runs["id"].iloc[0]))
    save_model(tmp_path / "model.zip", found.predictor, found.card)
    answer = predict_table(load_model(tmp_path / "model.zip"), graded(30, seed=3)).frame
    assert answer.filter(like="probability of").sum(axis=1).tolist() == pytest.approx([1.0] * 30)
    assert "3 classes are fail, pass and resit" in found.card.to_markdown(tmp_path)
    html = sweep_report(store, [sweep]).to_html()
    assert "predicted probability of grade pass" in in_one_line(html)
