"""Claims are judged by the nearest reading of the paper, with the printed settings beside it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from frem_core.datasets import load_dataset
from frem_core.reproduction import (
    StoredResults,
    Verdict,
    get_target,
    load_spec,
    nearest_version,
    write_overview,
    write_report,
)
from frem_core.reproduction.results import wanted_sweep
from frem_core.store import Store
from frem_core.sweeps import RunConfig, submit
from tests.reproduction.finished import finish_waiting, frem_wins


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


def test_only_decay_and_gamma_differ_on_crime() -> None:
    printed = load_spec("pareto_crime")
    nearest = nearest_version(printed, own_weights=True)
    assert nearest.training == printed.training | {"weight_decay": 0.001}
    assert not nearest.gamma.validates
    assert (nearest.methods, nearest.seeds, nearest.dataset) == (
        printed.methods,
        printed.seeds,
        printed.dataset,
    )


@pytest.mark.parametrize("name", ["pareto_adult", "pareto_adult_binary", "eo_adult"])
def test_adult_has_age_among_the_features_and_the_sizes_of_the_papers_table(name: str) -> None:
    spec = nearest_version(load_spec(name))
    dataset = load_dataset(str(spec.dataset.name))
    assert any(column.startswith("age") for column in dataset.features)
    assert {run.split["kind"] for run in spec.expand(dataset)} == {"paper_table"}
    assert {run.training.weight_decay for run in spec.expand(dataset)} == {0.001}


def test_the_variants_of_an_ablation_keep_their_own_weights() -> None:
    printed, nearest = (
        wanted_sweep("kernels-s@crime", quick=False, reading=reading)
        for reading in ("printed", "nearest")
    )
    assert nearest.methods == printed.methods
    assert nearest.training["weight_decay"] == 0.001


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


def test_a_reading_without_runs_is_not_tested_and_the_other_still_shows(store: Store) -> None:
    submit(store, wanted_sweep("pareto_crime", quick=True, reading="printed"))
    finish_waiting(store, frem_wins)
    report = get_target("pareto-crime").judged(store, quick=True)
    assert {one.verdict for one in report.findings} == {Verdict.OPEN}
    assert report.findings[0].printed_verdict is Verdict.REPRODUCED
    nearest = StoredResults(store, quick=True, reading="nearest")
    assert f"0 of {nearest.expected('pareto_crime')} runs" in " ".join(report.protocol)
