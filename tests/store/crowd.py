"""What the processes of the crowd test do; started anew by ``spawn``, so no state is shared."""

from pathlib import Path

from frem_core.store import Progress, RunState, Store
from tests.store.examples import CRIME, new_run, result


def write(url: str | None, folder: Path, writer: int, rounds: int) -> list[str]:
    """Queues, trains and finishes own runs, four a round; returns the finished ones."""
    store = Store(url, folder)
    owner, finished, seed = f"writer-{writer}", [], writer * 1_000_000
    for _ in range(rounds):
        store.sweeps.add(owner, "", [new_run(seed + i) for i in range(4)], [CRIME])
        seed += 4
        for bundle in store.queue.claim(owner, bundles=4):
            for run in bundle:
                records = [{"task_loss": 1.0}] * 5
                for first in (0, 5, 10):
                    news = Progress(first + 5, records=records, first=first)
                    store.queue.report(owner, {run.id: news})
                store.results.finish(owner, run.id, result(run.config["seed"] % 97 / 97))
                finished.append(run.id)
    store.close()
    return finished


def read(url: str | None, folder: Path, until: Path) -> int:
    """Reads everything until a file is there; checks that nothing half-written is ever seen."""
    store = Store(url, folder)
    rounds, done_before, is_last = 0, 0, False
    while not is_last:
        is_last = until.exists()
        frame = store.runs.frame(states=[RunState.DONE])
        assert len(frame) >= done_before, "a finished run has disappeared"
        done_before = len(frame)
        if done_before:
            assert frame["test.accuracy"].notna().all(), "a finished run without its scores"
            some = frame["id"].iloc[rounds % done_before]
            assert len(store.runs.history(some)) == 20, "a finished run without all its epochs"
            store.artefacts.read(some, "weights")
        counts = store.sweeps.frame()
        assert (counts["runs"] == 4).all(), "a sweep with only some of its runs"
        rounds += 1
    store.close()
    return rounds
