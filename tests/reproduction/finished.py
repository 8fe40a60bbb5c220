"""A store whose runs are finished without training: scores are made up, settings are real."""

from collections.abc import Callable

from frem_core.reproduction import load_spec, quick_version
from frem_core.store import RunResult, Store
from frem_core.sweeps import RunConfig, submit

OWNER = "test"
Scores = Callable[[RunConfig], dict[str, float]]


def finish(store: Store, specs: tuple[str, ...], scores: Scores, *, quick: bool = False) -> None:
    """Submits sweeps and finishes every run with made-up scores."""
    for name in specs:
        spec = quick_version(load_spec(name)) if quick else load_spec(name)
        submit(store, spec)
    finish_waiting(store, scores)


def finish_waiting(store: Store, scores: Scores, bundles: int = 1000) -> int:
    """Finishes what waits in the queue, at most so many bundles; returns how many runs."""
    claimed = store.queue.claim(OWNER, bundles=bundles, lease_seconds=600)
    for run in (run for bundle in claimed for run in bundle):
        config = RunConfig.from_dict(run.config)
        result = RunResult(
            scores={"test": scores(config), "train": scores(config)},
            history=[{"task_loss": 0.1}],
            files={},
            facts={"gamma": 0.05},
            timings={"training": 60.0},
            versions={},
        )
        store.results.finish(OWNER, run.id, result)
    return sum(map(len, claimed))


def frem_wins(run: RunConfig) -> dict[str, float]:
    """Every method trades along a straight line; FREM's is the best by far."""
    weight, seed = run.member.fairness_weight, run.member.seed
    moved = weight / (weight + 1)  # 0 … 1 as the weight grows
    if run.method.name == "unfair":
        moved = 0.0
    cost = 0.02 if run.method.name == "frem" else 0.06
    noise = 1e-4 * seed
    fair = 1 - moved
    return {
        "mae": 0.10 + cost * moved + noise,
        "mse": 0.02 + cost * moved / 2 + noise,
        "accuracy": 0.85 - cost * moved - noise,
        "average_precision": 0.7 - cost * moved - noise,
        "gdp": 0.05 * fair + noise,
        "geo": 0.05 * fair + noise,
        "hgr": 0.5 * fair + noise,
        "mutual_information": 0.3 * fair + noise,
        "representation_mutual_information": 0.2 * fair + noise,
    }
