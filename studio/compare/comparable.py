"""Which runs can stand side by side, and which do when nobody has said so."""

from collections.abc import Sequence
from typing import Final

import pandas as pd

from frem_core.figures.front_points import no_better
from frem_core.figures.run_titles import WEIGHT
from frem_core.metrics import Metric
from frem_core.pareto import Direction, best_under_constraints, nearest_on_score
from studio.compare.catalogue import column, usual_fairness, usual_prediction

_SEEDS: Final = ("config.seed", "config.split.seed")
# What decides which rows a run was tested on.
_TEST_ROWS: Final = ("dataset", "config.split.kind", "config.split.seed", "config.split.test_size")
MOST = 6
_UNFAIR, _FREM = "unfair", "frem"
_SHARE = 0.5  # of the unfairness that FREM leaves in the first picture, where it can
_CLOSE = 0.01  # accuracies that count as equal there


def same_test_rows(runs: pd.DataFrame, run: pd.Series) -> pd.Series:
    """Which runs were tested on the same rows as one run."""
    same = pd.Series(True, index=runs.index)
    for name in _TEST_ROWS:
        same &= runs[name] == run[name]
    return same


def along_weight(runs: pd.DataFrame, run: pd.Series) -> pd.DataFrame:
    """The runs that differ from one run in their fairness weight only, by rising weight."""
    alike = runs[_signature(runs, {WEIGHT}) == _signature_of(run, runs, {WEIGHT})]
    return alike.sort_values(WEIGHT).drop_duplicates(WEIGHT)


def _on_split_of(runs: pd.DataFrame, run: pd.Series, other: pd.Series) -> pd.DataFrame:
    """The runs with the settings of one run that were tested on the rows of another."""
    alike = runs[_signature(runs, set(_SEEDS)) == _signature_of(run, runs, set(_SEEDS))]
    return alike[same_test_rows(alike, other)]


def _signature(runs: pd.DataFrame, without: set[str]) -> pd.Series:
    names = [name for name in runs if str(name).startswith("config.") and name not in without]
    values = runs[names].itertuples(index=False, name=None)
    return pd.Series(["|".join(map(str, row)) for row in values], index=runs.index)


def _signature_of(run: pd.Series, runs: pd.DataFrame, without: set[str]) -> str:
    signatures = _signature(runs, without)[runs["id"] == run["id"]]
    return str(signatures.iloc[0]) if len(signatures) else ""


def why_not_comparable(runs: pd.DataFrame, titles: Sequence[str]) -> str | None:
    """The reason why runs cannot stand side by side, or None."""
    first = runs.iloc[0]
    for (_, run), title in zip(runs.iterrows(), titles, strict=True):
        if run["dataset"] != first["dataset"]:
            what = "was trained on another dataset"
        elif run["config.task"] != first["config.task"]:
            what = "was trained for another task"
        elif any(run[name] != first[name] for name in _TEST_ROWS):
            what = "was tested on other rows, from another split of the dataset,"
        else:
            continue
        return (
            f"{title} {what} than {titles[0]}. Differences between the two could come from the "
            "data and not from the models."
        )
    return None


def comparable_instead(runs: pd.DataFrame, known: pd.DataFrame) -> pd.DataFrame:
    """Each run, or the run with its settings that was tested on the rows of the first."""
    first = runs.iloc[0]
    found = [_on_split_of(known, run, first).head(1) for _, run in runs.iterrows()]
    return pd.concat(found).drop_duplicates("id").reset_index(drop=True)


def first_picks(runs: pd.DataFrame) -> pd.DataFrame:
    """Unfair, FREM and the best baseline, all tested on the same rows.

    FREM is, of its runs at most half as unfair as Unfair, the one that predicts best; where none
    is, the fairest. The baseline is, of the runs about as accurate as FREM's, the fairest; where
    none is, the nearest in accuracy.

    Args:
        runs: finished runs of a sweep.
    """
    runs = _on_richest_split(runs)
    prediction, fairness = usual_prediction(runs), usual_fairness(runs)
    unfair = runs[runs["method"] == _UNFAIR].head(1)
    frem = _telling(runs[runs["method"] == _FREM], unfair, prediction, fairness)
    others = runs[~runs["method"].isin([_UNFAIR, _FREM])]
    anchor = frem if len(frem) else unfair
    if len(anchor) and len(others):
        level = float(anchor[column(prediction)].iloc[0])
        gaps = (others[column(prediction)] - level).abs()
        others = others[gaps <= max(_CLOSE, float(gaps.min()))]
    baseline = others.sort_values(column(fairness), kind="stable").head(1)
    picks = pd.concat([unfair, frem, baseline])
    if len(picks) < 2:
        rest = runs[~runs["id"].isin(picks["id"])]
        picks = pd.concat([picks, rest.head(2 - len(picks))])
    return picks.reset_index(drop=True)


def matched_picks(runs: pd.DataFrame, reference: pd.Series, prediction: Metric) -> pd.DataFrame:
    """The reference run, then of every other method the run that predicts most nearly as well.

    Args:
        runs: finished runs to choose from.
        reference: the run to match.
        prediction: the score to match on.
    """
    beside = runs[same_test_rows(runs, reference) & (runs["method"] != reference["method"])]
    first = reference.to_frame().T.astype(runs.dtypes)
    if beside.empty:
        return first.reset_index(drop=True)
    level = float(reference[column(prediction)])
    nearest = nearest_on_score(beside, column(prediction), level, by="method")
    # What everything is measured against comes right after the reference.
    order = (nearest["method"] != _UNFAIR).astype(int)
    nearest = nearest.loc[order.sort_values(kind="stable").index]
    return pd.concat([first, nearest]).head(MOST).reset_index(drop=True)


def _on_richest_split(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs of the split on which most methods were tested; of equals, the first."""
    splits: list[pd.DataFrame] = []
    rest = runs
    while len(rest):
        same = same_test_rows(rest, rest.iloc[0])
        splits.append(rest[same])
        rest = rest[~same]
    return max(splits, key=lambda some: int(some["method"].nunique()))


def _telling(
    runs: pd.DataFrame, unfair: pd.DataFrame, prediction: Metric, fairness: Metric
) -> pd.DataFrame:
    if runs.empty:
        return runs
    useful = runs[~no_better(runs, prediction.name)]
    runs = useful if len(useful) else runs
    score, goal = column(prediction), column(fairness)
    if len(unfair):
        limit = {goal: _SHARE * float(unfair[goal].iloc[0])}
        better: Direction = "max" if prediction.higher_is_better else "min"
        fair_enough = best_under_constraints(runs, score, better, at_most=limit)
        if len(fair_enough):
            return fair_enough
    return runs.sort_values(goal, kind="stable").head(1)
