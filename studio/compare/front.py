"""Where the compared runs stand among all trained runs of their split."""

import pandas as pd
from plotly.basedatatypes import BaseTraceType

from frem_core.figures.front_points import front_points
from frem_core.figures.pareto_fronts import pareto_fronts_figure
from studio.chart import chart
from studio.compare.chooser import Picked
from studio.compare.score_names import usual_fairness, usual_prediction
from studio.compare.settings_of import same_test_rows
from studio.theme import is_dark

_HEIGHT = 380


def show_front(picked: Picked, titles: list[str]) -> None:
    """Draws accuracy against unfairness with a ring around every compared run."""
    beside = picked.known[same_test_rows(picked.known, picked.runs.iloc[0])]
    prediction, fairness = usual_prediction(beside), usual_fairness(beside)
    points = front_points(beside, prediction=prediction.name, fairness=fairness.name)
    if points.empty:
        return
    chosen = set(picked.runs["id"])
    marked = [
        point
        for point, runs in zip(points["point"], points["runs"], strict=True)
        if chosen & set(runs)
    ]
    figure = pareto_fronts_figure(
        points,
        prediction="prediction",
        fairness="fairness",
        prediction_title=f"{prediction.axis_symbol} ({prediction.direction})",
        fairness_title=f"{fairness.axis_symbol} ({fairness.direction})",
        marked=marked,
        dark=is_dark(),
        height=_HEIGHT,
    )
    figure.update_traces(name="compared here", selector=_is_ring)
    chart(
        figure,
        _table(points, marked),
        key="compare-front",
        alt="Prediction score against unfairness of all runs on these test rows; rings mark "
        + ", ".join(titles)
        + ".",
        file_name="where-they-stand",
    )


def _is_ring(trace: BaseTraceType) -> bool:
    return bool(trace.mode == "markers" and trace.marker.symbol == "circle-open")


def _table(points: pd.DataFrame, marked: list[str]) -> pd.DataFrame:
    columns = ["method", "words", "prediction", "fairness", "seeds", "on_front"]
    return points[columns].assign(compared=points["point"].isin(marked))
