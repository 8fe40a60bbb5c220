"""Every method's front on several tables: areas, ranks, the paper's rows and what probes find.

Made from the trainings that `python -m benchmarks front_runs` has kept so far.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.fronts.critical_difference import Ranking, picture, ranking
from benchmarks.fronts.front_promises import ONE_SEED, promises
from benchmarks.fronts.front_runs import (
    CONTESTANTS,
    FREM,
    NO_LINE,
    OF_FREM,
    PAPER,
    PREDICTIONS,
    STUDIES,
    UNFAIR,
    Study,
    kept,
    known_tables,
)
from benchmarks.report import Report, Table
from frem_core.evaluation import get_score
from frem_core.pareto import hypervolume
from frem_core.reproduction.front_comparison import FrontComparison, compare_fronts
from frem_core.reproduction.front_panels import score_words

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "ranks.svg"
FAIRNESS = ("gdp", "hgr", "mutual_information", "representation_mutual_information")
VARIANTS = (UNFAIR, FREM, PAPER, NO_LINE)


def run() -> Report:
    runs_of = {study: trained(study) for study in STUDIES}
    # A rank among some of the methods is none.
    found = {
        study: runs
        for study, runs in runs_of.items()
        if len(runs) and set(CONTESTANTS) - set(OF_FREM) <= set(runs["series"])
    }
    fronts = pd.concat([_fronts(study, runs) for study, runs in found.items()])
    ranked = [name for name in CONTESTANTS if name not in (UNFAIR, *OF_FREM)]
    ranks = ranking(fronts.groupby("dataset")[ranked].mean())
    PICTURE.write_text(
        picture(ranks, f"Average rank over {ranks.tables} tables, all fronts"), encoding="utf-8"
    )
    missing = [study.dataset for study in STUDIES if study not in found]
    tables = [_verdicts(fronts), _rank_table(ranks, fronts, missing)]
    for study, runs in found.items():
        tables += [_areas(study, runs, fronts), _along_weights(study, runs)]
    return Report("Fronts of all methods", tables, promises(found, fronts))


def trained(study: Study) -> pd.DataFrame:
    """Runs of the seeds that FREM has, scores as charts show them."""
    runs = kept(study).rename(columns={"contestant": "series"})
    own = set(runs.loc[runs["series"] == FREM, "seed"]) if len(runs) else set()
    runs = runs[runs["seed"].isin(own)].copy() if own else runs.head(0)
    if runs.empty:
        return runs
    for score in _predictions(study):
        runs[score] = get_score(score).axis_value(runs[score])
    runs["both_eipm"] = (runs["standardised_eipm"] + runs["prediction_eipm"]) / 2
    return runs


def _predictions(study: Study) -> tuple[str, str]:
    return PREDICTIONS[known_tables().loc[study.dataset, "task"]]


def _fronts(study: Study, runs: pd.DataFrame) -> pd.DataFrame:
    """One row per front: the share of the possible area of each contestant, and FREM's place.

    A contestant with fewer seeds than FREM is compared over these, and its share is FREM's times
    the quotient of the two areas there: splits differ more than methods do.
    """
    rows = []
    others = [name for name in runs["series"].unique() if name not in (UNFAIR, FREM)]
    for prediction in _predictions(study):
        for fairness in FAIRNESS:
            corner = _corner(runs, study, prediction, fairness)
            best = runs.loc[runs["series"] == UNFAIR, prediction].mean()
            possible = (best - corner[0]) * corner[1]
            gaps = [
                compare_fronts(
                    runs, FREM, one, prediction=prediction, fairness=fairness, reference=corner
                )
                for one in others
            ]
            means = runs[runs["series"] == FREM].groupby("weight")[[prediction, fairness]].mean()
            own = hypervolume(means.to_numpy(), reference=corner, directions=["max", "min"])
            areas = {FREM: own} | {one.other: own * one.other_area / one.area for one in gaps}
            opponents = [one for one in gaps if one.other not in OF_FREM]
            first = max(opponents, key=lambda one: one.other_area / one.area)
            rows.append(
                {
                    "dataset": study.dataset,
                    "prediction": prediction,
                    "fairness": fairness,
                    "place": _place(first),
                    "best_other": first.other,
                    **{name: area / possible for name, area in areas.items()},
                }
            )
    return pd.DataFrame(rows)


def _place(first: FrontComparison) -> str:
    """Where FREM stands against the first of the others; one seed decides nothing."""
    if first.seeds < 2:
        return ONE_SEED
    if first.difference >= 0:
        return "first"
    return "undecided" if first.outcome == "open" else "behind"


def _corner(
    runs: pd.DataFrame, study: Study, prediction: str, fairness: str
) -> tuple[float, float]:
    """Prediction of the best constant, fairness score of the unfair model."""
    constant = known_tables().loc[study.dataset, prediction]
    return float(constant), float(runs.loc[runs["series"] == UNFAIR, fairness].mean())


def _error(runs: pd.DataFrame, study: Study, name: str, prediction: str, fairness: str) -> float:
    """Standard error of a share of the possible area: seeds left out one by one (jackknife)."""
    corner = _corner(runs, study, prediction, fairness)
    best = runs.loc[runs["series"] == UNFAIR, prediction].mean()
    own = runs[runs["series"] == name]
    seeds = own["seed"].unique()
    areas = []
    for seed in seeds:
        means = own[own["seed"] != seed].groupby("weight")[[prediction, fairness]].mean()
        areas.append(hypervolume(means.to_numpy(), reference=corner, directions=["max", "min"]))
    spread = np.sqrt((len(seeds) - 1) * np.var(areas)) if len(seeds) > 1 else np.nan
    return float(spread / ((best - corner[0]) * corner[1]))


def _areas(study: Study, runs: pd.DataFrame, fronts: pd.DataFrame) -> Table:
    own = fronts[fronts["dataset"] == study.dataset]
    names = [name for name in runs["series"].unique() if name != UNFAIR]
    order = own[names].mean().sort_values(ascending=False).index
    columns = [
        f"{score_words(one.prediction)}, {score_words(one.fairness)}" for one in own.itertuples()
    ]
    rows = []
    for name in order:
        cells = [
            f"{100 * row[name]:.0f}"
            + _plus_minus(_error(runs, study, name, row["prediction"], row["fairness"]))
            for row in own.to_dict("records")
        ]
        seeds = runs.loc[runs["series"] == name, "seed"].nunique()
        mean = f"{100 * own[name].mean():.0f}"
        rows.append([f"**{name}**" if name == FREM else name, seeds, mean, *cells])
    return Table(
        f"{study.dataset}: area of the front in per cent of the possible",
        ["", "seeds", "mean", *columns],
        [*rows, ["FREM is", "", "", *own["place"]]],
        f"± is a standard error over seeds (jackknife). {study.epochs} epochs, {study.weights} "
        f"fairness weights by one rule, split “{study.split}”, encoder “{study.encoder}”; seeds "
        f"{min(study.seeds)} to {max(study.seeds)} are planned.",
    )


def _plus_minus(error: float) -> str:
    return f" ± {100 * error:.0f}" if error == error else ""


def _verdicts(fronts: pd.DataFrame) -> Table:
    counts = fronts.groupby("dataset")["place"].value_counts().unstack(fill_value=0)
    counts = counts.reindex(columns=["first", "undecided", "behind", ONE_SEED], fill_value=0)
    counts.loc["all"] = counts.sum()
    rows = [[name, *row] for name, *row in counts.itertuples()]
    return Table(
        "Where FREM stands, front by front",
        ["", "first", "undecided against the first", "behind the first", "one seed only"],
        rows,
        "First: the largest mean area. Undecided: the 95 % interval of the difference to the "
        "largest area of all others (paired bootstrap over seeds) holds 0; with three seeds such "
        "an interval is a rough guide. One seed has no interval and counts for nothing.",
    )


def _rank_table(ranks: Ranking, fronts: pd.DataFrame, missing: list[str]) -> Table:
    areas = fronts[list(ranks.ranks.index)]
    each = areas.rank(axis=1, ascending=False)
    of_best = areas.div(areas.max(axis=1), axis=0)
    rows = [
        [
            *(name, f"{value:.1f}", f"{each[name].mean():.1f}", int((each[name] == 1).sum())),
            *(f"{of_best[name].mean():.0%}", f"{of_best[name].min():.0%}"),
        ]
        for name, value in ranks.ranks.items()
    ]
    return Table(
        "Average ranks",
        ["", "over tables", "over fronts", "first on", "of the best area, mean", "at worst"],
        rows,
        f"Over {ranks.tables} table{'s' if ranks.tables > 1 else ''} (the mean area of a table's "
        f"fronts is ranked) and {len(fronts)} fronts. Friedman p = {ranks.p_value:.2g}; two "
        f"average ranks over tables differ at 5 % (Nemenyi) when they are {ranks.critical:.1f} "
        "apart. Picture: docs/pictures/ranks.svg."
        + (f" Not yet trained with every method: {', '.join(missing)}." if missing else ""),
    )


def _along_weights(study: Study, runs: pd.DataFrame) -> Table:
    """What FREM's default and the paper's form leave of EIPM, ΔHGR and the probes."""
    scores = [_predictions(study)[0], "hgr", "mutual_information"]
    scores += ["eipm", "both_eipm", "linear_probe", "tree_probe"]
    rows = []
    for name in VARIANTS:
        means = runs[runs["series"] == name].groupby("weight")[scores].mean()
        rows += [
            [name, f"{weight:g}", *(f"{value:.3f}" for value in row)]
            for weight, *row in means.itertuples()
        ]
    return Table(
        f"{study.dataset}: along λ",
        [
            *("", "λ", score_words(scores[0]), "ΔHGR", "MI(Ŷ, S)"),
            *("EIPM as in the paper", "EIPM of both, standardised"),
            *("R² of a linear probe of S from Z", "of boosted trees"),
        ],
        rows,
    )
