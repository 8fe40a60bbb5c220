"""Claims are judged by the nearest reading of the paper, with the printed settings beside it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from frem_core.datasets import load_dataset
from frem_core.reproduction import (
    StoredResults,
    Verdict,
    earlier_printed,
    get_target,
    load_spec,
    nearest_version,
    write_overview,
    write_report,
)
from frem_core.reproduction.results import shipped_runs, wanted_sweep, with_shipped_runs
from frem_core.reproduction.specs import sections_of
from frem_core.store import Store
from frem_core.sweeps import RunConfig, submit
from tests.reproduction.finished import finish_waiting, frem_wins

SHIPPED = (
    *("pareto_crime", "pareto_adult", "pareto_adult_binary", "eo_adult"),
    *("mmd-bins@crime", "kernels-s@crime", "kernels-z@crime", "sigma@crime", "train-vs-test@crime"),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(folder=tmp_path / "home")
    yield opened
    opened.close()


def frem_loses(run: RunConfig, moved: float) -> dict[str, float]:
    """The same lines with FREM's the worst."""
    scores = frem_wins(run, moved)
    cost = 0.05 if run.method.name == "frem" else -0.02
    return scores | {"mae": scores["mae"] + cost * moved, "mse": scores["mse"] + cost * moved / 2}


def test_only_decay_gamma_and_fairness_weights_differ_on_crime() -> None:
    printed, nearest = load_spec("pareto_crime"), nearest_version("pareto_crime")
    assert nearest.training == printed.training | {"weight_decay": 0.001}
    assert not nearest.gamma.validates
    assert (nearest.seeds, nearest.dataset) == (printed.seeds, printed.dataset)
    pairs = list(zip(printed.methods, nearest.methods, strict=True))
    assert [replace(b, fairness_weights=a.fairness_weights) for a, b in pairs] == [
        a for a, _ in pairs
    ]
    changed = [a.method for a, b in pairs if a != b]
    assert changed == [a.method for a, _ in pairs if a.method != "unfair"]


@pytest.mark.parametrize("name", ["pareto_adult", "pareto_adult_binary", "eo_adult"])
def test_adult_has_age_among_the_features_and_the_sizes_of_the_papers_table(name: str) -> None:
    spec = nearest_version(name)
    dataset = load_dataset(str(spec.dataset.name))
    assert any(column.startswith("age") for column in dataset.features)
    assert {run.split["kind"] for run in spec.expand(dataset)} == {"paper_table"}
    assert {run.training.weight_decay for run in spec.expand(dataset)} == {0.001}


def test_a_variant_with_a_penalty_of_another_scale_has_weights_of_its_own() -> None:
    nearest = nearest_version("kernels-s@crime")
    weights = [one.fairness_weights for one in nearest.methods if one.method == "frem"]
    assert weights[0] == nearest_version("train-vs-test@crime").methods[0].fairness_weights
    assert len(set(weights)) == len(weights) == 3
    assert nearest.training["weight_decay"] == 0.001


@pytest.mark.parametrize("dataset", ["crime", "adult"])
def test_one_model_each_is_trained_where_one_is_asked_for(dataset: str) -> None:
    sweep = nearest_version(f"mi-stability@{dataset}")
    assert {len(one.aims()) for one in sweep.methods} == {1}


@pytest.mark.parametrize("spec", SHIPPED)
def test_runs_that_come_with_the_program_are_runs_of_the_sweep(spec: str) -> None:
    known = shipped_runs(spec)
    assert len(known)
    wanted = dict(zip(sections_of(spec), nearest_version(spec).methods, strict=True))
    for series, own in known.groupby("series"):
        section = wanted[str(series).partition(":")[0]]
        assert set(own["weight"]) == {one["weight"] for one in section.aims()}
    assert not known.duplicated(["series", "weight", "seed"]).any()


def test_both_verdicts_stand_beside_each_other(store: Store, tmp_path: Path) -> None:
    target = get_target("pareto-crime")
    for reading, scores in (("nearest", frem_wins), ("printed", frem_loses)):
        submit(store, wanted_sweep("pareto_crime", quick=True, reading=reading))
        finish_waiting(store, scores)
    report = target.judged(store, quick=True)
    front = report.findings[0]
    assert (front.verdict, front.printed_verdict) == (Verdict.REPRODUCED, Verdict.NOT)
    assert len({one.name for section in report.sections for one in section.pictures}) == 6
    text = write_report(report, tmp_path).read_text(encoding="utf-8")
    assert "with the settings as printed" in text
    assert "weight decay 0.001" in text
    overview = write_overview(tmp_path).read_text(encoding="utf-8")
    assert "| **reproduced** | **not** |" in overview


def shipped(spec: str, epochs: int) -> pd.DataFrame:
    """FREM ahead of Reg-GDP on two seeds, as runs that come with the program are written."""
    rows = [
        {
            **{"series": series, "method": series, "weight": weight, "seed": seed},
            **{"gamma": 0.05, "seconds": float("nan"), "epochs": epochs},
            **dict.fromkeys(["accuracy", "average_precision"], 0.85 - cost * weight),
            **dict.fromkeys(["gdp", "hgr", "mutual_information"], 0.4 - 0.3 * weight),
            "representation_mutual_information": 0.4 - 0.3 * weight,
        }
        for series, cost in (("unfair", 0.0), ("frem", 0.01), ("reg_gdp", 0.05))
        for weight in ((0.0,) if series == "unfair" else (0.2, 0.5, 1.0))
        for seed in (0, 1)
    ]
    return pd.DataFrame(rows if spec == "pareto_adult" else [])


def test_shorter_runs_that_come_with_the_program_say_so(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = "frem_core.reproduction.results.shipped_runs"
    monkeypatch.setattr(results, lambda spec: shipped(spec, 60))
    report = get_target("pareto-adult").judged(store)
    front = report.findings[0]
    assert front.verdict is Verdict.REPRODUCED
    assert front.evidence.endswith("Adult: 60 epochs instead of the paper's 200.")
    assert "Nearest reading, Adult: trained for 60 epochs" in " ".join(report.protocol)
    monkeypatch.setattr(results, lambda spec: shipped(spec, 200))
    assert "epochs instead" not in get_target("pareto-adult").judged(store).findings[0].evidence


def test_shorter_runs_are_never_mixed_with_those_of_a_store() -> None:
    papers, short = shipped("pareto_adult", 200).drop(columns="epochs"), shipped("pareto_adult", 60)
    for count in (0, 3):
        assert set(with_shipped_runs(papers.head(count), short, 200)["epochs"]) == {60}
    assert with_shipped_runs(papers, short, 200) is papers
    assert len(with_shipped_runs(papers.head(3), shipped("pareto_adult", 200), 200)) == len(short)


def test_a_reading_without_runs_is_not_tested_and_the_other_still_shows(store: Store) -> None:
    submit(store, wanted_sweep("pareto_crime", quick=True, reading="printed"))
    finish_waiting(store, frem_wins)
    report = get_target("pareto-crime").judged(store, quick=True)
    assert {one.verdict for one in report.findings} == {Verdict.OPEN}
    assert report.findings[0].printed_verdict is Verdict.REPRODUCED
    nearest = StoredResults(store, quick=True, reading="nearest")
    assert f"0 of {nearest.expected('pareto_crime')} runs" in " ".join(report.protocol)


def test_what_a_page_says_on_the_printed_settings_stays_when_only_the_other_is_judged(
    store: Store, tmp_path: Path
) -> None:
    target, pages = get_target("sigma"), tmp_path / "pages"
    assert earlier_printed(pages, "sigma") is None
    submit(store, wanted_sweep("sigma@crime", quick=True, reading="printed"))
    finish_waiting(store, frem_wins)
    first = write_report(target.judged(store, quick=True), pages).read_text(encoding="utf-8")
    submit(store, wanted_sweep("sigma@crime", quick=True, reading="nearest"))
    finish_waiting(store, frem_loses)
    whole = write_report(target.judged(store, quick=True), pages).read_text(encoding="utf-8")

    elsewhere = Store(folder=tmp_path / "elsewhere")
    try:
        submit(elsewhere, wanted_sweep("sigma@crime", quick=True, reading="nearest"))
        finish_waiting(elsewhere, frem_loses)
        (pages / "sigma.md").write_text(first, encoding="utf-8")
        kept = target.judged(elsewhere, quick=True, printed=earlier_printed(pages, "sigma"))
        assert write_report(kept, pages).read_text(encoding="utf-8") == whole
    finally:
        elsewhere.close()


def test_a_page_from_before_there_were_two_readings_is_about_the_printed_settings(
    store: Store, tmp_path: Path
) -> None:
    submit(store, wanted_sweep("sigma@crime", quick=True, reading="printed"))
    finish_waiting(store, frem_wins)
    once = get_target("sigma").report(StoredResults(store, quick=True), quick=True)
    write_report(once, tmp_path)
    kept = earlier_printed(tmp_path, "sigma")
    assert kept is not None
    assert (kept.findings, kept.protocol) == (once.findings, once.protocol)
    assert [one.heading for one in kept.sections] == [one.heading for one in once.sections]
