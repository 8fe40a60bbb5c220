"""Whether the models of a sweep keep the limits they were trained for, in sentences."""

from typing import Any

import pandas as pd
import streamlit as st

from frem_core.evaluation import get_score
from frem_core.figures import plain_text
from frem_core.limits import Limit, limited_score
from frem_core.methods import get_method
from frem_core.metrics import Metric, usual_metric
from frem_core.words import counted

_SENTENCE, _REACHED, _LIMIT = "facts.limit.sentence", "facts.limit.reached", "config.limit"


def show_verdicts(runs: pd.DataFrame) -> None:
    """Draws one box per method and limit; of several repetitions the first speaks for all."""
    if _SENTENCE not in runs:
        return
    checked = runs[runs[_SENTENCE].notna()]
    for (method, limit), own in checked.groupby(["method", _LIMIT], sort=False):
        ordered = own.sort_values("seed", kind="stable")
        reached = int(ordered[_REACHED].astype(bool).sum())
        words = plain_text(str(ordered[_SENTENCE].iloc[0]), longest=None)
        if len(own) > 1:
            asked = plain_text(Limit.parse(str(limit)).words)
            words = (
                f"**{plain_text(get_method(str(method)).title)}, {asked}: reached in {reached} of "
                f"{counted(len(own), 'repetition')}.** The first: {words}"
            )
        _show(words, is_good=2 * reached > len(own))


def first_fairness(runs: pd.DataFrame) -> Metric:
    """The fairness score that comes first: what was limited, or the usual one of the notion."""
    asked = limited_score(runs[_LIMIT]) if _LIMIT in runs else None
    if asked is not None:
        return get_score(asked)
    return usual_metric("eo" if (runs["config.method.fairness"] == "eo").any() else "dp")


def show_verdict(limit: dict[str, Any]) -> None:
    """Draws whether one model keeps its limit, as `LimitReport.to_dict` says it."""
    _show(plain_text(limit["sentence"], longest=None), is_good=limit["reached"])


def _show(words: str, *, is_good: bool) -> None:
    if is_good:
        st.success(words, icon=":material/check_circle:")
    else:
        st.warning(words, icon=":material/warning:")
