"""What else was tried against the fronts that FREM is not first on, on seeds kept for choosing.

Each contestant is FREM's default with one ingredient changed. All are trained on Crime; those that
gain there go on to further tables. Rule for λ, epochs and weight decay are those of `front_runs`.
What was trained is kept beside the results, so that an interrupted study goes on.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

import numpy as np
import pandas as pd

from benchmarks import RESULTS
from benchmarks.fronts.front_comparison import FAIRNESS, PREDICTIONS
from benchmarks.fronts.front_runs import WEIGHT_DECAY, Study
from benchmarks.fronts.penalty_prototypes import Contestant, Training, Tried
from benchmarks.measuring import threads
from benchmarks.report import Report, Table
from frem_core.datasets import load_dataset
from frem_core.evaluation import evaluate, get_score
from frem_core.methods import Method, get_method
from frem_core.pareto import hypervolume
from frem_core.reproduction.front_comparison import constant_prediction
from frem_core.reproduction.front_panels import score_words
from frem_core.training import grid, spanning_weights, suggested_config, train

KEPT = RESULTS / "penalty_tries"
UNFAIR: Final = "unfair"
DEFAULT: Final = "FREM"

_AS_IS = {"judges": "representation", "units": "as_is"}
TRIES: Mapping[str, Contestant] = {
    DEFAULT: Contestant(get_method("frem")()),
    "weight of the prediction 3/4": Contestant(Tried(share=0.75)),
    "several γ for the prediction": Contestant(Tried(bandwidths=True)),
    "several σ for the prediction": Contestant(Tried(scales=True)),
    "energy distance of the prediction": Contestant(Tried(energy=True)),
    "S by its rank": Contestant(Tried(ranks=1.0)),
    "S by its rank and by its value": Contestant(Tried(ranks=0.5)),
    "means of powers of the prediction": Contestant(Tried(curves=0.1)),
    "norm of the head at most 1": Contestant(get_method("frem")(), Training(head=1.0)),
    "the same, Z as it is, prediction not judged": Contestant(
        get_method("frem")(**_AS_IS), Training(head=1.0)
    ),
    "λ rises over a third of the epochs": Contestant(get_method("frem")(), Training(warm_up=1 / 3)),
    "penalty over three times the rows": Contestant(get_method("frem")(), Training(fresh=2)),
    "penalty over the last three batches": Contestant(get_method("frem")(), Training(earlier=2)),
}
GAINED = (DEFAULT, "S by its rank", "S by its rank and by its value")
STUDIES = {
    Study("crime", 200, (10, 11, 12), 10): tuple(TRIES),
    Study("michigan_schools", 100, (10, 11, 12), 10): GAINED,
    Study("retirement_savings", 40, (10, 11, 12), 8): GAINED,
}


def run() -> Report:
    KEPT.mkdir(exist_ok=True)
    with threads(1):
        areas = {study: areas_of(study, names) for study, names in STUDIES.items()}
    return Report(
        "What else was tried on FREM's penalty",
        [_table(study, found) for study, found in areas.items()],
    )


def areas_of(study: Study, names: tuple[str, ...]) -> pd.DataFrame:
    """Share of the possible area: rows are contestants and seed left out, columns fronts."""
    unfair = scores(study, UNFAIR)
    runs = {name: scores(study, name) for name in names}
    rows = {}
    for left_out in (None, *study.seeds):
        reference = unfair[unfair["seed"] != left_out].mean()
        for name, found in runs.items():
            means = found[found["seed"] != left_out].groupby("weight").mean()
            rows[name, left_out] = _areas(study, means, reference)
    return pd.DataFrame(rows).T


def scores(study: Study, name: str) -> pd.DataFrame:
    """One row per fairness weight and seed; trained unless that was done before."""
    kept = KEPT / f"{study.dataset}-{re.sub(r'[^a-zA-Z0-9λγσ]+', '_', name)}.csv"
    if kept.exists():
        return pd.read_csv(kept)
    fair = TRIES.get(name, TRIES[DEFAULT])
    method = get_method(UNFAIR)() if name == UNFAIR else fair.method
    rows = []
    for seed in study.seeds:
        data = study.data(seed)
        config = suggested_config(
            data.preset, len(data.train), epochs=study.epochs, weight_decay=WEIGHT_DECAY
        )
        models = train(
            data.train,
            task=data.task,
            method=method,
            config=config,
            members=grid(_weights(study, method), [seed]),
            callbacks=[fair.training],
        )
        for model in models:
            z = model.transform(data.test.x)
            p = model.predict_from_representation(z)
            found = evaluate(data.test.y, p, z, sensitive_features=data.test.s, task=data.task)
            rows.append({"seed": seed, "weight": model.member.fairness_weight, **found})
    table = pd.DataFrame(rows)
    table.to_csv(kept, index=False)
    print(f"  {study.dataset}: {name}", flush=True)
    return table


@cache
def _weights(study: Study, method: Method) -> tuple[float, ...]:
    """One rule for all, on the first seed; another training of the same penalty has the same."""
    data = study.data(study.seeds[0])
    config = suggested_config(data.preset, len(data.train), weight_decay=WEIGHT_DECAY)
    return spanning_weights(
        data.train, task=data.task, method=method, config=config, count=study.weights
    )


def _areas(study: Study, means: pd.DataFrame, unfair: pd.Series) -> dict[tuple[str, str], float]:
    """Hypervolume down to (best constant, unfair model), of that of a perfect method."""
    areas = {}
    for prediction in PREDICTIONS[load_dataset(study.dataset).task]:
        score = get_score(prediction)
        constant = constant_prediction(study.dataset, prediction)
        best = float(score.axis_value(unfair[prediction]))
        for fairness in FAIRNESS:
            worst = float(unfair[fairness])
            points = np.column_stack([score.axis_value(means[prediction]), means[fairness]])
            area = hypervolume(points, reference=[constant, worst], directions=["max", "min"])
            areas[prediction, fairness] = area / ((best - constant) * worst)
    return areas


def _table(study: Study, areas: pd.DataFrame) -> Table:
    """Areas, and how far their mean is from the default's."""
    whole = areas[areas.index.get_level_values(1).isna()]
    rows = []
    for (name, _), row in whole.iterrows():
        gap = "" if name == DEFAULT else _gap(areas.loc[name] - areas.loc[DEFAULT])
        rows.append([name, f"{100 * row.mean():.1f}", gap, *(f"{100 * one:.0f}" for one in row)])
    fronts = [f"{score_words(one)}, {score_words(other)}" for one, other in areas.columns]
    return Table(
        f"{study.dataset}: area of the front in per cent of the possible",
        ["", "mean", f"against {DEFAULT}", *fronts],
        rows,
        f"± is a standard error over seeds (jackknife). {study.epochs} epochs, seeds "
        f"{', '.join(map(str, study.seeds))}, {study.weights} fairness weights by one rule, weight "
        f"decay {WEIGHT_DECAY:g}.",
    )


def _gap(differences: pd.DataFrame) -> str:
    """Mean over fronts, with its standard error: seeds left out one by one (jackknife)."""
    means = differences.mean(axis=1)
    apart = means[means.index.notna()]
    error = np.sqrt((len(apart) - 1) * np.var(apart))
    return f"{100 * means[means.index.isna()].item():+.1f} ± {100 * error:.1f}"
