"""How large the fairness score of a setting is by chance alone, measured in the background."""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import streamlit as st

from frem_core.figures import method_looks
from frem_core.metrics import NoiseFloor
from frem_core.sweeps.run_floor import run_noise_floor
from studio.store import has_files, store_of
from studio.tradeoffs.question import Question
from studio.tradeoffs.view import View
from studio.words import Point


@dataclass(frozen=True)
class Chance:
    """What chance gives for one setting.

    Attributes:
        level: 95 % of rearranged rows stay below; None while unknown.
        is_pending: whether it is being measured.
        words: what to say about it.
    """

    level: float | None
    is_pending: bool
    words: str


def chance_of(question: Question, view: View, point: Point) -> Chance:
    """Chance on the test rows of a setting's first run; unknown where only scores are kept.

    Every setting has its own: a gap between mean predictions is smaller by chance, too, when
    predictions hardly differ.
    """
    if not view.fairness.has_noise_floor:
        return Chance(None, False, "")
    if view.split != "test":
        return Chance(None, False, "What chance alone would give is measured on test rows only.")
    readable = readable_runs(question, point)
    if not readable:
        return Chance(None, False, "")
    run = readable[0]
    job = _measure(run, view.fairness.name, question.sweep_of(run))
    if not job.done():
        return Chance(None, True, "Measuring what chance alone would give …")
    return _known(job, point)


def readable_runs(question: Question, point: Point) -> list[str]:
    """The runs of a setting whose predictions can be read."""
    return [str(run) for run in point["runs"] if has_files(question.sweep_of(run), run)]


def _known(job: "Future[NoiseFloor]", point: Point) -> Chance:
    if job.exception() is not None:
        return Chance(None, False, "What chance alone would give could not be measured.")
    floor = job.result()
    title = method_looks([point["method"]])[point["method"]].title
    setting = f" at {point['words']}" if point["words"] else ""
    share = f"{100 * floor.share:.0f} %"
    return Chance(
        floor.upper,
        False,
        "The grey band is what chance alone gives: with sensitive values dealt out at random, "
        f"{share} of {floor.n_permutations} trials stay below {floor.upper:.3g} (for "
        f"{title}{setting}; other settings have their own).",
    )


@st.cache_resource(max_entries=512, show_spinner=False)
def _measure(run: str, score: str, _sweep: str) -> "Future[NoiseFloor]":
    # Started at the first call and kept. The store is asked for here: the worker is no viewer.
    return _worker().submit(run_noise_floor, store_of(_sweep), run, score)


@st.cache_resource(show_spinner=False)
def _worker() -> ThreadPoolExecutor:
    # One at a time: viewers come before bands.
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="noise-floor")
