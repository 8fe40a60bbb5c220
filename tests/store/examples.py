"""Small sweeps and results for tests of the store."""

from collections.abc import Sequence
from typing import Any

from frem_core.store import DatasetRecord, NewRun, RunResult, RunState, Store

CRIME = DatasetRecord("c" * 64, "crime", "Communities and Crime", {"name": "crime"}, 1994, 121)
OWNER = "engine-1"


def config(seed: int = 0, fairness_weight: float = 0.1, method: str = "frem") -> dict[str, Any]:
    return {
        "dataset": CRIME.hash,
        "method": method,
        "parameters": {"fairness_weight": fairness_weight, "gamma": 0.05},
        "seed": seed,
        "split": {"kind": "random", "seed": seed},
    }


def new_run(seed: int = 0, fairness_weight: float = 0.1, bundle: str | None = None) -> NewRun:
    settings = config(seed, fairness_weight)
    return NewRun(settings, CRIME.hash, "frem", seed, epochs=20, bundle=bundle)


def result(score: float = 0.5, epochs: int = 20) -> RunResult:
    return RunResult(
        scores={"test": {"accuracy": score, "hgr": score / 2}, "train": {"accuracy": 0.9}},
        history=[{"task_loss": 1 / (epoch + 1), "penalty": 0.5} for epoch in range(epochs)],
        files={"weights": b"weights of %r" % score},
        facts={"gamma": 0.05},
        timings={"training": 1.5},
        versions={"torch": "2"},
    )


def add_sweep(store: Store, runs: Sequence[NewRun], name: str = "example") -> str:
    return store.sweeps.add(name, 'name = "example"\n', runs, [CRIME])


def finish_all(store: Store, owner: str = OWNER) -> list[str]:
    finished = []
    while claimed := store.queue.claim(owner, bundles=10):
        for run in (run for bundle in claimed for run in bundle):
            store.results.finish(owner, run.id, result(0.5 + run.config["seed"] / 100))
            finished.append(run.id)
    return finished


def claim_one(store: Store, owner: str = OWNER) -> str:
    [[run]] = store.queue.claim(owner, bundles=1)
    return run.id


def state(store: Store, run: str) -> RunState:
    return store.runs.get(run).state
