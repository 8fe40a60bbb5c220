"""Runs that cannot stand side by side: why, and what can."""

import pandas as pd
import streamlit as st

from frem_core.figures import plain_text
from studio.compare.catalogue import short_id
from studio.compare.chooser import Picked
from studio.compare.settings_of import on_split_of, run_titles


def show_refusal(reason: str, picked: Picked) -> None:
    """Draws the reason and a way on."""
    st.error(
        plain_text(reason, longest=None),
        title="These runs cannot be compared",
        icon=":material/block:",
    )
    instead = comparable_instead(picked.runs, picked.offered)
    titles = ", ".join(plain_text(title) for title in run_titles(instead, picked.known))
    st.markdown(f"Tested on the same rows as the first one: {titles}.")
    st.button(
        "Compare these instead",
        type="primary",
        icon=":material/compare_arrows:",
        key="compare-instead",
        on_click=_take,
        args=([short_id(run) for run in instead["id"]],),
    )


def comparable_instead(runs: pd.DataFrame, known: pd.DataFrame) -> pd.DataFrame:
    """Each run, or the run with its settings that was tested on the rows of the first."""
    first = runs.iloc[0]
    found = [on_split_of(known, run, first).head(1) for _, run in runs.iterrows()]
    return pd.concat(found).drop_duplicates("id").reset_index(drop=True)


def _take(runs: list[str]) -> None:
    st.query_params["run"] = runs
