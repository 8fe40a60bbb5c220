"""A store whose runs are finished without training: scores are made up, settings are real."""

from collections.abc import Callable

from frem_core.reproduction import load_spec, quick_version
from frem_core.store import RunResult, Store
from frem_core.sweeps import RunConfig, submit

OWNER = "test"
#: Scores of a run from its settings and how far its weight is along the range of its series.
Scores = Callable[[RunConfig, float], dict[str, float]]


def finish(store: Store, specs: tuple[str, ...], scores: Scores, *, quick: bool = False) -> None:
    """Submits sweeps and finishes every run with made-up scores."""
    for name in specs:
        spec = quick_version(load_spec(name)) if quick else load_spec(name)
        submit(store, spec)
    finish_waiting(store, scores)


def finish_waiting(store: Store, scores: Scores, bundles: int = 1000) -> int:
    """Finishes what waits in the queue, at most so many bundles; returns how many runs."""
    claimed = store.queue.claim(OWNER, bundles=bundles)
    runs = [run for bundle in claimed for run in bundle]
    configs = [RunConfig.from_dict(run.config) for run in runs]
    largest: dict[str, float] = {}
    for config in configs:
        series = str(config.method)
        largest[series] = max(largest.get(series, 0.0), config.member.fairness_weight)
    for run, config in zip(runs, configs, strict=True):
        share = config.member.fairness_weight / (largest[str(config.method)] or 1.0)
        result = RunResult(
            scores={"test": scores(config, share), "train": scores(config, share)},
            history=[{"task_loss": 0.1}],
            files={},
            facts={"gamma": 0.05},
            timings={"training": 60.0, "processor": 30.0},
            versions={},
        )
        store.results.finish(OWNER, run.id, result)
    return len(runs)


def frem_wins(run: RunConfig, moved: float) -> dict[str, float]:
    """Every method trades along a straight line; FREM's is the best by far."""
    cost = 0.02 if run.method.name == "frem" else 0.06
    noise = 1e-4 * run.member.seed
    fair = 1 - 0.95 * moved
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
