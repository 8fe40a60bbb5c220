"""Which form of FREM's penalty reaches most: fronts on five tables and a graph.

On seeds kept for choosing. The fairness weights of every contestant come from the same rule
(`spanning_weights`), on each table anew. What was trained is kept beside the results, so that an
interrupted study goes on, and a graph whose files are not there is judged by what is kept.
"""

import numpy as np
import pandas as pd

from benchmarks import RESULTS
from benchmarks.fronts.front_runs import WEIGHT_DECAY, Study, describe, known_tables
from benchmarks.measuring import threads
from benchmarks.report import Report, Table
from frem_core.evaluation import evaluate, get_score
from frem_core.methods import Method, get_method
from frem_core.methods.named_forms import DEFAULT_FORM, PAPERS_FORM
from frem_core.metrics import usual_metric
from frem_core.metrics.metric import Metric
from frem_core.pareto import hypervolume
from frem_core.training import grid, spanning_weights, train

KEPT = RESULTS / "penalty_forms"
FAIRNESS = ("gdp", "hgr", "mutual_information", "representation_mutual_information")
UNFAIR = "unfair"
NO_FLOOR = "both, standardised, square, noise removed"
DEFAULT = f"FREM ({NO_FLOOR}, floor)"

_FREM = get_method("frem")
_NO_FLOOR = {**DEFAULT_FORM, "prediction_floor": 0.0}
CONTESTANTS: dict[str, Method] = {
    UNFAIR: get_method("unfair")(),
    "FREM of the paper": _FREM(**PAPERS_FORM),
    DEFAULT: _FREM(),
    NO_FLOOR: _FREM(**_NO_FLOOR),
    "both, standardised, root": _FREM(**{**_NO_FLOOR, "form": "root", "noise": "kept"}),
    "both, one scale, square, noise removed": _FREM(**{**_NO_FLOOR, "units": "scale"}),
    "both, whitened, square, noise removed": _FREM(**{**_NO_FLOOR, "units": "whitened"}),
    "representation, standardised, square, noise removed": _FREM(
        **{**_NO_FLOOR, "judges": "representation"}
    ),
}


STUDIES = (
    Study("crime", 200, (10, 11, 12), 10),
    Study("michigan_schools", 100, (10, 11), 10),
    Study("county_murders", 20, (10,), 8),
    Study("adult_with_age", 30, (10,), 8),
    Study("rand_health", 20, (10,), 8),
    Study("bail", 20, (10,), 8, encoder="sgc"),
)


def run() -> Report:
    KEPT.mkdir(exist_ok=True)
    with threads(1):
        areas = {study.dataset: areas_of(study) for study in STUDIES}
    tables = []
    for study in STUDIES:
        tables += [_table(study, areas[study.dataset]), _along_weights(study)]
    return Report("Forms of FREM's penalty", [_ranks(areas), *tables])


def areas_of(study: Study) -> pd.DataFrame:
    """Share of the possible area (rows: contestants, columns: fairness scores)."""
    scores = {name: _scores(study, name) for name in CONTESTANTS}
    return pd.DataFrame(
        {name: _areas(study, one, scores[UNFAIR]) for name, one in scores.items()}
    ).T


def _quality(study: Study) -> Metric:
    if study.is_there:
        describe(study)
    return usual_metric(known_tables().loc[study.dataset, "task"])


def _scores(study: Study, name: str) -> pd.DataFrame:
    """One row per fairness weight and seed; trained unless that was done before."""
    method = CONTESTANTS[name]
    kept = KEPT / f"{study.dataset}-{name.replace(', ', '-').replace(' ', '_')}.csv"
    if kept.exists():
        return pd.read_csv(kept)
    weights: tuple[float, ...] = ()
    rows = []
    for seed in study.seeds:
        data = study.data(seed)
        config = study.config(data, epochs=study.epochs)
        weights = weights or spanning_weights(
            data.train, task=data.task, method=method, config=config, count=study.weights
        )
        members = grid(weights, [seed])
        models = train(data.train, task=data.task, method=method, config=config, members=members)
        for model in models:
            z = model.transform(data.test.x)
            p = model.predict_from_representation(z)
            found = evaluate(data.test.y, p, z, sensitive_features=data.test.s, task=data.task)
            rows.append({"seed": seed, "weight": model.member.fairness_weight, **found})
    table = pd.DataFrame(rows)
    table.to_csv(kept, index=False)
    print(f"  {study.dataset}: {name}", flush=True)
    return table


def _areas(study: Study, scores: pd.DataFrame, unfair: pd.DataFrame) -> dict[str, float]:
    """Hypervolume down to (best constant, unfair model), of that of a perfect method."""
    quality = _quality(study)
    constant = float(known_tables().loc[study.dataset, quality.name])
    means = scores.groupby("weight").mean()
    best = float(quality.axis_value(unfair[quality.name].mean()))
    areas = {}
    for fairness in FAIRNESS:
        worst = float(unfair[fairness].mean())
        points = np.column_stack([quality.axis_value(means[quality.name]), means[fairness]])
        area = hypervolume(points, reference=[constant, worst], directions=["max", "min"])
        areas[fairness] = area / ((best - constant) * worst)
    return areas


def _table(study: Study, areas: pd.DataFrame) -> Table:
    symbols = [get_score(name).symbol for name in FAIRNESS]
    rows = [[name, *(f"{100 * value:.0f}" for value in row)] for name, *row in areas.itertuples()]
    return Table(
        f"{study.dataset}: {_quality(study).axis_full_name}",
        ["", *symbols],
        [row for row in rows if row[0] != UNFAIR],
        f"Area of the front in per cent of the possible. {study.epochs} epochs, seeds "
        f"{', '.join(map(str, study.seeds))}, {study.weights} fairness weights, weight decay "
        f"{WEIGHT_DECAY:g}.",
    )


def _along_weights(study: Study) -> Table:
    """Where the front has gaps: the default beside the same without its floor."""
    shown = [_quality(study).name, "hgr"]
    rows = []
    for name in (DEFAULT, NO_FLOOR):
        means = _scores(study, name).groupby("weight")[shown].mean()
        rows += [
            [name, f"{weight:g}", *(f"{value:.3f}" for value in row)]
            for weight, *row in means.itertuples()
        ]
    return Table(
        f"{study.dataset}: along λ", ["", "λ", *(get_score(one).symbol for one in shown)], rows
    )


def _ranks(areas: dict[str, pd.DataFrame]) -> Table:
    forms = {dataset: one.drop(index=UNFAIR) for dataset, one in areas.items()}
    fronts = pd.concat(forms, axis=1)
    ranks = fronts.rank(ascending=False)
    of_best = fronts / fronts.max()
    rows = [
        [
            name,
            *(f"{100 * one.loc[name].mean():.0f}" for one in forms.values()),
            f"{rank:.1f}",
            f"{ranks.loc[name].eq(1).sum()} of {fronts.shape[1]}",
            f"{of_best.loc[name].mean():.0%}",
            f"{of_best.loc[name].min():.0%}",
        ]
        for name, rank in ranks.mean(axis=1).sort_values().items()
    ]
    columns = ["", *forms, "average rank", "first on", "of the best, on average", "at worst"]
    note = (
        "By table: area of the front in per cent of the possible, the mean over four scores of "
        "fairness. The last two columns: a front's area as a share of the largest of all forms."
    )
    return Table("All tables", columns, rows, note)
