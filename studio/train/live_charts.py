"""The charts of a sweep that fill while it is trained: the trade-off and the training curves."""

from typing import Final

import pandas as pd
import streamlit as st

from frem_core.figures import method_looks, pareto_fronts_figure
from frem_core.figures.front_points import constant_of, front_points
from frem_core.figures.run_titles import WEIGHT
from frem_core.figures.training_curves import curve_table, training_curves_figure
from frem_core.metrics import usual_metric
from frem_core.words import counted
from studio.chart import chart, kept
from studio.store import names_of, store_of
from studio.style import is_dark
from studio.verdicts import first_fairness

_MOST_CURVES: Final = 8
_FRONT_HEIGHT: Final = 590
_CURVES_HEIGHT: Final = 520


def show_front(runs: pd.DataFrame) -> None:
    """Draws the trade-off of the runs that are finished so far."""
    is_over = not runs["state"].isin(["queued", "running"]).any()
    st.header("Trade-off" if is_over else "Trade-off so far", anchor=False)
    first = runs.iloc[0]
    prediction = usual_metric(first["config.task"])
    fairness = first_fairness(runs)
    finished = runs[runs["state"] == "done"]  # what is under way changes with every look
    points = kept(front_points, finished, prediction=prediction.name, fairness=fairness.name)
    if points.empty:
        st.caption("The first point appears when the first run is finished.")
        return
    done, methods = len(finished), points["method"].nunique()
    figure = kept(
        pareto_fronts_figure,
        points,
        prediction="prediction",
        fairness="fairness",
        prediction_title=prediction.axis_title,
        fairness_title=fairness.axis_title,
        constant=constant_of(points),
        dark=is_dark(),
        height=_FRONT_HEIGHT,
    )
    chart(
        figure,
        _front_table(points),
        key="train-front",
        alt=f"{prediction.label} against {fairness.label.lower()} on test rows for "
        f"{counted(done, 'finished run')} of {counted(methods, 'method')}; further up and "
        "further left is better.",
        file_name="trade-off",
    )


def _front_table(points: pd.DataFrame) -> pd.DataFrame:
    titles = {name: look.title for name, look in method_looks(points["method"]).items()}
    shown = points.drop(columns=["point", "runs"])
    return shown.assign(method=points["method"].map(titles))


def show_curves(sweep: str, runs: pd.DataFrame) -> None:
    """Draws loss and penalty of the chosen runs, or of those that say most."""
    st.header("Loss and penalty", anchor=False)
    names = names_of(sweep)
    chosen = st.multiselect(
        "Runs in the curves",
        list(names),
        format_func=names.__getitem__,
        key=f"curves-{sweep}",
        max_selections=_MOST_CURVES,
        placeholder="The weakest and strongest λ of each method",
    )
    picked = chosen or automatic_runs(runs)
    histories = {run: store_of(sweep).runs.history(run) for run in picked}
    if not any(len(history) for history in histories.values()):
        st.caption("The curves begin with the first epoch.")
        return
    methods = dict(zip(runs["id"], runs["method"], strict=True))
    chart(
        kept(
            training_curves_figure,
            histories,
            names={run: names[run] for run in histories},
            methods=methods,
            dark=is_dark(),
            height=_CURVES_HEIGHT,
        ),
        curve_table(histories, names),
        key="train-curves",
        alt=f"Prediction loss and unfairness penalty by epoch of {counted(len(picked), 'run')}: "
        f"{'; '.join(names[run] for run in picked)}.",
        file_name="training-curves",
    )
    st.caption(
        "Penalties of different methods measure different things: compare a line with itself, "
        "not with another method's."
    )


def automatic_runs(runs: pd.DataFrame) -> list[str]:
    """Of each method the weakest and the strongest λ of its newest seed that has begun."""
    begun = runs[runs["epoch"] > 0]
    picked: list[str] = []
    for _, own in begun.groupby("method", sort=False):
        newest = own.sort_values("started_at", kind="stable")["seed"].iloc[-1]
        latest = own[own["seed"] == newest]
        ordered = latest.sort_values(WEIGHT, kind="stable")["id"]
        picked += list(dict.fromkeys([str(ordered.iloc[0]), str(ordered.iloc[-1])]))
    return picked[:_MOST_CURVES]
