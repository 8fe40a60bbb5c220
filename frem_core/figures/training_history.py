"""How losses moved while models were trained."""

import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.layout import lay_out
from frem_core.figures.palette import SERIES
from frem_core.figures.plain_text import plain_text


def training_history_figure(
    history: pd.DataFrame, *, value: str, value_title: str, series: str = "run", height: int = 280
) -> go.Figure:
    """Draws one quantity over epochs, one line per run.

    Args:
        history: columns ``epoch``, the one named by ``value``, and the one named by ``series``.
        value: what to draw, e.g. ``"task_loss"``.
        value_title: title of the y axis.
        series: column that tells the lines apart.
        height: in pixels.

    Example:
        >>> table = pd.DataFrame({"epoch": [1, 2], "run": "seed 0", "task_loss": [0.5, 0.4]})
        >>> figure = training_history_figure(table, value="task_loss", value_title="loss")
        >>> figure.data[0].name
        'seed 0'
    """
    figure = go.Figure()
    for number, (name, rows) in enumerate(history.groupby(series, sort=False)):
        colour, _, dash = SERIES[number % len(SERIES)]
        figure.add_scatter(
            x=rows["epoch"],
            y=rows[value],
            mode="lines",
            name=plain_text(name),
            line={"color": colour, "dash": dash, "width": 2},
            hovertemplate="epoch %{x}: %{y:.4~g}<extra>%{fullData.name}</extra>",
        )
    many = history[series].nunique() > 1
    return lay_out(figure, x_title="epoch", y_title=value_title, height=height, legend=many)
