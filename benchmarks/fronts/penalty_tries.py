"""What else was tried against the fronts that FREM is not first on, on seeds kept for choosing.

Made from the trainings that `python -m benchmarks penalty_try_runs` has kept so far.
"""

import numpy as np
import pandas as pd

from benchmarks.fronts.front_comparison import FAIRNESS, PREDICTIONS
from benchmarks.fronts.front_runs import WEIGHT_DECAY, Study, known_tables
from benchmarks.fronts.penalty_try_runs import DEFAULT, STUDIES, UNFAIR, kept
from benchmarks.report import Report, Table
from frem_core.evaluation import get_score
from frem_core.pareto import hypervolume
from frem_core.reproduction.front_panels import score_words


def run() -> Report:
    tables = []
    for study, names in STUDIES.items():
        found = {name: kept(study, name) for name in names}
        runs = {name: one for name, one in found.items() if one is not None}
        if len({UNFAIR, DEFAULT} & set(runs)) == 2 and len(runs) > 2:
            missing = [name for name in names if name not in runs]
            tables.append(_table(study, _areas(study, runs), missing))
    return Report("What else was tried on FREM's penalty", tables)


def _areas(study: Study, runs: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Share of the possible area: rows are contestants and the seed left out, columns fronts."""
    rows = {}
    for left_out in (None, *study.seeds):
        some = {name: found[found["seed"] != left_out] for name, found in runs.items()}
        unfair = some.pop(UNFAIR).mean()
        for name, found in some.items():
            rows[name, left_out] = _shares(study, found.groupby("weight").mean(), unfair)
    return pd.DataFrame(rows).T


def _shares(study: Study, means: pd.DataFrame, unfair: pd.Series) -> dict[tuple[str, str], float]:
    """Hypervolume down to (best constant, unfair model), of that of a perfect method."""
    shares, table = {}, known_tables().loc[study.dataset]
    for prediction in PREDICTIONS[table["task"]]:
        score = get_score(prediction)
        constant = float(table[prediction])
        best = float(score.axis_value(unfair[prediction]))
        for fairness in FAIRNESS:
            worst = float(unfair[fairness])
            points = np.column_stack([score.axis_value(means[prediction]), means[fairness]])
            area = hypervolume(points, reference=[constant, worst], directions=["max", "min"])
            shares[prediction, fairness] = area / ((best - constant) * worst)
    return shares


def _table(study: Study, areas: pd.DataFrame, missing: list[str]) -> Table:
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
        f"decay {WEIGHT_DECAY:g}."
        + (f" Not trained yet: {'; '.join(missing)}." if missing else ""),
    )


def _gap(differences: pd.DataFrame) -> str:
    """Mean over fronts, with its standard error: seeds left out one by one (jackknife)."""
    means = differences.mean(axis=1)
    apart = means[means.index.notna()]
    error = np.sqrt((len(apart) - 1) * np.var(apart))
    return f"{100 * means[means.index.isna()].item():+.1f} ± {100 * error:.1f}"
