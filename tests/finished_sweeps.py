"""Sweeps with results, for tests of pages: described as users do, finished through the store."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from safetensors.numpy import save

from frem_core.datasets import load_dataset
from frem_core.store import ClaimedRun, RunResult, Store
from frem_core.sweeps import SweepSpec, submit

OWNER = "a test"
CRIME = """
name = {name!r}
fairness = "dp"
seeds = [0, 1]
[dataset]
name = "crime"
[training]
epochs = {epochs}
[[methods]]
method = "frem"
fairness_weights = [0.03, 0.1, 0.3]
[[methods]]
method = "mmd"
fairness_weights = [0.1, 0.4]
[[methods]]
method = "unfair"
"""
# Method and fairness weight → MAE and HGR on the test rows, as the mean of the two seeds.
SCORES: Mapping[tuple[str, float], tuple[float, float]] = {
    ("frem", 0.03): (0.11, 0.40),
    ("frem", 0.1): (0.13, 0.20),
    ("frem", 0.3): (0.17, 0.22),  # worse than 0.1 in both
    ("mmd", 0.1): (0.12, 0.45),
    ("mmd", 0.4): (0.16, 0.30),
    ("unfair", 0.0): (0.10, 0.50),
}
CONSTANT_MAE = 0.2
MAE_STEP, HGR_STEP = 0.002, 0.01  # what seed 1 has more, and seed 0 less, than the mean


def add_crime(
    store: Store,
    *,
    name: str = "Crime by hand",
    epochs: int = 3,
    queued_by: str | None = None,
) -> str:
    """Queues the sweep; nothing is trained. With other epochs its runs are other ones."""
    spec = SweepSpec.from_toml(CRIME.format(name=name, epochs=epochs))
    return submit(store, spec, load_dataset("crime"), queued_by=queued_by)


def finish_next(store: Store, runs: int | None = None) -> list[str]:
    """Gives the next queued runs their results; returns their ids."""
    finished = []
    for run in claimed_runs(store):
        if runs is not None and len(finished) == runs:
            store.queue.put_back(OWNER, [run.id])
            continue
        store.results.finish(OWNER, run.id, result_of(run.config))
        finished.append(run.id)
    return finished


def claimed_runs(store: Store) -> Sequence[ClaimedRun]:
    """Takes everything that waits, in the order of the sweep."""
    bundles = store.queue.claim(OWNER, bundles=1000)
    return [run for bundle in bundles for run in bundle]


def result_of(config: Mapping[str, Any]) -> RunResult:
    """The result that `SCORES` says, with predictions that follow S a little."""
    method, weight = config["method"]["method"], float(config["fairness_weight"])
    mae, hgr = SCORES[method, weight]
    side = 1 if config["seed"] else -1
    scores = {
        "mae": mae + side * MAE_STEP,
        "mse": (mae + side * MAE_STEP) ** 2,
        "gdp": hgr / 10,
        "hgr": hgr + side * HGR_STEP,
        "mutual_information": hgr / 2,
        "representation_mutual_information": hgr / 3,
        "representation_mutual_information_max": hgr / 2,
        "eipm": hgr,
    }
    return RunResult(
        scores={"test": scores, "train": {name: value * 0.9 for name, value in scores.items()}},
        history=[{"task_loss": 1 / epoch, "penalty": hgr} for epoch in range(1, 4)],
        files=_files(hgr),
        facts={
            "constant": {
                split: {
                    name: {"value": value, "error": 0.002}
                    for name, value in {"mae": CONSTANT_MAE, "mse": CONSTANT_MAE**2}.items()
                }
                for split in ("train", "test")
            },
            "target": {"low": 0.0, "high": 1.0},
        },
        timings={"training": 1.0},
        versions={"torch": "2"},
    )


def _files(strength: float, rows: int = 120) -> dict[str, bytes]:
    rng = np.random.default_rng(0)
    s = rng.random(rows)
    p = np.clip(strength * s + rng.random(rows) / 2, 0, 1)
    z = np.column_stack([p, rng.random(rows)]).astype(np.float32)
    row = np.arange(rows)
    return {
        "predictions": save({"row": row, "y": p.round(2), "s": s, "p": p}),
        "representations": save({"row": row, "z": z}),
        "weights": b"weights",
    }
