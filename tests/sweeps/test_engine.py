"""Sweeps with a real engine, real workers and a real store."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from frem_core.datasets import prepare, split_dataset
from frem_core.evaluation import evaluate_split
from frem_core.store import RunState, Store
from frem_core.sweeps import (
    RunConfig,
    SweepSpec,
    engine_state,
    ensure_engine,
    load_model,
    load_predictions,
    load_representations,
    submit,
)
from frem_core.training import train
from tests.sweeps.processes import (
    engine_process,
    finish_sweep,
    halted,
    own_home,
    run_frem,
    same_scores,
    spec_text,
    wait_until,
    worker_processes,
    write_table,
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_table(tmp_path_factory.mktemp("tables") / "people.csv")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One engine for all tests of this file, with little memory for each worker."""
    home = tmp_path_factory.mktemp("engine") / "home"
    # It must not end by itself between two tests, however long they take.
    settings = {"FREM_WORKERS": "2", "FREM_WORKER_MEMORY": "900MB", "FREM_ENGINE_IDLE": "3600"}
    settings["FREM_NICENESS"] = "1"  # they would wait long on a busy machine
    with own_home(home, **settings) as store:
        yield store


@pytest.fixture(scope="module")
def finished(store: Store, table: Path, tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """A sweep that went through the command line to its end."""
    text = spec_text(table, epochs=12, methods='[[methods]]\nmethod = "unfair"\n')
    file = tmp_path_factory.mktemp("specs") / "sweep.toml"
    file.write_text(text)
    done = run_frem("sweep", str(file), "--wait", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["runs"], report["done"], report["failed"]) == (8, 8, 0)
    frame = store.runs.frame(report["sweep"])
    frame.attrs["sweep"] = report["sweep"]
    return frame


class TestResults:
    def test_they_are_those_of_a_plain_training(self, store: Store, finished: pd.DataFrame) -> None:
        spec = SweepSpec.from_toml(store.sweeps.spec(finished.attrs["sweep"]))
        for run in finished.to_dict("records"):
            config = RunConfig.from_dict(store.runs.get(run["id"]).config)
            data_set = spec.dataset.load(store.tables)
            data = prepare(data_set, split_dataset(data_set, **config.split))
            [model] = train(
                data.train,
                task=data.task,
                method=config.method,
                config=config.training,
                members=[config.member],
            )
            for split, scores in evaluate_split(model, data).items():
                for name, value in scores.items():
                    assert run[f"{split}.{name}"] == pytest.approx(value, rel=1e-3, abs=1e-3)

    def test_everything_is_kept(self, store: Store, finished: pd.DataFrame) -> None:
        run = finished["id"][0]
        history = store.runs.history(run)
        assert len(history) == 12
        assert {"task_loss", "penalty"} <= set(history.columns)
        predictions = load_predictions(store, run)
        rows, z = load_representations(store, run)
        model = load_model(store, run)
        assert list(predictions["row"]) == list(rows)
        assert len(predictions) == 48
        np.testing.assert_allclose(model.predict_from_representation(z), predictions["p"])
        assert finished["seconds.training"].gt(0).all()
        assert "torch" in store.runs.get(run).versions

    def test_the_same_sweep_again_trains_nothing(
        self, store: Store, finished: pd.DataFrame
    ) -> None:
        again = submit(store, SweepSpec.from_toml(store.sweeps.spec(finished.attrs["sweep"])))
        frame = store.runs.frame(again)
        assert set(frame["state"]) == {"done"}
        assert set(frame["id"]) == set(finished["id"])

    def test_damaged_files_are_made_again_to_the_byte(
        self, store: Store, finished: pd.DataFrame
    ) -> None:
        lost, cut = finished["id"][:2]  # trained in one stack, now each alone
        made = {run: store.artefacts.of_run(run) for run in (lost, cut)}
        for run, left in ((lost, None), (cut, b"half of it")):
            [file] = store.artefacts.folder.glob(f"*/{made[run]['weights'].hash}*")
            file.unlink() if left is None else file.write_bytes(left)
        assert set(store.artefacts.damaged(finished["id"])) == {lost, cut}
        resumed = run_frem("resume", finished.attrs["sweep"])
        assert resumed.returncode == 0, resumed.stderr
        assert "Queued 2 runs" in resumed.stdout
        again = finish_sweep(store, finished.attrs["sweep"])
        assert store.artefacts.damaged(finished["id"]) == {}
        assert {run: store.artefacts.of_run(run) for run in (lost, cut)} == made
        same_scores(again, finished)

    def test_progress_leaves_no_checkpoint_behind(
        self, store: Store, finished: pd.DataFrame
    ) -> None:
        folders = [path for path in (store.folder / "checkpoints").iterdir() if path.is_dir()]
        assert folders == []


class TestEngine:
    def test_only_one_serves_a_store(self, store: Store, finished: pd.DataFrame) -> None:
        before = engine_state(store)
        assert before.is_running
        other = subprocess.run([sys.executable, "-m", "frem_core.sweeps"], check=True)
        assert other.returncode == 0
        assert engine_state(store).pid == before.pid

    def test_its_trainings_let_others_go_first_and_it_does_not(
        self, store: Store, finished: pd.DataFrame
    ) -> None:
        engine = engine_state(store).pid
        if not Path(f"/proc/{engine}/autogroup").exists():
            pytest.skip("this system does not share itself among sessions")
        workers = [one.pid for one in worker_processes(store)]
        assert len(workers) == 2
        groups = [Path(f"/proc/{pid}/autogroup").read_text().split() for pid in (engine, *workers)]
        nice = str(max(1, os.getpriority(os.PRIO_PROCESS, 0)))
        assert [niceness for *_, niceness in groups] == ["0", nice, nice]
        assert len({name for name, *_ in groups}) == 3

    def test_its_cluster_lets_nobody_in(self, store: Store, finished: pd.DataFrame) -> None:
        address = engine_state(store).scheduler
        assert address.startswith("tls://127.0.0.1:")
        intruder = "import sys; from distributed import Client; Client(sys.argv[1], timeout=3)"
        for way_in in (address, address.replace("tls", "tcp")):
            command = [sys.executable, "-c", intruder, way_in]
            tried = subprocess.run(command, capture_output=True, text=True, check=False)
            assert tried.returncode != 0
            assert "Error" in tried.stderr
        assert engine_state(store).is_running


class TestCancel:
    def test_a_sweep_stops_and_resumes(self, store: Store, table: Path) -> None:
        spec = SweepSpec.from_toml(spec_text(table, epochs=100_000))
        sweep = submit(store, spec)
        ensure_engine(store)

        def states() -> set[str]:
            return set(store.runs.frame(sweep)["state"])

        wait_until(lambda: (store.runs.frame(sweep)["epoch"] > 20).sum() == 6, "all runs trained")
        assert run_frem("cancel", sweep).returncode == 0
        wait_until(lambda: states() == {"cancelled"}, "all runs were cancelled")
        reached = store.runs.frame(sweep)["epoch"].max()
        run = store.runs.frame(sweep)["id"][0]
        assert run_frem("resume", run).returncode == 0

        def goes_on() -> bool:
            return store.runs.get(run).state == RunState.RUNNING and store.runs.get(run).epoch > 30

        wait_until(goes_on, "the resumed run trained again")
        assert reached > 20
        store.sweeps.cancel(sweep)
        wait_until(lambda: states() == {"cancelled"}, "the run was cancelled again")
        store.sweeps.delete(sweep)

    def test_one_run_stops_and_its_company_goes_on(self, store: Store, table: Path) -> None:
        spec = SweepSpec.from_toml(spec_text(table, epochs=400, seeds=1))
        sweep = submit(store, spec)
        ensure_engine(store)
        runs = store.runs.frame(sweep)["id"]
        wait_until(lambda: store.runs.get(runs[1]).epoch > 5, "the bundle trained")
        with halted(store):  # so that the bundle is not done before the word arrives
            store.queue.cancel([runs[1]])
            wait_until(
                lambda: store.runs.get(runs[1]).state == RunState.CANCELLED, "it was cancelled"
            )
        frame = finish_sweep(store, sweep)
        assert list(frame["state"]) == ["done", "cancelled", "done"]
        assert set(frame["facts.stacked"].dropna()) == {3}


class TestMemory:
    def test_a_run_that_needs_too_much_fails_alone(self, store: Store, table: Path) -> None:
        small = submit(store, SweepSpec.from_toml(spec_text(table, epochs=20, seeds=1)))
        text = spec_text(table, epochs=1000, seeds=1, hidden=9000)
        large = submit(store, SweepSpec.from_toml(text.replace("[0.1, 0.5, 2.0]", "[0.1]")))
        assert set(finish_sweep(store, small)["state"]) == {"done"}
        [run] = finish_sweep(store, large).to_dict("records")
        assert run["state"] == "failed"
        assert "more memory than there is" in run["error"]
        assert run["attempts"] == 3
        after = submit(store, SweepSpec.from_toml(spec_text(table, epochs=21, seeds=1)))
        assert set(finish_sweep(store, after)["state"]) == {"done"}


def test_it_outlives_whoever_started_it_and_ends_by_itself(tmp_path: Path, table: Path) -> None:
    starter = (
        "import os, signal, sys; from frem_core.store import open_store; "
        "from frem_core.sweeps import SweepSpec, ensure_engine, submit; store = open_store(); "
        "print(submit(store, SweepSpec.from_toml(sys.argv[1])), flush=True); "
        "ensure_engine(store); os.kill(os.getpid(), signal.SIGKILL)"
    )
    with own_home(tmp_path / "home", FREM_WORKERS="1", FREM_ENGINE_IDLE="1") as store:
        text = spec_text(table, epochs=10, seeds=1)
        started = subprocess.run(
            [sys.executable, "-c", starter, text], capture_output=True, text=True, check=False
        )
        assert started.returncode == -signal.SIGKILL
        sweep = started.stdout.strip()
        wait_until(lambda: engine_process(store) is not None, "the engine was there")
        engine = engine_process(store)
        wait_until(lambda: (store.runs.frame(sweep)["state"] == "done").all(), "all runs were done")
        wait_until(lambda: engine is None or not engine.is_running(), "the engine had ended")
        assert worker_processes(store) == []
        assert engine_state(store).is_running is False
        assert (store.folder / "engine.log").stat().st_mode & 0o077 == 0
