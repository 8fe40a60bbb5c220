"""Trains FREM's default with one ingredient changed at a time, for `penalty_tries`.

On seeds kept for choosing. All are for Crime; what gains there goes on to further tables, and what
could do better with more rows, or on a graph, to Adult, RAND health and Bail. Rule for λ and weight
decay are those of `front_runs`. What was trained is kept beside the results, so that an interrupted
study goes on; a table whose files are not there is left as it was kept.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pandas as pd

from benchmarks import RESULTS
from benchmarks.fronts.front_runs import Study
from benchmarks.fronts.penalty_prototypes import Contestant, Training, Tried
from benchmarks.measuring import threads
from benchmarks.report import Report, Table
from frem_core.evaluation import evaluate
from frem_core.methods import Method, get_method
from frem_core.training import grid, spanning_weights, train

KEPT = RESULTS / "penalty_tries"
UNFAIR: Final = "unfair"
DEFAULT: Final = "FREM"
AVERAGED: Final = "weights averaged over the last quarter of the epochs"
#: Not FREM: does what helps FREM help others as much?
PEER, PEER_AVERAGED = "Reg-HGR", "Reg-HGR, weights averaged over the last quarter"
RANK, RANK_AND_VALUE = "S by its rank", "S by its rank and by its value"
BOUNDED, WARM_UP = "norm of the head at most 1", "λ rises over a third of the epochs"
BATCHES, SCALES = "penalty over the last three batches", "several σ for the prediction"

_FREM = get_method("frem")
_AS_IS = {"judges": "representation", "units": "as_is"}
TRIES: Mapping[str, Contestant] = {
    UNFAIR: Contestant(get_method("unfair")()),
    DEFAULT: Contestant(_FREM()),
    RANK: Contestant(_FREM(sensitive_units="rank")),
    RANK_AND_VALUE: Contestant(Tried(both_units=True)),
    BOUNDED: Contestant(_FREM(), Training(head=1.0)),
    WARM_UP: Contestant(_FREM(), Training(warm_up=1 / 3)),
    BATCHES: Contestant(_FREM(), Training(earlier=2)),
    "means of powers of the prediction": Contestant(Tried(curves=0.1)),
    SCALES: Contestant(Tried(scales=True)),
    "weight of the prediction 3/4": Contestant(Tried(share=0.75)),
    AVERAGED: Contestant(_FREM(), Training(averaged=1 / 4)),
    "γ = 0.1": Contestant(_FREM(gamma=0.1)),
    "γ = 0.02": Contestant(_FREM(gamma=0.02)),
    "several γ for the prediction": Contestant(Tried(bandwidths=True)),
    "energy distance of the prediction": Contestant(Tried(energy=True)),
    "norm of the head at most 1, Z as it is, prediction not judged": Contestant(
        _FREM(**_AS_IS), Training(head=1.0)
    ),
    "penalty over three times the rows": Contestant(_FREM(), Training(fresh=2)),
    PEER: Contestant(get_method("reg_hgr")()),
    PEER_AVERAGED: Contestant(get_method("reg_hgr")(), Training(averaged=1 / 4)),
}
GAINED = (UNFAIR, DEFAULT, RANK, RANK_AND_VALUE)
ON_MANY_ROWS = (UNFAIR, DEFAULT, RANK, BOUNDED, WARM_UP, SCALES, BATCHES, AVERAGED)
STUDIES = {
    Study("crime", 200, (10, 11, 12), 10): tuple(TRIES),
    Study("michigan_schools", 100, (10, 11, 12), 10): GAINED,
    Study("retirement_savings", 40, (10, 11, 12), 8): GAINED,
    Study("adult_with_age", 30, (10, 11), 8): ON_MANY_ROWS,
    Study("rand_health", 20, (10, 11), 8): ON_MANY_ROWS,
    Study("bail", 20, (10, 11), 8, encoder="sgc"): ON_MANY_ROWS,
}


def run() -> Report:
    KEPT.mkdir(exist_ok=True)
    with threads(1):
        for study, names in STUDIES.items():
            for name in names:
                if study.is_there and kept(study, name) is None:
                    _trained(study, TRIES[name]).to_csv(_file(study, name), index=False)
                    print(f"  {study.dataset}: {name}", flush=True)
    rows = [[study.dataset, len(names)] for study, names in STUDIES.items()]
    return Report("Trainings of what was tried", [Table("Kept", ("table", "contestants"), rows)])


def kept(study: Study, name: str) -> pd.DataFrame | None:
    """One row per fairness weight and seed, or None where it is not trained yet."""
    file = _file(study, name)
    return pd.read_csv(file) if file.exists() else None


def _file(study: Study, name: str) -> Path:
    return KEPT / f"{study.dataset}-{re.sub(r'[^a-zA-Z0-9λγσ]+', '_', name)}.csv"


def _trained(study: Study, contestant: Contestant) -> pd.DataFrame:
    method = contestant.method
    rows = []
    for seed in study.seeds:
        data = study.data(seed)
        models = train(
            data.train,
            task=data.task,
            method=method,
            config=study.config(data, epochs=study.epochs),
            members=grid(_weights(study, method), [seed]),
            callbacks=[contestant.training],
        )
        for model in models:
            z = model.transform(data.test.x)
            p = model.predict_from_representation(z)
            found = evaluate(data.test.y, p, z, sensitive_features=data.test.s, task=data.task)
            rows.append({"seed": seed, "weight": model.member.fairness_weight, **found})
    return pd.DataFrame(rows)


@cache
def _weights(study: Study, method: Method) -> tuple[float, ...]:
    """One rule for all, on the first seed; another training of the same penalty has the same."""
    data = study.data(study.seeds[0])
    config = study.config(data)
    return spanning_weights(
        data.train, task=data.task, method=method, config=config, count=study.weights
    )
