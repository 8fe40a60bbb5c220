"""What a comparison says, in sentences."""

import pandas as pd

from frem_core.figures import plain_text
from frem_core.metrics import Metric
from frem_core.words import decimals
from studio.compare.score_names import column, usual_fairness, usual_prediction

_EQUAL = 0.005  # differences in accuracy that nobody would notice
_SAME_SHARE = 0.05


def conclusions(runs: pd.DataFrame, titles: list[str], sensitive: str) -> list[str]:
    """One sentence for every run but the first, which the others are compared with.

    Where the ordinary model is among the runs it is what the others are compared with.
    """
    prediction, fairness = usual_prediction(runs), usual_fairness(runs)
    unfair = [place for place, method in enumerate(runs["method"]) if method == "unfair"]
    base = unfair[0] if unfair else 0
    return [
        _sentence(runs.iloc[place], titles[place], runs.iloc[base], titles[base], sensitive)
        for place in range(len(runs))
        if place != base
        and all(column(metric) in runs for metric in (prediction, fairness))
        and runs.iloc[[place, base]][[column(prediction), column(fairness)]].notna().all(axis=None)
    ]


def _sentence(run: pd.Series, title: str, base: pd.Series, base_title: str, sensitive: str) -> str:
    both = pd.DataFrame([base, run])
    prediction, fairness = usual_prediction(both), usual_fairness(both)
    quality, its_quality = (_shown(one, prediction) for one in (run, base))
    gap, its_gap = (float(one[column(fairness)]) for one in (run, base))
    digits = decimals(max(gap, its_gap), digits=2)
    among = " among people with a positive outcome" if fairness.given_label else ""
    return (
        f"**{plain_text(title)}** {_quality_words(quality - its_quality)} "
        f"**{plain_text(base_title)}** ({prediction.axis_symbol} {quality:.3f} against "
        f"{its_quality:.3f}), and its predictions follow {plain_text(sensitive)}{among} "
        f"{_gap_words(gap, its_gap)} ({fairness.symbol} {gap:.{digits}f} against "
        f"{its_gap:.{digits}f})."
    )


def _shown(run: pd.Series, metric: Metric) -> float:
    return metric.axis_value(float(run[column(metric)]))


def _quality_words(gain: float) -> str:
    if abs(gain) <= _EQUAL:
        return "predicts as well as"
    return "predicts better than" if gain > 0 else "predicts worse than"


def _gap_words(gap: float, base: float) -> str:
    if base <= 0 or abs(gap / base - 1) <= _SAME_SHARE:
        return "about as much"
    share = gap / base - 1
    if share > 1:
        return f"{gap / base:.1f} times as much"
    return f"{abs(share):.0%} {'more' if share > 0 else 'less'}"
