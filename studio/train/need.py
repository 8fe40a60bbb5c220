"""What a viewer needs: a limit that models keep, or a front over a range of fairness weights."""

from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from frem_core.attributes import Attributes
from frem_core.evaluation import get_score
from frem_core.figures import plain_text
from frem_core.limits import OF_CATEGORIES, SCORES, Limit, words_before_training
from frem_core.training import relative_weights
from frem_core.training.weight_range import HIGHEST, LOWEST
from frem_core.types import Task
from frem_core.words import listed
from studio.train.fields import log_grid, log_stops

_KEEP, _MOST, _EXPLORE = "keep", "most", "explore"
_NEEDS: Final = {
    _KEEP: "At most a share of today's dependence",
    _MOST: "At most a value",
    _EXPLORE: "Explore a range of fairness weights",
}
_USUAL_SHARE: Final = 50
_USUAL_VALUE: Final = {"hgr": 0.2, "gdp": 0.02, "mutual_information": 0.1, "eipm": 0.1, "geo": 0.02}
_MOST_WEIGHTS: Final = 30
_WEIGHTS: Final = (0.001, 1000.0)


@dataclass(frozen=True)
class Need:
    """What all methods of a sweep aim at.

    Attributes:
        limit: what every model has to keep; training finds the fairness weight.
        relative_weights: without a limit, the fairness weights in units of the balance.
    """

    limit: Limit | None
    relative_weights: tuple[float, ...] = ()


def need_field(
    key: str,
    *,
    fairness: str,
    task: Task,
    sensitive: str,
    test_rows: int,
    attributes: Attributes | None = None,
) -> Need:
    """Draws the question and what belongs to the answer.

    Args:
        key: unique on the page.
        fairness: notion; equal opportunity has a score of its own.
        task: decides which scores there are.
        sensitive: what the sensitive attribute is called, in words.
        test_rows: about how many rows a limit is tested on; few cannot test a low one.
        attributes: all of them where there are several: the limit is about one or about each.
    """
    if attributes is not None:
        sensitive = listed(attributes.names)
    need = st.segmented_control(
        f"How much may predictions depend on {plain_text(sensitive)}?",
        list(_NEEDS),
        default=_KEEP,
        format_func=_NEEDS.__getitem__,
        required=True,
        key=f"{key}-need",
        help="With a limit, training finds the fairness weight that keeps it, and checks it on "
        "rows that were held out. A range of weights shows the whole trade-off.",
        persist_state="session",
    )
    if need == _EXPLORE:
        return Need(limit=None, relative_weights=_weights_field(key))
    limited: tuple[str, ...] = () if attributes is None else _limited_field(key, attributes)
    scores, kind = [name for name in SCORES if task in get_score(name).tasks], ""
    if attributes is not None and not set(limited).isdisjoint(attributes.categories):
        scores, kind = [name for name in scores if name in OF_CATEGORIES], "-category"
    if fairness == "eo":
        scores = sorted(scores, key=lambda name: name != "geo")
    else:
        scores = [name for name in scores if name != "geo"]
    left, right = st.columns(2, gap="large")
    with right:
        score = str(
            st.selectbox(
                "Measured by",
                scores,
                format_func=_score_words,
                key=f"{key}-need-score-{fairness}{kind}",
                help=get_score(scores[0]).help,
                persist_state="session",
            )
        )
    with left:
        limit = _share_field(key, score) if need == _KEEP else _value_field(key, score)
    if limited:
        limit = Limit.together([replace(limit, attribute=name) for name in limited])
    if remark := words_before_training(limit, test_rows):
        st.warning(plain_text(remark), icon=":material/straighten:")
    return Need(limit=limit)


def _limited_field(key: str, attributes: Attributes) -> tuple[str, ...]:
    """Draws which of several attributes is limited; returns their names."""
    chosen = st.selectbox(
        "Limited is the dependence on",
        ["", *attributes.names],
        format_func=lambda name: plain_text(name) if name else "each of them",
        key=f"{key}-need-attribute",
        help="With a limit for each, the fairness weight is raised until the last of them is kept. "
        "Other limits for each attribute can be written in a sweep's file.",
        persist_state="session",
    )
    return (str(chosen),) if chosen else attributes.names


def _share_field(key: str, score: str) -> Limit:
    share = st.slider(
        "Keep at most this share of today's dependence",
        5,
        95,
        _USUAL_SHARE,
        step=5,
        format="%d %%",
        key=f"{key}-need-share",
        help="Today's is that of a model trained without any fairness; it is trained first.",
        persist_state="session",
    )
    return Limit(score=score, keep=int(share) / 100)


def _value_field(key: str, score: str) -> Limit:
    value = st.number_input(
        f"At most this {plain_text(get_score(score).symbol)}",
        min_value=0.0001,
        max_value=0.9999 if score == "hgr" else 1000.0,
        value=_USUAL_VALUE[score],
        format="%g",
        key=f"{key}-need-value-{score}",
        persist_state="session",
    )
    return Limit(score=score, at_most=float(value))


def _weights_field(key: str) -> tuple[float, ...]:
    """Draws one range for all methods, in units that a probe measures for each of them."""
    left, right = st.columns(2, gap="large")
    low, high = left.select_slider(
        "Fairness weights (λ), in units of the balance",
        log_stops(*_WEIGHTS),
        (LOWEST, HIGHEST),
        format_func=lambda stop: f"{stop:g} ×",
        key=f"{key}-need-weights",
        help="One range for all methods. At 1, giving up all of the prediction for all of the "
        "fairness changes nothing; before training, a short probe on these rows measures which "
        "λ that is for each method.",
        persist_state="session",
    )
    count = right.slider(
        "How many weights",
        1,
        _MOST_WEIGHTS,
        len(relative_weights()),
        key=f"{key}-need-count",
        help="Spread evenly on the logarithmic scale, both ends included.",
        persist_state="session",
    )
    if (low, high) == (LOWEST, HIGHEST):
        return relative_weights(count) if count > 1 else (1.0,)
    return log_grid(low, high, count)


def _score_words(name: str) -> str:
    score = get_score(name)
    return f"{score.label} ({score.symbol})"
