"""How sure the fronts are: bands over seeds or test rows, and what may be better in both scores."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from frem_core.figures import method_looks
from frem_core.figures.front_points import OBJECTIVES, scored_runs
from frem_core.pareto.uncertainty import better_models, front_band, seed_resamples
from frem_core.sweeps.run_floor import run_resamples
from frem_core.types import Floats
from frem_core.words import per_cent
from studio.store import has_files, store_of
from studio.tradeoffs.question import Question
from studio.tradeoffs.view import View
from studio.words import Point

_STEPS: Final = 60
_MOST_POINTS: Final = 30  # drawing rows for more would take minutes
_SURE: Final = 0.95
_PERHAPS: Final = 0.05


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """Resampled scores of the settings of a chart.

    Attributes:
        points: names of the settings, in the order of ``resampled``.
        resampled: (R, settings, 2), more being better; None while unknown.
        over: what was drawn: "seeds" or "test rows"; "" where nothing could be.
        is_pending: whether it is being measured.
    """

    points: tuple[str, ...] = ()
    resampled: Floats | None = None
    over: str = ""
    is_pending: bool = False

    def bands(self, points: pd.DataFrame) -> dict[str, pd.DataFrame]:
        """The band of each method's front, for the chart: x, low and high."""
        if self.resampled is None:
            return {}
        found = {}
        places = {name: place for place, name in enumerate(self.points)}
        for method, own in points.groupby("method", sort=False):
            rows = [places[name] for name in own["point"] if name in places]
            if len(rows) < 2:
                continue
            x = np.linspace(own["fairness"].min(), own["fairness"].max(), _STEPS)
            low, high = front_band(self.resampled[:, rows], -x)
            table = pd.DataFrame({"x": x, "low": low, "high": high}).dropna()
            if len(table) > 1:
                found[str(method)] = table
        return found

    def answer(self, points: pd.DataFrame, point: Point) -> str:
        """Answers whether there is a model as fair and more accurate than this one."""
        if self.resampled is None or point["point"] not in self.points:
            return ""
        found = better_models(self.resampled, self.points.index(point["point"]))
        useful = [one for one in found if one.share > _PERHAPS]
        asked = "Is there a model as fair and more accurate?"
        if not useful:
            return (
                f"**{asked}** Not here: no other setting is both in more than {per_cent(_PERHAPS)} "
                f"of draws of {self.over}."
            ).replace(" %", "\N{NO-BREAK SPACE}%")
        best = useful[0]
        other = points[points["point"] == self.points[best.place]].iloc[0]
        title = method_looks([other["method"]])[other["method"]].title
        setting = f" at {other['words']}" if other["words"] else ""
        surely = "Yes" if best.share >= _SURE else "Perhaps"
        return (
            f"**{asked}** {surely}: {title}{setting}, in {per_cent(best.share)} of draws of "
            f"{self.over}."
        ).replace(" %", "\N{NO-BREAK SPACE}%")


def uncertainty_of(question: Question, view: View, points: pd.DataFrame) -> Uncertainty:
    """Draws seeds where there are several, else test rows, in the background."""
    if points["seeds"].max() > 1:
        names = tuple(points["point"])
        drawn = _over_seeds(question.version, view.key, question.runs, view.scores, points)
        return Uncertainty(names, drawn, "seeds")
    if view.split != "test" or view.fairness.measures != "predictions":
        return Uncertainty()
    if view.fairness.slow_on_many_rows:
        return Uncertainty()
    order = points.sort_values("on_front", ascending=False, kind="stable").head(_MOST_POINTS)
    runs = {str(row["point"]): str(row["runs"][0]) for row in order.to_dict("records")}
    kept = {name: run for name, run in runs.items() if has_files(question.sweep_of(run), run)}
    if len(kept) < 2:
        return Uncertainty()
    sweep = question.sweep_of(next(iter(kept.values())))
    job = _over_rows(tuple(kept.values()), view.prediction.name, view.fairness.name, sweep)
    if not job.done():
        return Uncertainty(is_pending=True)
    if job.exception() is not None:  # from several splits, or files that are gone
        return Uncertainty()
    return Uncertainty(tuple(kept), job.result(), "test rows")


@st.cache_data(max_entries=32, show_spinner=False)
def _over_seeds(
    version: object,
    view: str,
    _runs: pd.DataFrame,
    _scores: dict[str, str],
    _points: pd.DataFrame,
) -> Floats:
    homes = {
        run: (place, name)
        for place, (name, runs) in enumerate(zip(_points["point"], _points["runs"], strict=True))
        for run in runs
    }
    scored = scored_runs(_runs, **_scores)
    scored = scored[scored["id"].isin(list(homes))]
    order = scored["id"].map(lambda run: homes[run][0]).sort_values(kind="stable").index
    frame = scored.loc[order].assign(point=[homes[run][1] for run in scored.loc[order, "id"]])
    return seed_resamples(frame, OBJECTIVES, setting=["point"])


@st.cache_resource(max_entries=64, show_spinner=False)
def _over_rows(runs: Sequence[str], prediction: str, fairness: str, _sweep: str) -> "Future[Any]":
    return _worker().submit(run_resamples, store_of(_sweep), list(runs), prediction, fairness)


@st.cache_resource(show_spinner=False)
def _worker() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="front-bands")
