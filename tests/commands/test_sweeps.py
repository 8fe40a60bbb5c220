"""The commands around sweeps, on a store that is filled without an engine."""

import io
import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from frem_core.cli import frem
from frem_core.errors import FremError
from frem_core.store import RunState, Store, open_store
from tests.store.examples import OWNER, add_sweep, finish_all, new_run, result

SPEC = """
name = "λ sweep"
seeds = [0, 1]
[dataset]
name = "crime"
[[methods]]
method = "frem"
fairness_weights = [0.1, 0.2]
"""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("FREM_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("FREM_STORE", raising=False)
    return open_store()


def run(*arguments: str, answer: str = "") -> Result:
    return CliRunner().invoke(frem, list(arguments), input=answer)


def fine(*arguments: str, answer: str = "") -> str:
    result = run(*arguments, answer=answer)
    assert result.exit_code == 0, result.output
    return result.output


class TestSweep:
    def test_dry_run_counts_and_queues_nothing(self, store: Store, tmp_path: Path) -> None:
        file = tmp_path / "sweep.toml"
        file.write_text(SPEC)
        assert "describes 4 runs; nothing was queued" in fine("sweep", str(file), "--dry-run")
        assert json.loads(fine("sweep", str(file), "--dry-run", "--json")) == {"runs": 4}
        assert "4 runs" in fine("sweep", "-", "--dry-run", answer=SPEC)
        assert store.sweeps.frame().empty

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (SPEC.replace("frem", "fren").encode(), "Did you mean 'frem'"),
            (b"\xff\xfe\x00", "no UTF-8 text"),
            (b"name =", "not TOML"),
        ],
    )
    def test_a_mistake_is_named(
        self, store: Store, tmp_path: Path, content: bytes, words: str
    ) -> None:
        file = tmp_path / "sweep.toml"
        file.write_bytes(content)
        result = run("sweep", str(file))
        assert isinstance(result.exception, FremError)
        assert words in str(result.exception)
        assert store.sweeps.frame().empty

    def test_help_shows_a_file_that_works(self, store: Store) -> None:
        text = fine("sweep", "--help")
        lines = text[text.index("name = ") : text.index("epochs = 200") + 12].splitlines()
        example = "\n".join(line.strip() for line in lines)
        assert "105 runs" in fine("sweep", "-", "--dry-run", answer=example)


class TestStatus:
    def test_of_an_empty_store(self, store: Store) -> None:
        text = fine("status")
        assert "No sweep yet" in text
        assert "not running" in text

    def test_of_all_and_one(self, store: Store) -> None:
        sweep = add_sweep(store, [new_run(0), new_run(1)], "[b]X[/b]")
        [[claimed]] = store.queue.claim(OWNER, bundles=1)
        store.queue.fail(OWNER, claimed.id, "It ran [red]out[/red] of memory.")
        assert "[b]X[/b]" in fine("status")
        text = fine("status", sweep)
        assert "failed" in text
        assert f"{claimed.id[:8]}: It ran [red]out[/red] of memory." in text
        report = json.loads(fine("status", sweep, "--json"))
        assert (report["failed"], report["queued"]) == (1, 1)
        assert [member["state"] for member in report["members"]] == ["failed", "queued"]
        everything = json.loads(fine("status", "--json"))
        assert everything["engine"]["is_running"] is False
        assert everything["sweeps"][0]["runs"] == 2

    def test_it_says_how_to_go_on_without_an_engine(self, store: Store) -> None:
        sweep = add_sweep(store, [new_run(0)])
        assert f"frem resume {sweep}" in " ".join(fine("status").split())
        store.sweeps.cancel(sweep)
        assert "frem resume" not in fine("status")

    def test_unknown_names_are_refused(self, store: Store) -> None:
        add_sweep(store, [new_run(0)], "Crime")
        result = run("status", "Crimee")
        assert "Did you mean 'Crime'" in str(result.exception)


class TestCancel:
    def test_sweeps_and_runs(self, store: Store) -> None:
        sweep = add_sweep(store, [new_run(0), new_run(1)])
        run_id = store.runs.frame(sweep)["id"][0]
        assert f"Cancelled run {run_id[:12]}" in fine("cancel", run_id[:10])
        assert list(store.runs.frame(sweep)["state"]) == ["cancelled", "queued"]
        fine("cancel", sweep)
        assert set(store.runs.frame(sweep)["state"]) == {"cancelled"}

    def test_nothing_happens_when_one_name_is_wrong(self, store: Store) -> None:
        sweep = add_sweep(store, [new_run(0)])
        assert run("cancel", sweep, "nonsense").exit_code != 0
        assert set(store.runs.frame(sweep)["state"]) == {"queued"}


class TestResume:
    def test_what_failed_or_was_cancelled_and_what_lost_a_file(
        self, store: Store, started_engines: list[Store]
    ) -> None:
        sweep = add_sweep(store, [new_run(seed) for seed in range(5)], "Crime")
        [[whole], [lost], [failed], [stopped], _] = store.queue.claim(OWNER, bundles=5)
        for run_id, score in ((whole.id, 0.5), (lost.id, 0.6)):
            store.results.finish(OWNER, run_id, result(score))
        store.queue.fail(OWNER, failed.id, "No memory.")
        store.queue.cancelled(OWNER, stopped.id)
        damage(store, lost.id)
        said = " ".join(fine("resume", "Crime").split())
        assert f"The weights of run {lost.id[:12]} cannot be used" in said
        assert f"Queued 3 runs of sweep {sweep} 'Crime' again." in said
        states = store.runs.frame(sweep)["state"]
        assert list(states) == ["done", "queued", "queued", "queued", "running"]
        assert [one.url for one in started_engines] == [store.url]

    def test_a_single_run(self, store: Store, started_engines: list[Store]) -> None:
        add_sweep(store, [new_run(0), new_run(1)])
        [first, second] = finish_all(store)
        assert "Queued 0 runs of run" in fine("resume", first[:12])
        assert not started_engines
        damage(store, first)
        damage(store, second)
        assert "Queued 1 run of run" in fine("resume", first[:12])
        assert store.runs.get(second).state == RunState.DONE
        assert len(started_engines) == 1


def damage(store: Store, run_id: str) -> None:
    """Cuts a file of a run short."""
    digest = store.artefacts.of_run(run_id)["weights"].hash
    [file] = store.artefacts.folder.glob(f"*/{digest}*")
    file.write_bytes(file.read_bytes()[:-1])


class TestExport:
    def test_csv_and_parquet_hold_the_same(self, store: Store, tmp_path: Path) -> None:
        add_sweep(store, [new_run(0), new_run(1)], "Crime")
        [first, _] = finish_all(store)
        store.runs.write_note(first, "=cmd()")
        parquet, csv = tmp_path / "runs.parquet", tmp_path / "runs.csv"
        fine("export", "Crime", "-o", str(parquet))
        fine("export", "-o", str(csv))
        table = pd.read_parquet(parquet)
        assert list(table["test.accuracy"]) == [0.5, 0.51]
        assert list(pd.read_csv(csv)["test.accuracy"]) == [0.5, 0.51]
        assert pd.read_csv(csv)["note"][0] == "'=cmd()"  # a spreadsheet shows it as text

    def test_standard_output_and_description(self, store: Store) -> None:
        add_sweep(store, [new_run(0)], "Crime")
        output = CliRunner().invoke(frem, ["export", "Crime"])
        assert len(pd.read_csv(io.BytesIO(output.stdout_bytes))) == 1
        assert fine("export", "Crime", "--toml") == 'name = "example"\n'

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [(["-o", "runs.xlsx"], "must end in .csv or .parquet"), (["--toml"], "say which")],
    )
    def test_mistakes(self, store: Store, arguments: list[str], words: str) -> None:
        result = run("export", *arguments)
        assert words in str(result.exception)


class TestDelete:
    def test_asks_first(self, store: Store) -> None:
        sweep = add_sweep(store, [new_run(0), new_run(1)])
        run_id = store.runs.frame(sweep)["id"][0]
        fine("delete", sweep, answer="n\n")
        assert len(store.runs.frame()) == 2
        fine("delete", run_id, answer="y\n")
        assert len(store.runs.frame()) == 1
        assert "and 1 run." in fine("delete", sweep, "--yes")
        assert store.runs.frame().empty

    def test_tables_are_listed_and_deleted(self, store: Store) -> None:
        assert "No table is kept" in fine("delete")
        store.tables.keep(pd.DataFrame({"a": [1, 2]}), table_id="a" * 20, name="[b]people[/b].csv")
        assert "[b]people[/b].csv" in fine("delete")
        fine("delete", "a" * 20, answer="n\n")
        assert len(store.tables.list()) == 1
        fine("delete", "a" * 20, answer="y\n")
        assert store.tables.list() == []
