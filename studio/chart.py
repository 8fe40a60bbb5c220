"""A chart with its table and its download."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from frem_core.figures import spreadsheet_csv
from studio.picture_download import offer_picture

_TOOLBAR = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "png", "scale": 2},
}


def chart(
    figure: go.Figure,
    table: pd.DataFrame,
    *,
    key: str,
    alt: str,
    file_name: str,
    selectable: bool = False,
) -> list[dict[str, Any]]:
    """Shows a figure; the numbers behind it are one click away, and CSV, PNG and HTML to keep.

    Args:
        figure: what to draw, from ``frem_core.figures``.
        table: the numbers it was drawn from.
        key: unique on the page.
        alt: what a reader who cannot see the chart should know: what it shows and its main point.
        file_name: of the download, without ending.
        selectable: whether a click on a point selects it and reruns the page (or fragment).

    Returns:
        The selected points as Plotly describes them (``customdata`` included); empty without any.
    """
    config = {**_TOOLBAR, "toImageButtonOptions": {"filename": file_name, "scale": 2}}
    selected: list[dict[str, Any]] = []
    if selectable:
        event = st.plotly_chart(
            figure, key=key, alt=alt, config=config, on_select="rerun", selection_mode="points"
        )
        selected = list(event["selection"]["points"])
    else:
        st.plotly_chart(figure, key=key, alt=alt, config=config)
    with st.expander("Table and downloads", icon=":material/table:", key=f"{key}-table"):
        st.dataframe(table, hide_index=True, alt=f"Numbers behind: {alt}")
        with st.container(horizontal=True):
            st.download_button(
                "Download as CSV",
                data=lambda: spreadsheet_csv(table),
                file_name=f"{file_name}.csv",
                mime="text/csv",
                key=f"{key}-csv",
                on_click="ignore",
                icon=":material/download:",
            )
            offer_picture(key)
            st.download_button(
                "Download chart as HTML",
                data=lambda: figure.to_html(include_plotlyjs=True, full_html=True),
                file_name=f"{file_name}.html",
                mime="text/html",
                key=f"{key}-html",
                on_click="ignore",
                icon=":material/download:",
            )
    return selected
