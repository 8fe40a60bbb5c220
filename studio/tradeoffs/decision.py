"""The best setting of each method within the limits, in words."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

import pandas as pd
import streamlit as st

from frem_core.figures import NO_BETTER, constant_of, method_looks, plain_text
from frem_core.methods import get_method
from frem_core.words import decimals
from studio.compare.comparable import MOST
from studio.style import is_dark, marker_picture
from studio.tradeoffs.chance import Chance
from studio.tradeoffs.limits import Limits, show_limits
from studio.tradeoffs.points import reference_of
from studio.tradeoffs.question import Question, compare_link, tested_alike
from studio.tradeoffs.uncertainty import Uncertainty
from studio.tradeoffs.view import View
from studio.words import (
    Point,
    choice_sentence,
    constant_words,
    fairness_words,
    prediction_words,
)

_CARD_WIDTH: Final = 270
_WINS: Final = {"prediction": "predicts best", "fairness": "is fairest"}


def show_decision(
    question: Question,
    view: View,
    points: pd.DataFrame,
    limits: Limits,
    chances: Mapping[str, Chance],
    unsure: Uncertainty,
) -> None:
    """Draws the limits and one card per method."""
    st.header("What can be promised", anchor=False)
    show_limits(view, points, limits)
    reference = reference_of(points)
    st.markdown(_comparison(question, view, points, reference))
    methods = [name for name in dict.fromkeys(points["method"]) if name != "unfair"]
    if not methods:
        st.info("Only the model without fairness has been trained so far.")
        return
    useful = points[~points["no_better"]]
    found: dict[str, Point] = {row["method"]: row for row in limits.best(useful).to_dict("records")}
    order = [name for name in found if name in methods]
    order += [name for name in methods if name not in found]
    looks = method_looks(order)
    st.markdown(order_words([found[name] for name in order if name in found], limits.goal))
    if order and order[0] in found:
        st.markdown(unsure.answer(points, found[order[0]]))
    with st.grid("auto", min_column_width=_CARD_WIDTH, border=True, key="tradeoffs-cards") as grid:
        for name in order:
            with grid.cell(), st.container(horizontal=True, wrap=False, gap="small"):
                st.html(marker_picture(get_method(name), dark=is_dark()), width="content")
                with st.container():
                    if name in found:
                        words = _sentence(question, view, found[name], reference, chances)
                        _show_found(f"**{looks[name].title}** {words}", found[name])
                    else:
                        far = _too_far(points[points["method"] == name], limits, view)
                        st.markdown(f"**{looks[name].title}**: {far}")
    best = _side_by_side(reference, [found[name] for name in order if name in found])
    if len(best) > 1:
        compare_link("Compare these side by side", tested_alike(question, best), question)


def _side_by_side(reference: Point | None, found: Sequence[Point]) -> list[Point]:
    """As many as Compare shows: the reference, FREM, then the others, best first."""
    frem_first = sorted(found, key=lambda point: point["method"] != "frem")
    return ([] if reference is None else [reference]) + frem_first[: MOST - 1]


def order_words(found: Sequence[Point], goal: str) -> str:
    """Which method comes first within the limits, and whether that can be told from chance.

    Args:
        found: the best point of each method, best first.
        goal: ``"prediction"`` or ``"fairness"``.
    """
    if not found:
        return (
            "**No useful model keeps these limits.** Allow more unfairness or less accuracy, or "
            "refine the search near the limit."
        )
    titles = [look.title for look in method_looks(point["method"] for point in found).values()]
    words = f"**Within these limits {titles[0]} {_WINS[goal]}"
    if len(found) == 1:
        return f"{words}; no other method keeps them.**"
    gap = abs(float(found[0][goal]) - float(found[1][goal]))
    errors = [float(point[f"{goal}.se"]) for point in found[:2]]
    if any(math.isnan(error) for error in errors):
        doubt = " Some settings were trained once only, so the order may be chance."
    elif gap <= math.hypot(*errors):
        doubt = f" Its lead over {titles[1]} is no larger than the error over seeds."
    else:
        doubt = ""
    return f"{words}, {titles[1]} comes next.**{doubt}"


def _comparison(
    question: Question, view: View, points: pd.DataFrame, reference: Point | None
) -> str:
    """What everything is compared with: the model without fairness, and the best constant."""
    sensitive, target = plain_text(question.sensitive), question.target
    words = (
        "There is no model without fairness in these sweeps, so what fairness costs cannot be "
        "told; train the method Unfair too."
        if reference is None
        else "For comparison, the model without fairness "
        f"{prediction_words(reference, None, view.prediction, target=target)}; the "
        f"{fairness_words(reference, None, view.fairness, sensitive=sensitive)}."
    )
    constant, first = constant_of(points), points.iloc[0].to_dict()
    if constant is not None:
        told = constant_words(constant, view.prediction, first, target=target)
        words += f" {told[0].upper()}{told[1:]}."
    in_own_units = any(points["units"])
    if view.prediction.shown_as_complement and not in_own_units:
        words += " Errors are on the target's scale from 0 to 1."
    return words


def _sentence(
    question: Question,
    view: View,
    point: Point,
    reference: Point | None,
    chances: Mapping[str, Chance],
) -> str:
    chance = chances.get(str(point["method"]))
    return choice_sentence(
        point,
        reference,
        prediction=view.prediction,
        fairness=view.fairness,
        sensitive=plain_text(question.sensitive),
        target=question.target,
        chance=None if chance is None else chance.level,
    )


def _show_found(sentence: str, point: Point) -> None:
    st.markdown(sentence)
    runs = f"mean of {point['seeds']} runs" if point["seeds"] != 1 else "one run"
    words = str(point["words"])
    st.caption(plain_text(f"{words}; {runs}" if words else runs, longest=None))


def _too_far(own: pd.DataFrame, limits: Limits, view: View) -> str:
    fair = own[own["fairness"] <= limits.at_most]
    if fair.empty:
        least = float(own["fairness"].min())
        return (
            f"No setting is that fair: {view.fairness.symbol} is {least:.{decimals(least)}f} at "
            "best."
        )
    useful = fair[~fair["no_better"]]
    if useful.empty:
        return (
            f"Every setting that is fair enough {NO_BETTER}, so none is recommended. Allow more "
            "unfairness, or refine the search near the limit."
        )
    fair = useful
    return (
        "No setting keeps both limits: among those that are fair enough, the best prediction "
        f"score is {fair['prediction'].max():.3f}."
    )
