"""Which runs to put side by side when nobody has said so, or at equal accuracy."""

import pandas as pd

from frem_core.metrics import Metric
from frem_core.pareto import best_under_constraints, nearest_on_score
from studio.compare.score_names import column, usual_fairness, usual_prediction
from studio.compare.settings_of import same_test_rows

MOST = 6
_UNFAIR, _FREM = "unfair", "frem"
_CLOSE = 0.02  # a loss of accuracy that counts as equal for the first picture


def first_picks(runs: pd.DataFrame) -> pd.DataFrame:
    """Unfair, FREM and the best baseline, all tested on the same rows.

    FREM is the fairest of its runs that predicts about as well as Unfair, or where none does, the
    fairest at all. The baseline is, of the runs of each method nearest in accuracy to FREM's, the
    fairest one.

    Args:
        runs: finished runs of a sweep.
    """
    runs = _on_richest_split(runs)
    prediction, fairness = usual_prediction(runs), usual_fairness(runs)
    unfair = runs[runs["method"] == _UNFAIR].head(1)
    frem = _fairest(runs[runs["method"] == _FREM], unfair, prediction, fairness)
    others = runs[~runs["method"].isin([_UNFAIR, _FREM])]
    anchor = frem if len(frem) else unfair
    if len(anchor) and len(others):
        level = float(anchor[column(prediction)].iloc[0])
        others = nearest_on_score(others, column(prediction), level, by="method")
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


def _fairest(
    runs: pd.DataFrame, unfair: pd.DataFrame, prediction: Metric, fairness: Metric
) -> pd.DataFrame:
    if runs.empty:
        return runs
    score, goal = column(prediction), column(fairness)
    if len(unfair):
        level = float(unfair[score].iloc[0])
        limits = (
            {"at_least": {score: level - _CLOSE}}
            if prediction.higher_is_better
            else {"at_most": {score: level + _CLOSE}}
        )
        close = best_under_constraints(runs, goal, "min", **limits)  # type: ignore[arg-type]
        if len(close):
            return close
    return runs.sort_values(goal, kind="stable").head(1)
