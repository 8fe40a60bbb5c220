"""Which runs to compare. The address holds the choice; widgets only show and change it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

import pandas as pd
import streamlit as st

from frem_core.evaluation import available_scores, get_score
from frem_core.figures import plain_text, shown_text
from frem_core.figures.run_titles import run_titles
from frem_core.metrics import Metric
from frem_core.words import counted
from studio.chart import kept
from studio.compare.catalogue import (
    find_runs,
    finished_runs,
    short_id,
    task_of,
    usual_prediction,
)
from studio.compare.comparable import MOST, first_picks, matched_picks
from studio.guard import show_error
from studio.words import sweep_title

_MODES: Final = {"own": "My own picks", "matched": "At equal accuracy"}
_SHOWN: Final = "compare-shown"
# What belongs to one choice of runs and makes no sense for another.
_OF_THE_CHOICE: Final = ("run", "match", "score", "walk")


@dataclass(frozen=True, eq=False)
class Picked:
    """The runs to compare.

    Attributes:
        runs: one row each, in the order to show.
        known: all finished runs of the sweep, the picked ones among them.
        offered: those that can be picked: the ones with more than scores.
        matched: whether all but the first follow the first one's accuracy.
    """

    runs: pd.DataFrame
    known: pd.DataFrame
    offered: pd.DataFrame
    matched: bool


def show_chooser(sweeps: pd.DataFrame) -> Picked:
    """Draws the choice of sweep, mode and runs."""
    given, known = _read_address(sweeps)
    matched = "match" in st.query_params
    st.session_state["compare-mode"] = "matched" if matched else "own"
    left, right = st.columns([3, 2], gap="large")
    with left:
        _show_sweeps(sweeps, str(known["sweep"].iloc[0]))
    right.segmented_control(
        "Compare",
        list(_MODES),
        format_func=_MODES.__getitem__,
        required=True,
        key="compare-mode",
        on_change=_take_mode,
        help="At equal accuracy: choose one run; of every other method the run that predicts most "
        "nearly as well is put beside it, so that only fairness differs.",
    )
    offered = known[known["has_files"] | known["id"].isin(given["id"])].reset_index(drop=True)
    picks = _show_matched(given, offered) if matched else _show_own(given, offered)
    st.session_state[_SHOWN] = [short_id(run) for run in picks["id"]]
    return Picked(picks, known, offered, matched)


def _read_address(sweeps: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The runs in the address (those of the sweep by default) and all that can be picked."""
    parameters = st.query_params
    ids = list(sweeps["id"])
    names = parameters.get_all("match")[:1] or parameters.get_all("run")
    wanted = parameters.get("sweep", "")
    search = sorted(ids, key=lambda sweep: sweep != wanted)
    given, unknown = find_runs(names[: MOST * 2], search)
    if unknown:
        st.warning(
            "The address names runs that are not finished or not in the store any more: "
            + ", ".join(plain_text(name, longest=12) for name in unknown)
            + ".",
            icon=":material/link_off:",
        )
    if wanted and wanted not in ids and given.empty:
        show_error(
            f"There is no sweep '{shown_text(wanted, longest=40)}' here; it may have been deleted. "
            "Another one is shown."
        )
    sweep = wanted if wanted in ids else str(given["sweep"].iloc[0]) if len(given) else ids[0]
    known = finished_runs(sweep)
    if given.empty:
        given = first_picks(known[known["has_files"]])
        _write(given["id"].head(1) if "match" in parameters else given["id"], sweep=sweep)
    elif wanted != sweep:
        parameters["sweep"] = sweep
    known = pd.concat([known, given[~given["id"].isin(known["id"])]], ignore_index=True)
    return given, known


def _show_sweeps(sweeps: pd.DataFrame, current: str) -> None:
    names = {
        str(row.id): sweep_title(row, counted(cast(int, row.done), "finished run"))
        for row in sweeps.itertuples()
    }
    st.session_state["compare-sweep"] = current
    st.selectbox(
        "Sweep",
        list(names),
        format_func=names.__getitem__,
        key="compare-sweep",
        on_change=_take_sweep,
        help="The trainings to choose from. Runs of several sweeps can be compared when they were "
        "tested on the same rows: pick some, change the sweep in the address, pick more.",
    )


def _show_own(given: pd.DataFrame, known: pd.DataFrame) -> pd.DataFrame:
    titles = dict(zip(known["id"], kept(run_titles, known), strict=True))
    picks = given.head(MOST)
    st.session_state["compare-runs"] = list(picks["id"])
    st.multiselect(
        "Runs to compare",
        list(titles),
        format_func=titles.__getitem__,
        max_selections=MOST,
        key="compare-runs",
        on_change=_take_runs,
        placeholder="Choose two or more runs",
        help="λ is the fairness weight. Runs must have been tested on the same rows: the same "
        "dataset and, where every seed draws its own split, the same seed.",
    )
    return picks


def _show_matched(given: pd.DataFrame, known: pd.DataFrame) -> pd.DataFrame:
    titles = dict(zip(known["id"], kept(run_titles, known), strict=True))
    reference = given.iloc[0]
    wide, narrow = st.columns([3, 2], gap="large")
    st.session_state["compare-reference"] = str(reference["id"])
    wide.selectbox(
        "Run to match",
        list(titles),
        format_func=titles.__getitem__,
        key="compare-reference",
        on_change=_take_reference,
    )
    metric = _match_score(known)
    names = available_scores(task_of(known), "prediction")
    scores = {name: get_score(name).axis_symbol for name in names}
    st.session_state["compare-score"] = metric.name
    narrow.selectbox(
        "Equal in",
        list(scores),
        format_func=scores.__getitem__,
        key="compare-score",
        on_change=_take_score,
        help="The prediction score in which the runs should be equal, on the test rows.",
    )
    return matched_picks(known, reference, metric)


def _match_score(known: pd.DataFrame) -> Metric:
    named = st.query_params.get("score", "")
    is_known = named in available_scores(task_of(known), "prediction")
    return get_score(named) if is_known else usual_prediction(known)


def _write(runs: Iterable[str], **more: str) -> None:
    key = "match" if "match" in st.query_params else "run"
    st.query_params[key] = [short_id(run) for run in runs]
    st.query_params.update(more)


def _take_sweep() -> None:
    for name in _OF_THE_CHOICE:
        st.query_params.pop(name, None)
    st.query_params["sweep"] = st.session_state["compare-sweep"]


def _take_mode() -> None:
    shown = list(st.session_state.get(_SHOWN, []))
    for name in _OF_THE_CHOICE:
        st.query_params.pop(name, None)
    if st.session_state["compare-mode"] == "matched":
        st.query_params["match"] = shown[min(1, len(shown) - 1)]
    else:
        st.query_params["run"] = shown


def _take_runs() -> None:
    chosen = st.session_state["compare-runs"]
    st.query_params.pop("walk", None)
    if chosen:
        st.query_params["run"] = [short_id(run) for run in chosen]
    else:
        st.query_params.pop("run", None)


def _take_reference() -> None:
    st.query_params["match"] = short_id(st.session_state["compare-reference"])


def _take_score() -> None:
    st.query_params["score"] = st.session_state["compare-score"]
