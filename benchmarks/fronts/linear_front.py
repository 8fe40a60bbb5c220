"""Whether FREM through random features reaches the same trade-off on Adult as the exact penalty."""

import pandas as pd

from benchmarks.fronts.methods_on_crime import largest_gap
from benchmarks.report import Check, Report, Table
from frem_core.datasets import PreparedData, load_dataset, prepare, split_dataset
from frem_core.methods.frem import Frem
from frem_core.methods.named_forms import PAPERS_FAIRNESS_WEIGHTS, PAPERS_FORM
from frem_core.metrics import accuracy, gdp, hgr
from frem_core.pareto import Objectives, hypervolume_interval, reference_point
from frem_core.training import grid, suggested_config, train

SEEDS, EPOCHS = (0, 1, 2), 40
WEIGHTS = PAPERS_FAIRNESS_WEIGHTS["adult"][::3]
FAIRNESS = {"gdp": "ΔGDP", "hgr": "ΔHGR"}


def run() -> Report:
    adult = load_dataset("adult")
    splits = {seed: prepare(adult, split_dataset(adult, seed=seed)) for seed in SEEDS}
    runs = {form: _runs(form, splits) for form in ("exact", "linear")}
    rows, checks = [], []
    for score, title in FAIRNESS.items():
        objectives: Objectives = {"accuracy": "max", score: "min"}
        reference = reference_point(pd.concat(runs.values()), objectives)
        areas = {
            form: hypervolume_interval(table, objectives, reference=reference, setting=["weight"])
            for form, table in runs.items()
        }
        rows += [
            (title, form, f"{area.value:.5f}", f"{area.low:.5f} … {area.high:.5f}")
            for form, area in areas.items()
        ]
        overlap = areas["exact"].low <= areas["linear"].high
        overlap &= areas["linear"].low <= areas["exact"].high
        promise = f"accuracy against {title}: hypervolumes agree within their seed intervals"
        ratio = areas["linear"].value / areas["exact"].value
        checks.append(Check(promise, f"linear / exact = {ratio:.3f}", bool(overlap)))
    columns = ("fairness score", "penalty", "hypervolume", "95 % interval over seeds")
    title = f"Adult, FREM, {len(WEIGHTS)} fairness weights × {len(SEEDS)} seeds, {EPOCHS} epochs"
    return Report(
        "FREM with random features",
        [Table(title, columns, rows), _points(runs)],
        checks,
    )


def _runs(form: str, splits: dict[int, PreparedData]) -> pd.DataFrame:
    rows = []
    for seed, data in splits.items():
        models = train(
            data.train,
            task=data.task,
            method=Frem(**PAPERS_FORM, computation=form),
            config=suggested_config("adult", len(data.train), epochs=EPOCHS, weight_decay=0.01),
            members=grid(WEIGHTS, [seed]),
            threads=1,
        )
        for model in models:
            p, s, y = model.predict(data.test.x), data.test.s, data.test.y
            rows.append(
                {
                    "seed": seed,
                    "weight": model.member.fairness_weight,
                    "accuracy": accuracy(y, p),
                    "gdp": gdp(y, p, sensitive_features=s),
                    "hgr": hgr(y, p, sensitive_features=s),
                }
            )
    return pd.DataFrame(rows)


def _points(runs: dict[str, pd.DataFrame]) -> Table:
    scores = ("accuracy", *FAIRNESS)
    means = {form: table.groupby("weight")[list(scores)].mean() for form, table in runs.items()}
    rows = [
        (f"{weight:g}", form, *(f"{value:.4f}" for value in means[form].loc[weight]))
        for weight in WEIGHTS
        for form in runs
    ]
    gap = largest_gap(runs["exact"], runs["linear"], scores)
    note = f"Largest difference of two means: {gap:.1f} standard errors of such a difference."
    return Table("Means over seeds", ("λ", "penalty", "accuracy", *FAIRNESS.values()), rows, note)
