"""Which scores an ablation is read by."""

import streamlit as st

from frem_core.ablations import usual_scores
from frem_core.evaluation import available_scores, get_score
from studio.ablations.subject import Subject
from studio.address import names_in_address, to_address

_PREDICTION, _FAIRNESS = "prediction", "fairness-score"


def choose_scores(subject: Subject) -> tuple[str, str]:
    """Draws the choice of the two scores; both are kept in the address."""
    task = subject.dataset.task
    scores = [get_score(name) for name in available_scores(task)]
    usual_prediction, usual_fairness = usual_scores(task)
    left, right = st.columns(2)
    with left:
        prediction = _choose(
            _PREDICTION,
            "Prediction score",
            [one.name for one in scores if one.purpose == "prediction"],
            usual_prediction,
        )
    with right:
        fairness = _choose(
            _FAIRNESS,
            "Fairness score",
            [one.name for one in scores if one.purpose == "fairness" and not one.given_label],
            usual_fairness,
        )
    return prediction, fairness


def _choose(address: str, label: str, names: list[str], usual: str) -> str:
    [start] = names_in_address(address, allowed=names, default=[usual])[:1]
    key = f"ablation-{address}-{start}"
    chosen = st.selectbox(
        label,
        names,
        index=names.index(start),
        format_func=lambda name: f"{get_score(name).label} ({get_score(name).symbol})",
        key=key,
        on_change=to_address,
        args=(address, key),
        help="\n\n".join(f"**{get_score(name).symbol}**: {get_score(name).help}" for name in names),
    )
    return str(chosen)
