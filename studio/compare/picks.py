"""Which runs to put side by side when nobody has said so, or at equal accuracy."""

import pandas as pd

from frem_core.metrics import Metric
from frem_core.pareto import Direction, best_under_constraints, nearest_on_score
from studio.compare.score_names import column, usual_fairness, usual_prediction
from studio.compare.settings_of import same_test_rows

MOST = 6
_UNFAIR, _FREM = "unfair", "frem"
_SHARE = 0.5  # of the unfairness that FREM leaves in the first picture, where it can
_CLOSE = 0.01  # accuracies that count as equal there


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
    score, goal = column(prediction), column(fairness)
    if len(unfair):
        limit = {goal: _SHARE * float(unfair[goal].iloc[0])}
        better: Direction = "max" if prediction.higher_is_better else "min"
        fair_enough = best_under_constraints(runs, score, better, at_most=limit)
        if len(fair_enough):
            return fair_enough
    return runs.sort_values(goal, kind="stable").head(1)
