"""The chart: every setting of every method, their fronts, chance, limits and the paper."""

from concurrent.futures import Future
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from frem_core.figures import method_looks, pareto_fronts_figure
from frem_core.metrics import NoiseFloor
from studio.chart import chart
from studio.theme import is_dark
from studio.tradeoffs.limits import Limits
from studio.tradeoffs.noise import chance_level
from studio.tradeoffs.points import best_predicting, fairest
from studio.tradeoffs.subject import Subject
from studio.tradeoffs.view import View, axis_symbol


@dataclass(frozen=True)
class Chance:
    """How large the fairness score is by chance.

    Attributes:
        level: 95 % of rearranged rows stay below; None while unknown.
        is_pending: whether it is being measured.
        words: what to say about it.
    """

    level: float | None
    is_pending: bool
    words: str


def chance_of(subject: Subject, view: View, points: pd.DataFrame) -> Chance:
    """Chance on the test rows of the fairest setting, where chance matters most."""
    if not view.fairness.has_noise_floor:
        return Chance(None, False, "")
    if view.split != "test":
        return Chance(None, False, "What chance alone would give is measured on test rows only.")
    point = fairest(points)
    run = str(point["runs"][0])
    job = chance_level(subject.sweep_of(run), run, view.fairness.name)
    if not job.done():
        return Chance(None, True, "Measuring what chance alone would give …")
    return _known(job, str(point["method"]), str(point["words"]))


def _known(job: "Future[NoiseFloor]", method: str, words: str) -> Chance:
    if job.exception() is not None:
        return Chance(None, False, "What chance alone would give could not be measured.")
    floor = job.result()
    title = method_looks([method])[method].title
    setting = f" at {words}" if words else ""
    return Chance(
        floor.upper,
        False,
        f"The grey band is what chance alone gives: with sensitive values dealt out at random, "
        f"{floor.share:.0%} of {floor.n_permutations} trials stay below {floor.upper:.3g} "
        f"(measured on the test rows of the fairest setting, {title}{setting}).".replace("%", " %"),
    )


def show_fronts(
    subject: Subject,
    view: View,
    points: pd.DataFrame,
    chance: Chance,
    *,
    paper: pd.DataFrame | None,
    limits: Limits,
    marked: list[str],
) -> str | None:
    """Draws the chart with its table; returns the point that was clicked, if any."""
    figure = pareto_fronts_figure(
        points,
        prediction="prediction",
        fairness="fairness",
        prediction_title=view.prediction.axis_title,
        fairness_title=view.fairness.axis_title,
        paper=paper,
        noise_floor=chance.level,
        marked=marked,
        dark=is_dark(),
        at_most=limits.at_most,
        at_least=limits.at_least if limits.at_least > points["prediction"].min() else None,
    )
    selected = chart(
        figure,
        _table(points, view),
        key=f"tradeoffs-chart-{subject.key}-{view.key}",
        alt=_alt(view, points),
        file_name=f"trade-off-{view.prediction.name}-{view.fairness.name}",
        selectable=True,
    )
    st.caption(_caption(points, chance))
    known = set(points["point"])
    clicked = [str(point["customdata"][0]) for point in selected if point.get("customdata")]
    return next((name for name in clicked if name in known), None)


def _table(points: pd.DataFrame, view: View) -> pd.DataFrame:
    titles = {name: look.title for name, look in method_looks(points["method"]).items()}
    prediction, fairness = axis_symbol(view.prediction), axis_symbol(view.fairness)
    return pd.DataFrame(
        {
            "Method": points["method"].map(titles),
            "Setting": points["words"],
            prediction: points["prediction"],
            f"± {prediction}": points["prediction.se"],
            fairness: points["fairness"],
            f"± {fairness}": points["fairness.se"],
            "Runs": points["seeds"],
            "On the front": points["on_front"],
            "First run": points["point"],
        }
    )


def _caption(points: pd.DataFrame, chance: Chance) -> str:
    words = [
        "Each point is one setting, averaged over its runs; bars are standard errors over seeds. "
        "Lines join the settings that no other of the same method beats in both scores; the "
        "others are faint. Click a point to look into its runs."
    ]
    if points["seeds"].max() == 1:
        words[0] = words[0].replace("bars are standard errors over seeds", "there is one run each")
    return " ".join([*words, chance.words]).strip()


def _alt(view: View, points: pd.DataFrame) -> str:
    best, fair = best_predicting(points), fairest(points)
    titles = method_looks([best["method"], fair["method"]])
    return (
        f"Points of {points['method'].nunique()} methods, {view.fairness.symbol} along x and "
        f"{axis_symbol(view.prediction)} along y. Best prediction: "
        f"{titles[best['method']].title} with {best['prediction']:.3f} at {best['fairness']:.3f}. "
        f"Fairest: {titles[fair['method']].title} with {fair['fairness']:.3f} at "
        f"{fair['prediction']:.3f}."
    )
