"""The area each variant's front covers, as a table."""

import pandas as pd
import streamlit as st

from frem_core.figures import spreadsheet_csv

_HELP = (
    "The area of the chart that a front dominates, measured from the worst scores of any run: "
    "one number for a whole trade-off, larger is better. Intervals are 95 % bootstrap intervals "
    "over seeds; differences are judged seed by seed."
)


def show_areas(comparison: pd.DataFrame, *, key: str, file_name: str) -> None:
    """Draws the table with its download.

    Args:
        comparison: as :func:`frem_core.ablations.compare_variants` returns.
        key: unique on the page.
        file_name: of the download, without ending.
    """
    first = comparison["title"].iloc[0]
    st.markdown("**How much each front covers**", help=_HELP)
    others = comparison["variant"] != comparison["variant"].iloc[0]
    compared = f"Compared with {first}"
    table = pd.DataFrame(
        {
            "Variant": comparison["title"],
            "Area": comparison["area"],
            compared: 100 * comparison["share"].where(others),
            "from": 100 * comparison["share_low"].where(others),
            "to": 100 * comparison["share_high"].where(others),
            "Seeds": comparison["seeds"],
            "Fairness weights": comparison["settings"],
        }
    )
    numbers = {"Area": st.column_config.NumberColumn(format="%.5f")} | {
        name: st.column_config.NumberColumn(format="%+.1f %%") for name in (compared, "from", "to")
    }
    st.dataframe(
        table,
        hide_index=True,
        column_config=numbers,
        placeholder="–",
        key=key,
        alt="Area that the front of each variant covers, and how it compares with the first.",
    )
    st.download_button(
        "Download this table",
        data=lambda: spreadsheet_csv(table),
        file_name=f"{file_name}.csv",
        mime="text/csv",
        key=f"{key}-csv",
        on_click="ignore",
        icon=":material/download:",
    )
