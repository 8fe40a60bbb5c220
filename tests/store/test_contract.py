"""The contract of the store (see ``Store``), run over every database it supports."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from sqlalchemy import Connection, text

from frem_core.store import (
    FinishedRunError,
    LeaseLostError,
    Progress,
    RunState,
    Store,
    StoreError,
    identity_of,
)
from tests.store.examples import (
    CRIME,
    OWNER,
    add_sweep,
    claim_one,
    config,
    finish_all,
    new_run,
    result,
    state,
)


def sql(store: Store, statement: str, **values: object) -> None:
    def work(connection: Connection) -> None:
        connection.execute(text(statement), values)

    store._database.write(work)


class TestSweeps:
    def test_a_run_travels_from_queue_to_result(self, open_again: Callable[[], Store]) -> None:
        store = open_again()
        sweep = add_sweep(store, [new_run(seed) for seed in range(3)])
        assert store.queue.unfinished() == 3
        finished = finish_all(store)
        assert finished == [identity_of(config(seed)) for seed in range(3)]
        frame = open_again().runs.frame(sweep)  # as another process sees it
        assert list(frame["state"]) == ["done"] * 3
        assert list(frame["config.seed"]) == [0, 1, 2]
        assert list(frame["config.parameters.fairness_weight"]) == [0.1] * 3
        assert list(frame["test.accuracy"]) == [0.5, 0.51, 0.52]
        assert list(frame["facts.gamma"]) == [0.05] * 3
        assert list(frame["seconds.training"]) == [1.5] * 3
        assert store.queue.unfinished() == 0

    def test_counts_per_state(self, store: Store) -> None:
        sweep = add_sweep(store, [new_run(seed) for seed in range(4)])
        store.results.finish(OWNER, claim_one(store), result())
        store.queue.fail(OWNER, claim_one(store), "out of memory")
        claim_one(store)
        row = store.sweeps.frame(sweep).iloc[0]
        counts = {name: int(row[name]) for name in ("done", "failed", "running", "queued", "runs")}
        assert counts == {"done": 1, "failed": 1, "running": 1, "queued": 1, "runs": 4}
        assert row["progress"] == pytest.approx(0.25)

    def test_a_run_shared_by_two_sweeps_is_trained_once(self, store: Store) -> None:
        add_sweep(store, [new_run(0), new_run(1)])
        finish_all(store)
        second = add_sweep(store, [new_run(1), new_run(2)])
        assert [run.config["seed"] for [run] in store.queue.claim("b", bundles=9)] == [2]
        assert list(store.runs.frame(second)["state"]) == ["done", "running"]
        assert len(store.runs.frame()) == 3

    def test_a_failed_run_is_queued_again_by_a_new_sweep(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        store.queue.fail(OWNER, run := claim_one(store), "no luck")
        assert store.runs.get(run).error == "no luck"
        add_sweep(store, [new_run(0)])
        assert state(store, run) == RunState.QUEUED
        assert store.runs.get(run).error is None

    def test_found_by_id_name_or_beginning(self, store: Store) -> None:
        sweep = add_sweep(store, [new_run(0)], "Crime fronts")
        assert store.sweeps.find(sweep) == sweep
        assert store.sweeps.find("Crime fronts") == sweep
        assert store.sweeps.find(sweep[:6]) == sweep
        with pytest.raises(StoreError, match="Did you mean 'Crime fronts'"):
            store.sweeps.find("crime front")

    def test_spec_is_kept_to_the_letter(self, store: Store) -> None:
        text_with_everything = "name = 'λ \"quoted\" <b>'\n# comment\n"
        sweep = store.sweeps.add("x", text_with_everything, [new_run(0)], [CRIME])
        assert store.sweeps.spec(sweep) == text_with_everything

    def test_empty_sweep_is_refused(self, store: Store) -> None:
        with pytest.raises(StoreError, match="at least one run"):
            add_sweep(store, [])

    def test_datasets_are_remembered_once(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        add_sweep(store, [new_run(1)])
        [row] = store.datasets.frame().to_dict("records")
        assert (row["name"], row["rows"], row["runs"]) == ("crime", 1994, 2)
        assert row["source"] == {"name": "crime"}


class TestFinishedIsForEver:
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE runs SET scores = '{}' WHERE id = :run",
            "UPDATE runs SET state = 'queued' WHERE id = :run",
            "UPDATE epochs SET first = 7 WHERE run = :run",
            "DELETE FROM epochs WHERE run = :run",
            "DELETE FROM artefacts WHERE run = :run",
            "UPDATE artefacts SET hash = 'x' WHERE run = :run",
            "INSERT INTO artefacts (run, kind, hash, size) VALUES (:run, 'late', 'x', 1)",
        ],
    )
    def test_the_database_itself_refuses_changes(self, store: Store, statement: str) -> None:
        add_sweep(store, [new_run(0)])
        [run] = finish_all(store)
        before = store.runs.frame()
        with pytest.raises(FinishedRunError, match="cannot be changed"):
            sql(store, statement, run=run)
        pd.testing.assert_frame_equal(store.runs.frame(), before)
        assert len(store.runs.history(run)) == 20

    def test_no_request_changes_it(self, store: Store) -> None:
        sweep = add_sweep(store, [new_run(0)])
        [run] = finish_all(store)
        store.queue.cancel([run])
        store.sweeps.cancel(sweep)
        assert store.queue.resume([run]) == 0
        assert store.queue.fail(OWNER, run, "late") is False
        with pytest.raises(LeaseLostError):
            store.results.finish(OWNER, run, result(0.99))
        assert store.runs.get(run).scores["test"]["accuracy"] == 0.5

    def test_notes_may_change(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        [run] = finish_all(store)
        store.runs.write_note(run, "<b>good</b>")
        store.runs.write_note(run, "=better()")
        assert store.runs.get(run).note == "=better()"
        assert list(store.runs.frame()["note"]) == ["=better()"]
        store.runs.write_note(run, "")
        assert store.runs.get(run).note == ""


class TestEpochs:
    def test_live_curves_grow_and_end_as_one_row(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        run = claim_one(store)
        store.queue.report(OWNER, {run: Progress(2, records=[{"a": 1.0}, {"a": 2.0}])})
        store.queue.report(OWNER, {run: Progress(3, records=[{"a": 3.0, "b": 0.5}], first=2)})
        live = store.runs.history(run)
        assert list(live.index) == [1, 2, 3]
        assert list(live["a"]) == [1.0, 2.0, 3.0]
        assert np.isnan(live["b"].iloc[0])
        store.results.finish(OWNER, run, result())
        assert list(store.runs.history(run).columns) == ["task_loss", "penalty"]
        assert len(store.runs.history(run)) == 20

    def test_a_resumed_training_overwrites_what_it_repeats(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        run = claim_one(store)
        for first, values in ((0, [0, 1, 2, 3, 4]), (5, [5, 6]), (3, [30, 40, 50]), (6, [60])):
            records = [{"a": float(value)} for value in values]
            news = Progress(first + len(values), records=records, first=first)
            store.queue.report(OWNER, {run: news})
        assert list(store.runs.history(run)["a"]) == [0, 1, 2, 30, 40, 50, 60]

    def test_of_an_unknown_run_is_empty(self, store: Store) -> None:
        assert store.runs.history("0" * 64).empty


class TestFiles:
    def test_content_comes_back(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        [run] = finish_all(store)
        assert store.artefacts.read(run, "weights") == b"weights of 0.5"
        assert store.artefacts.of_run(run)["weights"].size == len(b"weights of 0.5")
        with pytest.raises(StoreError, match="has no 'wights'; it has weights"):
            store.artefacts.read(run, "wights")

    def test_damage_is_noticed(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        [run] = finish_all(store)
        [path] = store.artefacts.folder.glob("*/*")
        path.write_bytes(b"WEIGHTS of 0.5")
        with pytest.raises(StoreError, match="is damaged"):
            store.artefacts.read(run, "weights")
        path.unlink()
        with pytest.raises(StoreError, match="is missing"):
            store.artefacts.read(run, "weights")

    def test_garbage_is_swept_and_named_files_stay(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        [run] = finish_all(store)
        store.artefacts.put("weights", b"of a run that never finished")
        assert store.artefacts.sweep_garbage() == 0  # too young to be called garbage
        assert store.artefacts.sweep_garbage(young_seconds=-1) == 28
        assert store.artefacts.read(run, "weights") == b"weights of 0.5"

    def test_what_is_kept_counts_the_database_wherever_it_lies(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        finish_all(store)
        kept = store.kept_bytes()
        assert kept["files of runs"] == len(b"weights of 0.5")
        assert kept["kept tables"] == 0
        assert kept["database"] > 50_000


class TestDeleting:
    def test_takes_everything_of_a_run(self, store: Store) -> None:
        sweep = add_sweep(store, [new_run(0), new_run(1)])
        first, second = finish_all(store)
        store.runs.write_note(first, "note")
        assert store.runs.delete([first]) == 1
        assert list(store.runs.frame(sweep)["id"]) == [second]
        assert store.runs.history(first).empty
        assert store.artefacts.of_run(first) == {}
        with pytest.raises(StoreError, match="No run has"):
            store.runs.get(first)

    def test_a_sweep_takes_only_its_own_runs(self, store: Store) -> None:
        first = add_sweep(store, [new_run(0), new_run(1)])
        second = add_sweep(store, [new_run(1), new_run(2)])
        finish_all(store)
        assert store.sweeps.delete(first) == 1
        assert list(store.sweeps.frame()["id"]) == [second]
        assert list(store.runs.frame()["config.seed"]) == [1, 2]

    def test_running_runs_must_be_cancelled_first(self, store: Store) -> None:
        sweep = add_sweep(store, [new_run(0)])
        run = claim_one(store)
        with pytest.raises(StoreError, match="Cancel them first"):
            store.sweeps.delete(sweep)
        assert list(store.sweeps.frame()["id"]) == [sweep]
        with pytest.raises(StoreError, match="Cancel them first"):
            store.runs.delete([run])


class TestReading:
    def test_an_empty_store_gives_empty_tables(self, store: Store) -> None:
        assert store.runs.frame().empty
        assert {"id", "state", "method", "note"} <= set(store.runs.frame().columns)
        assert store.sweeps.frame().empty
        assert store.datasets.frame().empty
        assert store.queue.claim(OWNER, bundles=1) == []

    def test_by_state(self, store: Store) -> None:
        sweep = add_sweep(store, [new_run(0), new_run(1)])
        store.results.finish(OWNER, claim_one(store), result())
        assert len(store.runs.frame(sweep, [RunState.DONE])) == 1
        assert len(store.runs.frame(sweep, [RunState.DONE, RunState.QUEUED])) == 2

    def test_scores_that_do_not_exist_are_missing(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        odd = result()
        scores = {"test": {"geo": float("nan"), "hgr": np.float32(0.25)}}
        store.results.finish(OWNER, claim_one(store), type(odd)(scores=scores))
        row = store.runs.frame().iloc[0]
        assert np.isnan(row["test.geo"])
        assert row["test.hgr"] == 0.25

    def test_states_of_many(self, store: Store) -> None:
        add_sweep(store, [new_run(seed) for seed in range(1200)])
        names = [identity_of(config(seed)) for seed in range(1200)]
        assert store.runs.states([*names, "unknown"]) == dict.fromkeys(names, RunState.QUEUED)

    def test_a_run_belongs_to_every_sweep_that_asks_for_it(self, store: Store) -> None:
        for sweep in (add_sweep(store, [new_run(0)]), add_sweep(store, [new_run(0)])):
            assert list(store.runs.frame(sweep)["id"]) == [identity_of(config(0))]
