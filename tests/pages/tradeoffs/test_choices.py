"""Sweeps, scores and a run, chosen by hand or in the address."""

from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.datasets import prepare, split_dataset
from frem_core.store import Store
from frem_core.sweeps import RunConfig, SweepSpec, submit
from frem_core.sweeps.progress import BundleProgress
from frem_core.sweeps.train_bundle import train_bundle
from tests.finished_sweeps import OWNER, add_crime, claimed_runs, finish_next
from tests.pages.tradeoffs.page import HOSTILE, checked, figure, open_page, points, select, words


def test_another_score_drops_the_limits_and_goes_into_the_address(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr", at_most="0.3")
    select(app, "Unfairness score").set_value("eipm")
    checked(app.run())
    assert app.query_params["fairness"] == "eipm"
    assert "at_most" not in app.query_params
    assert "EIPM (lower is fairer)" in figure(app)["layout"]["xaxis"]["title"]["text"]
    assert any("E_S MMD" in code.value for code in app.code)


def test_a_run_in_the_address_is_opened(store: Store) -> None:
    sweep = add_crime(store, name=HOSTILE)
    finish_next(store)
    runs = store.runs.frame(sweep)
    second = runs[(runs["method"] == "frem") & (runs["seed"] == 1)].iloc[0]
    store.runs.write_note(second["id"], HOSTILE)
    app = open_page(run=second["id"])  # the whole id of another seed than the point's first
    assert "FREM: fairness weight (λ) 0.03" in select_label(app)
    assert "Note on seed 1" in words(app)
    assert "<b>" not in words(app)
    scores = next(frame.value for frame in app.dataframe if "Score" in frame.value)
    test_mae = scores[(scores["Score"] == "Mean absolute error (MAE)")].iloc[0]
    assert test_mae[["Mean", "Seed 0", "Seed 1"]].tolist() == pytest.approx([0.11, 0.108, 0.112])
    files = next(frame.value for frame in app.dataframe if "SHA-256" in frame.value)
    assert len(files) == 6
    box = select(app, "Look into a setting")
    box.select_index(1)
    checked(app.run())
    assert select_label(app) == "FREM: fairness weight (λ) 0.1"
    app.button(key="tradeoffs-close").click()
    checked(app.run())
    assert "run" not in app.query_params
    assert select(app, "Look into a setting").value is None


def select_label(app: AppTest) -> str:
    box = select(app, "Look into a setting")
    return str(box.format_func(box.value)) if box.value is not None else ""


def test_the_unfairness_limit_survives_another_prediction_score(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr", at_most="0.3", at_least="0.85")
    select(app, "Prediction score").set_value("mse")
    checked(app.run())
    assert app.query_params["at_most"] == "0.3"
    assert "at_least" not in app.query_params


def test_unknown_sweeps_and_wrong_values_in_the_address(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(
        sweep="<i>gone", prediction="accuracy", fairness="nonsense", at_most="nan", run="zzzzzzzz"
    )
    assert len(app.error) == 1
    assert "<i>" not in app.error[0].value
    assert select(app, "Prediction score").value == "mae"
    assert select(app, "Unfairness score").value == "gdp"
    assert select(app, "Look into a setting").value is None


def test_without_a_sweep_the_page_asks_for_one(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page()
    app.multiselect[0].set_value([])
    checked(app.run())
    assert not app.error


@pytest.fixture
def clinic_sweep(store: Store, clinic: pd.DataFrame, tmp_path: Path) -> str:
    """Two methods for equal opportunity, trained for real on a small table."""
    path = tmp_path / f"{HOSTILE.replace('/', '')}.csv"
    clinic.to_csv(path, index=False)
    spec = SweepSpec.from_dict(
        {
            "name": HOSTILE,
            "fairness": "eo",
            "seeds": [0, 1],
            "dataset": {"path": str(path), "target": "recovered", "sensitive": "age"},
            "training": {"epochs": 3, "hidden": [8, 4]},
            "methods": [
                {"method": "frem", "fairness_weights": [0.1, 1.0]},
                {"method": "unfair"},
            ],
        }
    )
    data = spec.dataset.load(store.tables)
    sweep = submit(store, spec, data)
    for run in claimed_runs(store):
        config = RunConfig.from_dict(run.config)
        prepared = prepare(data, split_dataset(data, **config.split))
        (result,) = train_bundle(
            [config],
            prepared,
            progress=BundleProgress(1, lambda _: None),
            should_stop=lambda: False,
        )
        store.results.finish(OWNER, run.id, result)
    return sweep


def test_equal_opportunity_beside_another_dataset(store: Store, clinic_sweep: str) -> None:
    app = open_page()
    assert select(app, "Unfairness score").value == "geo"
    assert select(app, "Prediction score").value == "accuracy"
    assert "equal opportunity" in words(app)
    assert "is right in" in words(app)
    assert len(points(app, "FREM")) == 2
    crime = add_crime(store)
    finish_next(store)
    both = open_page(sweep=[clinic_sweep, crime])
    assert "cannot be compared" in words(both)
    assert select(both, "Prediction score").value == "accuracy"  # the first one
    question = next(one for one in both.get("button_group") if one.label == "Question")
    assert len(question.options) == 2
    other = open_page(
        sweep=[clinic_sweep, crime], subject=f"{store.runs.frame(crime)['dataset'][0][:8]}-dp"
    )
    assert select(other, "Prediction score").value == "mae"
