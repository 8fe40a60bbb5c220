"""A scheduler of the team: workers from separate processes, one of which is lost."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from distributed import Client

from frem_core.sweeps import SweepSpec, engine_state, ensure_engine, submit
from tests.sweeps.processes import (
    PATIENCE,
    finish_sweep,
    kill,
    own_home,
    spec_text,
    wait_until,
    write_table,
)

SCHEDULER = ("--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0")
WORKER = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")


@contextmanager
def dask(
    kind: str, file: Path, options: Sequence[str], before: Sequence[str] = ()
) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of Dask's own command line; ``before`` is put in front of the command."""
    program = [sys.executable, "-m", f"distributed.cli.dask_{kind}"]
    command = [*before, *program, *options, "--scheduler-file", str(file)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **quiet) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def scheduler(folder: Path) -> Iterator[Path]:
    file = folder / "scheduler.json"
    with dask("scheduler", file, SCHEDULER) as process:
        wait_until(lambda: file.exists() or process.poll() is not None, "the scheduler was there")
        yield file


def address(file: Path) -> str:
    return str(json.loads(file.read_text())["address"])


def wait_for_workers(file: Path, count: int) -> None:
    with Client(scheduler_file=str(file), timeout=PATIENCE) as client:
        client.wait_for_workers(count, timeout=PATIENCE)


def test_a_sweep_spreads_over_two_workers_and_survives_the_loss_of_one(tmp_path: Path) -> None:
    table = write_table(tmp_path / "people.csv")
    spec = SweepSpec.from_toml(spec_text(table, epochs=40, seeds=10))
    with ExitStack() as processes:
        file = processes.enter_context(scheduler(tmp_path))
        lost = processes.enter_context(dask("worker", file, WORKER))
        processes.enter_context(dask("worker", file, WORKER))
        wait_for_workers(file, 2)  # or the first has done everything when the second is there
        store = processes.enter_context(
            own_home(tmp_path / "home", FREM_SCHEDULER=address(file), FREM_ENGINE_IDLE="5")
        )
        sweep = submit(store, spec)
        ensure_engine(store)

        def both_have_finished_something() -> bool:
            ensure_engine(store)
            frame = store.runs.frame(sweep)
            return "facts.worker" in frame and frame["facts.worker"].nunique() == 2

        wait_until(both_have_finished_something, "both workers had finished a bundle")
        assert engine_state(store).scheduler == address(file)
        assert store.queue.unfinished() > 0
        kill(lost)
        frame = finish_sweep(store, sweep)
        assert set(frame["state"]) == {"done"}
        assert len(frame) == 30


def test_a_worker_that_does_not_see_the_folder_gets_the_table_sent(tmp_path: Path) -> None:
    home = tmp_path / "home"
    elsewhere = ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs none {home} && exec "$@"', "sh"]
    home.mkdir(mode=0o700)
    if subprocess.run([*elsewhere, "true"], capture_output=True, check=False).returncode:
        pytest.skip("a folder cannot be hidden from a process here (unshare is not allowed)")
    table = write_table(tmp_path / "people.csv")
    with ExitStack() as processes:
        file = processes.enter_context(scheduler(tmp_path))
        processes.enter_context(dask("worker", file, WORKER, before=elsewhere))
        store = processes.enter_context(own_home(home, FREM_SCHEDULER=address(file)))
        sweep = submit(store, SweepSpec.from_toml(spec_text(table, epochs=5, seeds=2)))
        table.unlink()
        ensure_engine(store)
        frame = finish_sweep(store, sweep)
        assert set(frame["state"]) == {"done"}


@pytest.mark.slow  # waits 20 s in vain; test_dispatcher.py asks the same within one process
def test_an_unreachable_scheduler_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    table = write_table(tmp_path / "people.csv")
    with own_home(tmp_path / "home", FREM_SCHEDULER="tcp://127.0.0.1:9") as store:
        sweep = submit(store, SweepSpec.from_toml(spec_text(table, epochs=5, seeds=1)))
        ensure_engine(store)
        log = store.folder / "engine.log"
        wait_until(lambda: log.exists() and "cannot be reached" in log.read_text(), "it was said")
        assert set(store.runs.frame(sweep)["state"]) == {"queued"}
