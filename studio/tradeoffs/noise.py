"""How large a fairness score is by chance alone, measured in the background."""

from concurrent.futures import Future, ThreadPoolExecutor

import streamlit as st

from frem_core.errors import FremError
from frem_core.evaluation import get_score
from frem_core.evaluation.evaluate import MAX_ROWS
from frem_core.evaluation.subset import random_rows
from frem_core.metrics import NoiseFloor, noise_floor
from frem_core.store import Store
from frem_core.sweeps import load_predictions, load_representations
from studio.store import store_of

# Slow scores get fewer rearrangements: a band on a chart needs no third digit.
_PERMUTATIONS, _SLOW_PERMUTATIONS = 100, 20


def chance_level(sweep: str, run: str, score: str) -> "Future[NoiseFloor]":
    """The floor of a score on the test rows of a run; started at the first call, then kept."""
    return _measure(run, score, sweep)


@st.cache_resource(max_entries=512, show_spinner=False)
def _measure(run: str, score: str, _sweep: str) -> "Future[NoiseFloor]":
    # The store is asked for here: the worker is no viewer.
    return _worker().submit(_floor, store_of(_sweep), run, score)


@st.cache_resource(show_spinner=False)
def _worker() -> ThreadPoolExecutor:
    # One at a time: viewers come before bands.
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="noise-floor")


def _floor(store: Store, run: str, score: str) -> NoiseFloor:
    metric = get_score(score)
    table = load_predictions(store, run)
    some = random_rows(len(table), MAX_ROWS if metric.slow_on_many_rows else None, 0)
    s = table["s"].to_numpy()[some]
    if metric.measures == "representation":
        rows, z = load_representations(store, run)
        if len(rows) != len(table):
            raise FremError("The files of the run do not match each other.")
        return noise_floor(metric, z[some], sensitive_features=s, n_permutations=_SLOW_PERMUTATIONS)
    return noise_floor(
        metric,
        table["y"].to_numpy()[some],
        table["p"].to_numpy()[some],
        sensitive_features=s,
        n_permutations=_SLOW_PERMUTATIONS if metric.slow_on_many_rows else _PERMUTATIONS,
    )
