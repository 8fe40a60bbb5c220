"""Kills workers and engines at random moments while sweeps run; nothing may be lost or done twice.

Half of the kills hit a store in SQLite with a local cluster, half one in PostgreSQL with workers of
another scheduler that share no folder with the engine. What is done afterwards is compared, file
by file, with the same runs trained one after the other without any engine. The drill goes in
rounds of one sweep, and each round is kept as JSON beside the results: an interrupted drill goes on
after the last whole round.
"""

import itertools
import json
import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import RESULTS
from benchmarks.report import Check, Report, Table, seconds
from benchmarks.trust.drill import Drill, added_up, ended_again, timed
from frem_core.store import RunState, Store
from frem_core.sweeps import SweepSpec, engine_state, ensure_engine, submit
from frem_core.training.train_members import torch_threads
from tests.store.postgresql import create_database, running_server
from tests.sweeps.processes import (
    end_engine,
    engine_process,
    kill,
    own_home,
    spec_text,
    worker_processes,
    write_table,
)
from tests.sweeps.test_scheduler import WORKER, address, dask, scheduler
from tools.trained_sweeps import train_sweep

_KILLS = int(os.environ.get("FREM_BENCHMARK_KILLS", "50"))  # in each of the two settings
_ASKED = 100
_KILLS_OF_A_ROUND = 10
_LONGEST_PAUSE = 4.0  # seconds between two kills, at most, while there are workers
_ENGINES = 0.15  # the share of kills that hit the engine
_EPOCHS = 400  # long enough for ten kills on a machine at rest
_PATIENCE = 3600.0
_KEPT = RESULTS / "kill_drill"
_METHODS = """
[[methods]]
method = "mmd"
fairness_weights = [0.1, 1.0]
[[methods]]
method = "adv"
fairness_weights = [0.1, 1.0]
"""


Setting = tuple[Store, Callable[[random.Random], bool]]
Place = Callable[[Path], AbstractContextManager[Setting]]


def run() -> Report:
    """Drills both settings."""
    _KEPT.mkdir(parents=True, exist_ok=True)
    rounds: dict[str, list[Drill]] = {"SQLite, local workers": [], "PostgreSQL, remote workers": []}
    places = {"sqlite": _on_sqlite, "postgresql": _on_postgresql}
    for number in itertools.count():  # in turns, so that a drill cut short has seen both
        if all(added_up(done).all_kills >= _KILLS for done in rounds.values()):
            break
        for (name, place), done in zip(places.items(), rounds.values(), strict=True):
            if added_up(done).all_kills < _KILLS:
                done.append(_round(f"{name}-{number}", number, place))
    drills = [added_up(done) for done in rounds.values()]
    columns = ("", *rounds)
    facts: list[tuple[str, Callable[[Drill], object]]] = [
        ("kills of workers", lambda one: one.kills.get("worker", 0)),
        ("kills of engines", lambda one: one.kills.get("engine", 0)),
        ("sweeps", lambda one: one.sweeps),
        ("runs", lambda one: one.runs),
        (
            "runs set aside after three kills without getting further",
            lambda one: one.set_aside,
        ),
        ("runs lost or not finished", lambda one: one.lost),
        ("runs finished twice or under two ids", lambda one: one.twice),
        ("files compared", lambda one: one.files),
        ("files that differ from the undisturbed ones", lambda one: one.different),
        ("starts of a run, mean", lambda one: f"{one.attempts / max(one.runs, 1):.1f}"),
        (
            "until a killed engine was replaced, median",
            lambda one: seconds(statistics.median(one.replaced)) if one.replaced else "–",
        ),
    ]
    times: list[tuple[str, Callable[[Drill], object]]] = [
        ("sweeps with an undisturbed one before", lambda one: one.sweeps),
        ("kills in them", lambda one: one.all_kills),
        ("wall time per run, undisturbed", lambda one: seconds(one.calm_run_seconds)),
        ("wall time per run, with kills", lambda one: seconds(one.run_seconds)),
        ("time lost per kill", lambda one: seconds(one.lost_seconds)),
    ]
    compared = [timed(done) for done in rounds.values()]
    rows = [(what, *map(fact, drills)) for what, fact in facts]
    rows += [(what, *map(fact, compared)) for what, fact in times]
    every = added_up(drills)
    kills, lost, twice, different = every.all_kills, every.lost, every.twice, every.different
    checks = [
        Check(f"{_ASKED} kills", str(kills), kills >= _ASKED),
        Check("0 runs lost", str(lost), lost == 0),
        Check("0 runs trained to an end twice", str(twice), twice == 0),
        Check("files byte-equal to undisturbed ones", f"{different} differ", different == 0),
    ]
    note = (
        f"Every kill is SIGKILL, 0.2 to {_LONGEST_PAUSE:g} s after the one before, or when there "
        "is something to kill again. Wall times depend on what else the machine does; so only "
        "sweeps with an undisturbed one just before are compared. A run that is set aside is "
        "resumed once no more is killed, as its user would. All rounds are of one state of the "
        "program; an earlier drill of 171 kills, over several states, resumed nothing in one round "
        "and left two of 294 runs set aside there."
    )
    return Report("Kill drill", [Table("Drill", columns, rows, note)], checks)


def _round(
    name: str, number: int, place: Callable[[Path], AbstractContextManager[Setting]]
) -> Drill:
    """One sweep with its kills; kept, so that it need not be done again."""
    file = _KEPT / f"{name}.json"
    if not file.exists():
        with TemporaryDirectory(prefix="frem-drill-") as folder:
            done = _drill(Path(folder), number, place)
        file.write_text(json.dumps(asdict(done), indent=1) + "\n", encoding="utf-8")
        print(f"{name}: {done.all_kills} kills, {done.lost} lost, {done.twice} twice", flush=True)
    return Drill(**json.loads(file.read_text(encoding="utf-8")))


@contextmanager
def _on_sqlite(folder: Path) -> Iterator[Setting]:
    with own_home(folder / "home", FREM_WORKERS="2") as store:

        def kill_worker(rng: random.Random) -> bool:
            workers = worker_processes(store) if engine_state(store).workers else []
            if workers:
                kill(rng.choice(workers))
            return bool(workers)

        yield store, kill_worker


@contextmanager
def _on_postgresql(folder: Path) -> Iterator[Setting]:
    home = folder / "home"
    home.mkdir(mode=0o700)
    # The worker sees an empty folder where the engine keeps its files.
    hidden = ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs none {home} && exec "$@"', "sh"]
    with ExitStack() as processes:
        server = processes.enter_context(running_server())
        file = processes.enter_context(scheduler(folder))
        fleet = processes.enter_context(_fleet(file, hidden, 2))
        store = processes.enter_context(
            own_home(
                home,
                FREM_STORE=create_database(server, "drill"),
                FREM_SCHEDULER=address(file),
                FREM_FILES="database",
            )
        )
        yield store, lambda rng: bool(engine_state(store).workers) and fleet(rng)


@contextmanager
def _fleet(file: Path, hidden: list[str], size: int) -> Iterator[Callable[[random.Random], bool]]:
    """Remote workers; one that is killed is started again, as a service manager would."""
    with ExitStack() as processes:

        def start() -> "object":
            return processes.enter_context(dask("worker", file, WORKER, before=hidden))

        workers = [start() for _ in range(size)]

        def kill_one(rng: random.Random) -> bool:
            place = rng.randrange(size)
            kill(workers[place])  # type: ignore[arg-type]
            workers[place] = start()
            return True

        yield kill_one


def _drill(folder: Path, number: int, place: Place) -> Drill:
    drill, rng = Drill(sweeps=1), random.Random(number)
    table = write_table(folder / "people.csv")
    with place(folder) as (store, kill_worker):
        calm = time.monotonic()  # how long it takes when nothing happens
        drill.calm_runs = len(_finished(store, _submitted(store, table, 1000), {}))
        drill.calm_seconds = time.monotonic() - calm
        end_engine(store)  # so that both sweeps wait for one to start
        started = time.monotonic()
        ends: dict[str, float] = {}
        sweep = _submitted(store, table, number)
        _kill_until_done(store, drill, kill_worker, rng, ends)
        frame = _finished(store, sweep, ends)
        drill.seconds = time.monotonic() - started
        drill.runs = len(frame)
        # Kills that follow fast enough look like a run that takes its worker down each time.
        aside = [run.id for run in frame.itertuples() if "is set aside" in str(run.error)]
        drill.set_aside = store.queue.resume(aside)
        frame = _finished(store, sweep, ends)
        drill.lost = int((frame["state"] != RunState.DONE).sum())
        for run in frame[frame["state"] != RunState.DONE].itertuples():
            print(f"lost: {run.id[:12]} {run.state}: {run.error}", flush=True)
        drill.attempts = int(frame["attempts"].sum())
        done = frame[frame["state"] == RunState.DONE]  # the others count as lost
        histories = done["id"].map(lambda run: len(store.runs.history(run)))
        signs = {
            "ended again": ended_again(frame, ends),
            "epochs missing or repeated": int((histories != done["epochs"]).sum()),
            "under a second id": len(store.runs.frame()) - drill.runs - drill.calm_runs,
        }
        drill.twice = sum(signs.values())
        if drill.twice:
            print(f"signs of a run done twice: {signs}", flush=True)
        _compare_files(store, sweep, folder, _text(table, number), drill)
    return drill


def _submitted(store: Store, table: Path, number: int) -> str:
    sweep = submit(store, SweepSpec.from_toml(_text(table, number)))
    ensure_engine(store)
    return sweep


def _text(table: Path, number: int) -> str:
    """The sweep of a round: seven runs for each of two seeds that no other round has."""
    text = spec_text(table, epochs=_EPOCHS, seeds=1, methods=_METHODS)
    return text.replace("seeds = 1", f"seeds = [{2 * number}, {2 * number + 1}]")


def _kill_until_done(
    store: Store,
    drill: Drill,
    kill_worker: Callable[[random.Random], bool],
    rng: random.Random,
    ends: dict[str, float],
) -> None:
    killed_at: float | None = None
    while store.queue.unfinished() and drill.all_kills < _KILLS_OF_A_ROUND:
        end = time.monotonic() + rng.uniform(0.2, _LONGEST_PAUSE)
        while time.monotonic() < end and store.queue.unfinished():
            ensure_engine(store)
            _note_ends(store, ends)
            if killed_at is not None and engine_process(store) is not None:
                drill.replaced.append(time.monotonic() - killed_at)
                killed_at = None
            time.sleep(0.1)
        victim = "engine" if rng.random() < _ENGINES else "worker"
        if victim == "engine":
            engine = engine_process(store)
            happened = engine is not None
            if engine is not None:
                kill(engine)
                killed_at = time.monotonic()
        else:
            happened = kill_worker(rng)
        drill.kills[victim] = drill.kills.get(victim, 0) + happened


def _finished(store: Store, sweep: str, ends: dict[str, float]):  # type: ignore[no-untyped-def]
    give_up = time.monotonic() + _PATIENCE
    while time.monotonic() < give_up:
        ensure_engine(store)
        _note_ends(store, ends)
        row = store.sweeps.frame(sweep).iloc[0]
        if row["queued"] + row["running"] == 0:
            break
        time.sleep(0.2)
    return store.runs.frame(sweep)


def _note_ends(store: Store, ends: dict[str, float]) -> None:
    """Remembers when each run was first seen finished: that must never change."""
    done = store.runs.frame(states=[RunState.DONE])
    if len(done):
        for run, moment in zip(done["id"], done["finished_at"], strict=True):
            ends.setdefault(run, moment)


def _compare_files(store: Store, sweep: str, folder: Path, text: str, drill: Drill) -> None:
    """Trains the same runs one after the other, without an engine, and compares every file."""
    with own_home(folder / "calm", FREM_FILES="") as calm, torch_threads(1):
        train_sweep(calm, text)
        runs = store.runs.frame(sweep)
        for run in runs.loc[runs["state"] == RunState.DONE, "id"]:  # the others count as lost
            for kind in calm.artefacts.of_run(run):
                drill.files += 1
                same = calm.artefacts.read(run, kind) == store.artefacts.read(run, kind)
                drill.different += not same
