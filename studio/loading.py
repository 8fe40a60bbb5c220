"""Datasets and what is calculated from them, shared by all viewers of one server."""

import numpy as np
import pandas as pd
import streamlit as st

from frem_core.audit import QuantileGroups, quantile_groups, rank_dependence
from frem_core.datasets import Dataset, DatasetSpec
from frem_core.words import in_units
from studio.chart import forget_kept
from studio.choice import Choice
from studio.tables import find_table, shown_dates, the_tables


def load_described(spec: DatasetSpec) -> Dataset:
    """Loads a dataset the viewer may see; it is shared, so nobody may change it."""
    for table in filter(None, (spec.table, spec.edge_table)):
        find_table(table)  # what is kept for all viewers is not for all to see
    return _load(spec)


@st.cache_resource(max_entries=4, ttl="2h", show_spinner="Loading the dataset …")
def _load(spec: DatasetSpec) -> Dataset:
    return spec.load(the_tables())


def load_choice(choice: Choice) -> Dataset:
    """Loads what a viewer chose, whatever notion of fairness it is judged by."""
    return load_described(choice.data)


# The description stands for the data: hashing a large frame would look at some of its rows only.
@st.cache_data(max_entries=64, show_spinner="Measuring how columns depend on the attribute …")
def ranking_of(spec: DatasetSpec, _dataset: Dataset) -> pd.DataFrame:
    """Features of a dataset by their dependence on S."""
    return rank_dependence(_dataset.features, _dataset.sensitive)


@st.cache_resource(max_entries=64, show_spinner=False)
def groups_of(spec: DatasetSpec, _dataset: Dataset, n_groups: int) -> QuantileGroups:
    """Quantile groups of S of a dataset."""
    return quantile_groups(_dataset.sensitive, n_groups)


@st.cache_data(max_entries=64, show_spinner=False)
def columns_of(spec: DatasetSpec, _dataset: Dataset) -> pd.DataFrame:
    """One row per feature: its type, distinct values, gaps and range or most frequent value."""
    rows = []
    for name, column in _dataset.features.items():
        numeric = pd.api.types.is_numeric_dtype(column)
        is_date = _dataset.kinds.get(str(name)) == "date"
        known = column.dropna()
        if known.empty:
            content = ""
        elif numeric:
            ends = pd.Series([known.min(), known.max()], dtype=np.float64)
            shown = shown_dates(pd.to_datetime(ends, unit="D")) if is_date else ends.map(_in_short)
            content = " to ".join(shown)
        else:
            content = f"mostly {known.mode().iloc[0]}"
        rows.append(
            {
                "column": name,
                "type": "date" if is_date else "number" if numeric else "category",
                "distinct values": column.nunique(),
                "missing": int(column.isna().sum()),
                "content": content,
            }
        )
    return pd.DataFrame(rows)


def _in_short(value: float) -> str:
    return in_units(value, 4)


def forget_loaded() -> None:
    """Lets go of what is held in memory, after a table was forgotten."""
    columns_of.clear()
    forget_kept()
    _load.clear()
    ranking_of.clear()
    groups_of.clear()
