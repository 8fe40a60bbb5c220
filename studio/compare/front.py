"""Where the compared runs stand among all of their split, and the slider that walks along."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from frem_core.figures import plain_text
from frem_core.figures.front_points import constant_of, front_points
from frem_core.figures.pareto_fronts import pareto_fronts_figure
from frem_core.figures.run_titles import WEIGHT, run_titles
from studio.chart import chart, kept
from studio.compare.catalogue import short_id, usual_fairness, usual_prediction
from studio.compare.chooser import Picked
from studio.compare.comparable import along_weight, same_test_rows
from studio.style import is_dark

_HEIGHT = 440
_FREM = "frem"


def show_front(picked: Picked, titles: list[str]) -> None:
    """Draws accuracy against unfairness with a ring around every compared run."""
    beside = picked.known[same_test_rows(picked.known, picked.runs.iloc[0])]
    prediction, fairness = usual_prediction(beside), usual_fairness(beside)
    points = kept(front_points, beside, prediction=prediction.name, fairness=fairness.name)
    if points.empty:
        return
    chosen = set(picked.runs["id"])
    marked = [
        point
        for point, runs in zip(points["point"], points["runs"], strict=True)
        if chosen & set(runs)
    ]
    figure = kept(
        pareto_fronts_figure,
        points,
        prediction="prediction",
        fairness="fairness",
        prediction_title=prediction.short_axis_title,
        fairness_title=fairness.short_axis_title,
        marked=marked,
        mark_title="compared here",
        constant=constant_of(points),
        dark=is_dark(),
        height=_HEIGHT,
    )
    chart(
        figure,
        _table(points, marked),
        key="compare-front",
        alt="Prediction score against unfairness of all runs on these test rows; rings mark "
        + ", ".join(titles)
        + ".",
        file_name="where-they-stand",
    )


def _table(points: pd.DataFrame, marked: list[str]) -> pd.DataFrame:
    columns = [
        "method",
        "words",
        "prediction",
        "fairness",
        "seeds",
        "on_front",
        "no_better",
        "constant",
    ]
    return points[columns].assign(compared=points["point"].isin(marked))


def show_walk(picked: Picked) -> None:
    """Draws the slider; moving it puts another run in place of the one that walks."""
    paths = _paths(picked)
    if not paths:
        st.caption(
            "For none of these runs are predictions at several fairness weights (λ) kept, so there "
            "is no front to walk along."
        )
        return
    place = _walking(paths, picked.runs)
    if len(paths) > 1:
        _show_walkers(paths, picked.runs, place)
    path = paths[place]
    weights = [float(weight) for weight in path[WEIGHT]]
    st.session_state["compare-weight"] = float(picked.runs[WEIGHT].iloc[place])
    st.select_slider(
        "Fairness weight (λ)",
        weights,
        format_func=lambda weight: f"{weight:g}",
        key="compare-weight",
        on_change=_step,
        args=(dict(zip(weights, path["id"], strict=True)), place, list(picked.runs["id"])),
        help="Walks along the trained runs of this method and seed. A larger λ asks for more "
        "fairness. All charts follow"
        + ("; the other methods stay at the nearest equal accuracy." if picked.matched else "."),
    )


def _paths(picked: Picked) -> dict[int, pd.DataFrame]:
    """The runs each pick can walk along, by its place; only the reference walks when matched."""
    paths = {}
    for place, (_, run) in enumerate(picked.runs.iterrows()):
        path = along_weight(picked.offered, run)
        if len(path) > 1 and not (picked.matched and place > 0):
            paths[place] = path
    return paths


def _walking(paths: Mapping[int, pd.DataFrame], runs: pd.DataFrame) -> int:
    given = st.query_params.get("walk", "")
    if given.isdigit() and int(given) in paths:
        return int(given)
    return next((place for place in paths if runs["method"].iloc[place] == _FREM), min(paths))


def _show_walkers(paths: Mapping[int, pd.DataFrame], runs: pd.DataFrame, place: int) -> None:
    # Without its own λ in the name, which the slider is about to change.
    titles = run_titles(runs)
    names = {number: titles[number] for number in paths}
    short = {number: name.split(",")[0] for number, name in names.items()}
    names = names if len(set(short.values())) < len(short) else short
    st.session_state["compare-walk"] = place
    st.segmented_control(
        "Run that moves",
        list(paths),
        format_func=lambda number: plain_text(names[number]),
        required=True,
        key="compare-walk",
        on_change=_take_walker,
    )


def _take_walker() -> None:
    st.query_params["walk"] = str(st.session_state["compare-walk"])


def _step(runs: Mapping[float, str], place: int, shown: list[str]) -> None:
    chosen = runs[st.session_state["compare-weight"]]
    if "match" in st.query_params:
        st.query_params["match"] = short_id(chosen)
        return
    now = [chosen if number == place else run for number, run in enumerate(shown)]
    st.query_params["run"] = [short_id(run) for run in now]
