"""The report of a sweep: built from the store, whole, honest and safe."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from frem_core.cli import frem
from frem_core.datasets import DatasetSpec
from frem_core.errors import DataError
from frem_core.metrics import NoiseFloor
from frem_core.report import Chart, Facts, Report, Table
from frem_core.store import RunResult, Store
from frem_core.sweep_report import sweep_report
from frem_core.sweep_report.answer import Answer
from frem_core.sweep_report.subject import subjects_of
from frem_core.sweeps import SweepSpec, submit
from tests.finished_sweeps import OWNER, add_crime, claimed_runs, finish_next, result_of

NASTY = "<script>alert(1)</script> https://example.org/x"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(folder=tmp_path / "home")


def _charts(report: Report) -> list[Chart]:
    return [b for section in report.sections for b in section.blocks if isinstance(b, Chart)]


def _first_page(report: Report) -> dict[str, object]:
    (facts,) = (b for b in report.sections[0].blocks if isinstance(b, Facts))
    return dict(facts.facts)


def test_the_first_page_answers_and_the_rest_shows_why(store: Store) -> None:
    sweep = add_crime(store)
    finish_next(store)
    report = sweep_report(store, [sweep])
    page = _first_page(report)
    assert list(page) == [
        "Question",
        "Answer",
        "What it costs",
        "How sure",
        "What was not looked at",
    ]
    # ΔGDP is a tenth of HGR in these runs: λ 0.1 has 0.02, less than half of the unfair 0.05.
    assert str(page["Answer"]).startswith("FREM, fairness weight (λ) 0.1:")
    assert "60 % less" in str(page["Answer"])
    assert "0.870 instead of 0.900" in str(page["What it costs"])
    assert "Means over 2 seeds" in str(page["How sure"])
    captions = " | ".join(chart.caption for chart in _charts(report))
    for words in ("Mean prediction along", "Predictions by group", "Representation (Z)", "Rows"):
        assert words in captions
    text = report.to_json()
    for what in (sweep, "frem sweep sweep.toml", "Fingerprint", "fairness weights (λ)", "seeds"):
        assert what in text


def test_the_same_as_json_and_by_command(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = add_crime(store)
    finish_next(store)
    expected = sweep_report(store, [sweep]).to_dict()
    monkeypatch.setenv("FREM_HOME", str(store.folder))
    answer = CliRunner().invoke(frem, ["report", "Crime by hand", "--json"])
    assert answer.exit_code == 0, answer.output
    found = json.loads(answer.stdout)
    assert found["data"] == json.loads(json.dumps(expected["data"]))
    assert found["data"]["subjects"][0]["recommended"]["fairness_weight"] == 0.1
    file = tmp_path / "report.html"
    answer = CliRunner().invoke(frem, ["report", sweep, "-o", str(file)])
    assert answer.exit_code == 0, answer.output
    assert file.stat().st_size < 8e6
    assert file.read_text(encoding="utf-8").count("<figure>") == len(
        [b for s in expected["sections"] for b in s["blocks"] if b["kind"] == "chart"]
    )


def test_a_constant_is_never_recommended(store: Store) -> None:
    """Fair models that predict no better than a constant are no answer."""
    sweep = add_crime(store)
    for run in claimed_runs(store):
        result = result_of(run.config)
        if run.config["method"]["method"] != "unfair":
            scores = {**result.scores["test"], "mae": 0.9}
            result = type(result)(scores={"test": scores}, files=result.files)
        store.results.finish(OWNER, run.id, result)
    page = _first_page(sweep_report(store, [sweep]))
    assert str(page["Answer"]).startswith("No fair model predicts better than one and the same")


def test_nothing_is_recommended_that_is_less_fair_than_without_fairness(store: Store) -> None:
    sweep = add_crime(store)
    for run in claimed_runs(store):
        result = result_of(run.config)
        gap = 0.02 if run.config["method"]["method"] == "unfair" else 0.03
        scores = {**result.scores["test"], "gdp": gap}
        store.results.finish(
            OWNER, run.id, type(result)(scores={"test": scores}, files=result.files)
        )
    answer = str(_first_page(sweep_report(store, [sweep]))["Answer"])
    assert answer.startswith("No fair model that was trained is fairer than the one without")
    assert "0.0200" in answer


def test_where_chance_explains_the_ordinary_model_too_the_answer_says_so(store: Store) -> None:
    sweep = add_crime(store)
    finish_next(store)
    [subject] = subjects_of(store, [sweep])
    point = {
        "method": "frem",
        "words": "",
        "fairness": 0.1,
        "prediction": 0.9,
        "seeds": 1,
        "runs": (),
    }
    ordinary = {**point, "method": "unfair", "fairness": 0.15}
    answer = Answer(
        points=subject.points(subject.fairness),
        best=point,
        unfair=ordinary,
        constant=None,
        chance=NoiseFloor(mean=0.14, upper=0.2, share=0.95, n_permutations=100),
    )
    words = "The same holds without fairness"
    assert words in answer.facts(subject)["Answer"]
    follows = replace(answer, unfair={**ordinary, "fairness": 0.3})
    assert words not in follows.facts(subject)["Answer"]


def test_chance_levels_of_the_scores_are_listed(store: Store) -> None:
    sweep = add_crime(store)
    finish_next(store)
    report = sweep_report(store, [sweep])
    (table,) = (
        block.frame
        for section in report.sections
        for block in section.blocks
        if isinstance(block, Table) and block.caption == "What chance alone gives"
    )
    assert any("ΔGDP" in name for name in table["score"])
    assert (table["by chance"] <= table["in 95 % of shuffles at most"]).all()
    gdp = table[table["score"].str.contains("ΔGDP")].iloc[0]
    assert gdp["recommended"] == pytest.approx(0.02)
    assert gdp["without fairness"] == pytest.approx(0.05)


def test_errors_are_said_in_the_targets_own_units(store: Store, tmp_path: Path) -> None:
    """A price is off by so many euros, not by so many hundredths of a scale from 0 to 1."""
    random = np.random.default_rng(0)
    step = np.tile(np.arange(1, 6), 30)
    frame = pd.DataFrame({"Stufe": step, "Preis": 200_000 + 20_000 * step, "qm": step * 9.0})
    frame["qm"] += random.normal(size=len(frame))
    file = tmp_path / "haus.csv"
    frame.to_csv(file, index=False)
    spec = SweepSpec.from_dict(
        {
            "name": "Haus",
            "seeds": [0],
            "dataset": DatasetSpec.of(str(file), target="Preis", sensitive="Stufe").to_dict(),
            "training": {"epochs": 1},
            "methods": [{"method": "unfair"}, {"method": "frem", "fairness_weights": [1.0]}],
        }
    )
    sweep = submit(store, spec)
    for run in claimed_runs(store):
        fair = run.config["method"]["method"] == "frem"
        scores = {"mae": 0.2 if fair else 0.1, "gdp": 0.01 if fair else 0.05, "r2": 0.5}
        ends = {"target": {"low": 220_000.0, "high": 300_000.0}}
        store.results.finish(OWNER, run.id, RunResult(scores={"test": scores}, facts=ends))
    report = sweep_report(store, [sweep])
    assert "off by 16,000 on average instead of 8,000" in str(_first_page(report)["What it costs"])
    # A sweep in a store knows its table by an id; elsewhere that says nothing.
    text = report.to_json()
    assert 'path = \\"haus.parquet\\"' in text
    assert f"frem export {sweep} --toml -o sweep.toml" in text


def test_unfinished_and_empty_sweeps_are_said(store: Store) -> None:
    sweep = add_crime(store)
    report = sweep_report(store, [sweep])
    assert "No run has finished yet" in str(_first_page(report)["Answer"])
    assert "had not finished" in report.to_json()
    with pytest.raises(DataError, match="no runs"):
        sweep_report(store, [])


def test_hostile_names_stay_names(store: Store, tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    rows = 120
    age = random.uniform(20, 70, rows)
    frame = pd.DataFrame(
        {
            "paid": random.choice(["ja", "nein"], rows),  # a file that begins with < is a page
            NASTY: age,
            "<b>x</b>": age + random.normal(size=rows),
            "town": random.choice(["A", NASTY], rows),
        }
    )
    file = tmp_path / "people.csv"
    frame.to_csv(file, index=False)
    spec = SweepSpec.from_dict(
        {
            "name": NASTY,
            "seeds": [0],
            "dataset": DatasetSpec.of(str(file), target="paid", sensitive=NASTY).to_dict(),
            "training": {"epochs": 1},
            "methods": [{"method": "unfair"}],
        }
    )
    sweep = submit(store, spec)
    report = sweep_report(store, [sweep])
    html = report.to_html()
    assert "<script>alert(1)" not in html
    assert "<b>x</b>" not in html
    assert NASTY in report.to_json().replace("\\/", "/")
