"""The look all figures share."""

import plotly.graph_objects as go


def lay_out(
    figure: go.Figure, *, x_title: str, y_title: str, height: int = 360, legend: bool = False
) -> go.Figure:
    """Gives a figure its axis titles, margins and fonts; colours come from the page's theme.

    Args:
        figure: changed in place.
        x_title: what runs along x, with its unit or the direction that is better.
        y_title: the same for y.
        height: in pixels.
        legend: whether several series need names.

    Returns:
        The same figure.
    """
    return figure.update_layout(
        height=height,
        margin={"l": 8, "r": 16, "t": 24, "b": 8},
        xaxis={"title": {"text": x_title, "standoff": 12}, "automargin": True},
        yaxis={"title": {"text": y_title, "standoff": 12}, "automargin": True},
        showlegend=legend,
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0},
        hoverlabel={"align": "left"},
        bargap=0.04,
        # A constant revision keeps the reader's zoom when the same chart is drawn again.
        uirevision="keep",
    )
