"""The distribution of the predictions of several runs over groups of the sensitive attribute."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from frem_core.figures.layout import lay_out
from frem_core.figures.plain_text import plain_text
from frem_core.figures.run_look import RunLook


def prediction_boxes(
    runs: Sequence[tuple[RunLook, pd.DataFrame]],
    *,
    sensitive_name: str,
    prediction_title: str,
    height: int = 400,
) -> go.Figure:
    """Draws one box per group and run, the runs of a group side by side.

    Args:
        runs: look and table of each run, as :func:`frem_core.audit.box_statistics` returns.
        sensitive_name: name of S.
        prediction_title: what is predicted, on the y axis; shown as text.
        height: in pixels.
    """
    figure = go.Figure()
    for place, (look, table) in enumerate(runs):
        figure.add_box(
            x=[plain_text(group) for group in table["group"]],
            lowerfence=table["lower_whisker"],
            q1=table["q1"],
            median=table["median"],
            q3=table["q3"],
            upperfence=table["upper_whisker"],
            mean=table["mean"],
            boxmean=True,
            name=look.title,
            offsetgroup=str(place),
            line={"color": look.colour, "width": 2},
            fillcolor=look.tint,
            whiskerwidth=0.5,
        )
    figure.update_xaxes(type="category")
    lay_out(
        figure,
        x_title=f"group by {plain_text(sensitive_name)}",
        y_title=f"{plain_text(prediction_title)} (alike is fair)",
        height=height,
        legend=True,
    )
    return figure.update_layout(boxmode="group", boxgap=0.25, boxgroupgap=0.15)
