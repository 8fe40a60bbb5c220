"""Datasets and what is calculated from them, shared by all viewers of one server."""

import pandas as pd
import streamlit as st

from frem_core.audit import QuantileGroups, quantile_groups, rank_dependence
from frem_core.datasets import Dataset
from frem_core.sweeps import DatasetSpec
from studio.choice import Choice
from studio.tables import column_names


def dataset_spec(choice: Choice) -> DatasetSpec:
    """A complete choice as a sweep names its dataset."""
    if choice.table_id is None:
        return DatasetSpec(name=choice.dataset)
    used = {choice.target, choice.sensitive, choice.node_id, *choice.leave_out}
    features = tuple(name for name in column_names(choice.table_id) if name not in used)
    return DatasetSpec(
        table=choice.table_id,
        target=choice.target,
        sensitive=choice.sensitive,
        # Left to the library, columns that only number the rows are dropped and that is said.
        features=features if choice.leave_out else None,
        task=choice.task,
        positive_class=choice.positive,
        edge_table=choice.edges,
        id=choice.node_id,
    )


def load_choice(choice: Choice) -> Dataset:
    """Loads a complete choice; the dataset is shared, so nobody may change it."""
    return _load(choice.data)


@st.cache_resource(max_entries=4, ttl="2h", show_spinner="Loading the dataset …")
def _load(choice: Choice) -> Dataset:
    return dataset_spec(choice).load()


# The choice stands for the data: hashing large frames would look at a sample of their rows only.
@st.cache_data(max_entries=64, show_spinner="Measuring how columns depend on the attribute …")
def ranking_of(choice: Choice, _dataset: Dataset) -> pd.DataFrame:
    """Features of a dataset by their dependence on S."""
    return rank_dependence(_dataset.features, _dataset.sensitive)


@st.cache_resource(max_entries=64, show_spinner=False)
def groups_of(choice: Choice, _dataset: Dataset, n_groups: int) -> QuantileGroups:
    """Quantile groups of S of a dataset."""
    return quantile_groups(_dataset.sensitive, n_groups)


def forget_loaded() -> None:
    """Lets go of what is held in memory, after a table was forgotten."""
    _load.clear()
    ranking_of.clear()
    groups_of.clear()
