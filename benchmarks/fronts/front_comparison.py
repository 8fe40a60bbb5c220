"""Every method's front on several tables: areas, ranks, the paper's rows and what probes find.

Made from the trainings that `python -m benchmarks front_runs` has kept so far.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.fronts.critical_difference import Ranking, picture, ranking
from benchmarks.fronts.front_runs import FREM, NO_LINE, PAPER, STUDIES, UNFAIR, Study, kept
from benchmarks.report import Check, Report, Table
from frem_core.datasets import load_dataset
from frem_core.evaluation import get_score
from frem_core.pareto import hypervolume
from frem_core.reproduction.front_comparison import compare_fronts, reference_corner
from frem_core.reproduction.front_panels import score_words

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "ranks.svg"
PREDICTIONS = {"regression": ("mae", "mse"), "classification": ("accuracy", "average_precision")}
FAIRNESS = ("gdp", "hgr", "mutual_information", "representation_mutual_information")
# The row of FREM in the paper's only table of scores: at this prediction, at most this.
PAPERS_ROWS = {
    "crime": ("mae", 0.851, {"hgr": 0.104, "mutual_information": 0.022}),
    "adult_with_age": ("accuracy", 0.827, {"hgr": 0.172, "mutual_information": 0.175}),
}
SEEN = {PAPER: "eipm", FREM: "both_eipm"}
VARIANTS = (UNFAIR, FREM, PAPER, NO_LINE)


def run() -> Report:
    found = {study: runs for study in STUDIES if len(runs := trained(study))}
    fronts = pd.concat([_fronts(study, runs) for study, runs in found.items()])
    ranks = ranking(fronts.groupby("dataset")[_contestants(found)].mean())
    PICTURE.write_text(
        picture(ranks, f"Average rank over {ranks.tables} tables, all fronts"), encoding="utf-8"
    )
    tables = [_verdicts(fronts), _rank_table(ranks, fronts)]
    for study, runs in found.items():
        tables += [_areas(study, runs, fronts), _along_weights(study, runs)]
    checks = [
        _ahead(fronts),
        *(_paper_row(study, runs) for study, runs in found.items() if study.dataset in PAPERS_ROWS),
        *(
            _probe_check(study, runs, name)
            for study, runs in found.items()
            for name in (FREM, NO_LINE)
            if name in set(runs["series"])
        ),
        _fooled(found),
    ]
    return Report("Fronts of all methods", tables, checks)


def trained(study: Study) -> pd.DataFrame:
    """Runs of the seeds that FREM has, scores as charts show them."""
    runs = kept(study).rename(columns={"contestant": "series"})
    own = set(runs.loc[runs["series"] == FREM, "seed"]) if len(runs) else set()
    runs = runs[runs["seed"].isin(own)].copy() if own else runs.head(0)
    if runs.empty:
        return runs
    for score in PREDICTIONS[load_dataset(study.dataset).task]:
        runs[score] = get_score(score).axis_value(runs[score])
    runs["both_eipm"] = (runs["standardised_eipm"] + runs["prediction_eipm"]) / 2
    return runs


def _contestants(found: dict[Study, pd.DataFrame]) -> list[str]:
    """Those that every table has."""
    common = set.intersection(*(set(runs["series"]) for runs in found.values()))
    common -= {UNFAIR, NO_LINE}
    return [name for name in next(iter(found.values()))["series"].unique() if name in common]


def _fronts(study: Study, runs: pd.DataFrame) -> pd.DataFrame:
    """One row per front: the share of the possible area of each contestant, and FREM's place.

    A contestant with fewer seeds than FREM is compared over these, and its share is FREM's times
    the quotient of the two areas there: splits differ more than methods do.
    """
    rows = []
    others = [name for name in runs["series"].unique() if name not in (UNFAIR, FREM, NO_LINE)]
    for prediction in PREDICTIONS[load_dataset(study.dataset).task]:
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
            first = max(gaps, key=lambda one: one.other_area / one.area)
            unsure = first.outcome == "open" and first.seeds > 1
            place = "first" if first.difference >= 0 else "undecided" if unsure else "behind"
            rows.append(
                {
                    "dataset": study.dataset,
                    "prediction": prediction,
                    "fairness": fairness,
                    "place": place,
                    "best_other": first.other,
                    **{name: area / possible for name, area in areas.items()},
                }
            )
    return pd.DataFrame(rows)


def _corner(
    runs: pd.DataFrame, study: Study, prediction: str, fairness: str
) -> tuple[float, float]:
    named = runs.replace({"series": {UNFAIR: "unfair"}})
    return reference_corner(named, study.dataset, prediction, fairness)


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
    names = [name for name in runs["series"].unique() if name not in (UNFAIR, NO_LINE)]
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
        f"fairness weights by one rule, split “{study.split}”; seeds {min(study.seeds)} to "
        f"{max(study.seeds)} are planned.",
    )


def _plus_minus(error: float) -> str:
    return f" ± {100 * error:.0f}" if error == error else ""


def _verdicts(fronts: pd.DataFrame) -> Table:
    counts = fronts.groupby("dataset")["place"].value_counts().unstack(fill_value=0)
    counts = counts.reindex(columns=["first", "undecided", "behind"], fill_value=0)
    counts.loc["all"] = counts.sum()
    rows = [[name, *row] for name, *row in counts.itertuples()]
    return Table(
        "Where FREM stands, front by front",
        ["", "first", "undecided against the first", "behind the first"],
        rows,
        "Undecided: the 95 % interval of the difference to the largest area of all others (paired "
        "bootstrap over seeds) holds 0. Behind: it does not, or there is one seed only.",
    )


def _rank_table(ranks: Ranking, fronts: pd.DataFrame) -> Table:
    each = fronts[list(ranks.ranks.index)].rank(axis=1, ascending=False)
    rows = [
        [name, f"{value:.1f}", f"{each[name].mean():.1f}", f"{int((each[name] == 1).sum())}"]
        for name, value in ranks.ranks.items()
    ]
    return Table(
        "Average ranks",
        ["", "over tables", "over fronts", "first on"],
        rows,
        f"Over {ranks.tables} table{'s' if ranks.tables > 1 else ''} (the mean area of a table's "
        f"fronts is ranked) and {len(fronts)} fronts. Friedman p = {ranks.p_value:.2g}; two "
        f"average ranks over tables differ at 5 % (Nemenyi) when they are {ranks.critical:.1f} "
        "apart. Picture: docs/pictures/ranks.svg.",
    )


def _along_weights(study: Study, runs: pd.DataFrame) -> Table:
    """What FREM's default and the paper's form leave of EIPM, ΔHGR and the probes."""
    scores = [PREDICTIONS[load_dataset(study.dataset).task][0], "hgr", "mutual_information"]
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


def _ahead(fronts: pd.DataFrame) -> Check:
    share = float((fronts["place"] != "behind").mean())
    promise = "FREM first or undecided against the first on at least 80 % of all fronts"
    return Check(promise, f"{share:.0%} of {len(fronts)}", share >= 0.8)


def _paper_row(study: Study, runs: pd.DataFrame) -> Check:
    prediction, level, limits = PAPERS_ROWS[study.dataset]
    means = runs[runs["series"] == FREM].groupby("weight")[[prediction, *limits]].mean()
    good = means[means[prediction] >= level]
    words = " and ".join(f"{score_words(one)} ≤ {most}" for one, most in limits.items())
    promise = f"{study.dataset}, {score_words(prediction)} ≥ {level} (the paper's row): {words}"
    if good.empty:
        return Check(promise, "no fairness weight predicts as well", False)
    best = good.loc[good["hgr"].idxmin()]
    shown = ", ".join(f"{score_words(one)} {best[one]:.3f}" for one in (prediction, *limits))
    kept_all = all(best[one] <= most for one, most in limits.items())
    return Check(promise, f"λ = {best.name:g}: {shown}", kept_all)


def _probe_check(study: Study, runs: pd.DataFrame, name: str) -> Check:
    own = runs[runs["series"].isin([UNFAIR, name])]
    means = own.groupby("weight")[["linear_probe", "tree_probe"]].mean()
    # A hundredth more is within what another split gives.
    rises = {probe: int((means[probe].diff() > 0.01).sum()) for probe in means}
    shown = "; ".join(
        f"{words}: R² {means[probe].iloc[0]:.2f} → {means[probe].iloc[-1]:.2f}, rises at "
        f"{rises[probe]}"
        for probe, words in (("linear_probe", "linear"), ("tree_probe", "trees"))
    )
    return Check(
        f"{study.dataset}, {name}: probes recover S from Z less and less as λ grows",
        f"{shown} of {len(means) - 1} steps",
        not any(rises.values()),
    )


def _fooled(found: dict[Study, pd.DataFrame]) -> Check:
    """Fairness weights at which half of EIPM is gone and three quarters of ΔHGR are left."""
    counts = {}
    for name in (FREM, PAPER):
        fooled = total = 0
        for runs in found.values():
            means = runs[runs["series"] == name].groupby("weight")[[SEEN[name], "hgr"]].mean()
            start = runs.loc[runs["series"] == UNFAIR, [SEEN[name], "hgr"]].mean()
            left = means / start
            fooled += int(((left[SEEN[name]] < 0.5) & (left["hgr"] > 0.75)).sum())
            total += len(left)
        counts[name] = (fooled, total)
    shown = "; ".join(f"{name} at {one} of {all_} weights" for name, (one, all_) in counts.items())
    promise = "nowhere does the EIPM that FREM sees fall by half while ΔHGR keeps three quarters"
    return Check(promise, shown, counts[FREM][0] == 0)
