"""Targets judge made-up runs as one would by eye, and never stumble over missing ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from frem_core.reproduction import (
    StoredResults,
    Verdict,
    available_targets,
    get_target,
    train_target,
    write_report,
)
from frem_core.store import Store
from tests.reproduction.finished import finish, finish_waiting, frem_wins

CRIME = ("pareto_crime", "kernels-s@crime", "kernels-z@crime", "sigma@crime", "mmd-bins@crime")
#: Those that need no runs compute for minutes instead.
TRAINED = [name for name in available_targets() if get_target(name).specs]
SLOW = {"open-points", "implications"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = Store(folder=tmp_path_factory.mktemp("finished"))
    finish(opened, CRIME, frem_wins)
    yield opened
    opened.close()


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Store]:
    opened = Store(folder=tmp_path / "home")
    yield opened
    opened.close()


def test_a_method_that_wins_everywhere_is_said_to(store: Store) -> None:
    report = get_target("pareto-crime").report(StoredResults(store))
    verdicts = {finding.claim.text: finding.verdict for finding in report.findings}
    assert len(verdicts) == 15
    assert set(verdicts.values()) == {Verdict.REPRODUCED}
    done = "all 505 runs are done, 5 seeds per series, 505 minutes of training"
    assert done in " ".join(report.protocol)


def test_the_same_line_for_every_variant_is_no_difference(store: Store) -> None:
    for name in ("kernels-z", "sigma"):
        report = get_target(name).report(StoredResults(store))
        assert report.findings[0].verdict in (Verdict.REPRODUCED, Verdict.PARTLY)
        assert "Hypervolume relative to" in report.findings[0].evidence


def test_more_bins_on_the_same_line_bring_no_gain(store: Store) -> None:
    first, second = get_target("mmd-bins").report(StoredResults(store)).findings
    assert first.verdict is Verdict.REPRODUCED
    assert "comparisons show a gain" in second.evidence


def test_the_table_puts_the_paper_beside_ours(store: Store) -> None:
    report = get_target("table-other").report(StoredResults(store))
    tables = [table for section in report.sections for table in section.tables]
    crime = next(table for table in tables if "1 − MAE" in table)
    assert len(crime) == 11
    unfair = crime[crime["method"] == "Unfair"].iloc[0]
    assert unfair["ΔHGR"].startswith("0.500")
    assert unfair["ΔHGR"].endswith("/ 0.569")
    by_claim = {finding.claim.text: finding.verdict for finding in report.findings}
    assert by_claim["Adult: at comparable prediction FREM has the lowest ΔHGR."] is Verdict.OPEN


@pytest.mark.parametrize("name", sorted(set(TRAINED) - SLOW))
def test_a_target_without_runs_says_so_and_can_be_written(
    name: str, empty: Store, tmp_path: Path
) -> None:
    target = get_target(name)
    report = target.report(StoredResults(empty), quick=True)
    assert {finding.verdict for finding in report.findings} <= {Verdict.OPEN}
    text = write_report(report, tmp_path).read_text(encoding="utf-8")
    assert "0 of" in text


def test_an_interrupted_target_goes_on_where_it_stopped(empty: Store) -> None:
    target = get_target("pareto-crime")
    waited: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("frem_core.reproduction.target.ensure_engine", lambda store: None)

        def wait(sweep: str, name: str) -> None:
            waited.append(sweep)

        train_target(empty, target, quick=True, readings=["printed"], wait=wait)
        first = finish_waiting(empty, frem_wins, bundles=4)
        results = StoredResults(empty, quick=True)
        assert 0 < first < results.expected("pareto_crime")
        assert len(results.runs("pareto_crime")) == first
        half = target.report(results, quick=True)
        assert f"{first} of {results.expected('pareto_crime')} runs" in " ".join(half.protocol)
        train_target(empty, target, quick=True, readings=["printed"], wait=wait)
    rest = finish_waiting(empty, frem_wins)
    assert first + rest == results.expected("pareto_crime")
    assert len(set(waited)) == 1  # the same sweep, not a second one
    assert len(empty.runs.frame()) == first + rest
