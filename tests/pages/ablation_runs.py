"""Finishes the queued runs of a store with made-up scores, as if they had been trained."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from safetensors.numpy import save

from frem_core.store import RunResult, Store

OWNER = "engine-of-a-test"
ROWS = 200


def finish(store: Store, *, bundles: int = 10**6) -> None:
    """Finishes so many bundles; more fairness weight means more error and less dependence."""
    for bundle in store.queue.claim(OWNER, bundles=bundles):
        for run in bundle:
            store.results.finish(OWNER, run.id, _result(run.config))


def _result(config: Mapping[str, Any]) -> RunResult:
    strength = 1 - np.exp(-5 * config["fairness_weight"])
    rng = np.random.default_rng(config["seed"])
    luck = 0.005 * rng.normal()
    scores = {
        "mae": 0.1 + 0.06 * strength + luck,
        "mse": 0.02 + 0.02 * strength,
        "gdp": 0.05 * (1 - strength) + 0.002,
        "hgr": 0.5 * (1 - 0.7 * strength) + 2 * luck,
        "mutual_information": 0.3 * (1 - strength) + 0.02,
        "representation_mutual_information": 0.2 * (1 - strength),
        "representation_mutual_information_max": 0.3 * (1 - strength),
        "eipm": 0.4 * (1 - strength),
    }
    s = rng.random(ROWS)
    p = s * (1 - strength) + 0.3 * rng.random(ROWS)
    arrays = {"row": np.arange(ROWS), "y": s, "s": s, "p": p}
    return RunResult(
        scores={"test": scores, "train": scores | {"mae": scores["mae"] - 0.02}},
        history=[{"task_loss": 0.1, "penalty": 0.1}],
        files={"predictions": save(arrays)},
        facts={},
        timings={"training": 1.0, "evaluation": 0.1},
        versions={},
    )
