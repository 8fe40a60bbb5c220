"""Datasets and what is calculated from them, shared by all viewers of one server."""

from typing import cast

import pandas as pd
import streamlit as st

from frem_core.audit import QuantileGroups, quantile_groups, rank_dependence
from frem_core.datasets import Dataset, load_dataset
from frem_core.datasets.tables.table_to_dataset import tidy_table_to_dataset
from frem_core.datasets.tables.target_column import TaskChoice
from studio.choice import Choice
from studio.tables import find_table, load_frame


@st.cache_resource(max_entries=4, ttl="2h", show_spinner="Loading the dataset …")
def load_choice(choice: Choice) -> Dataset:
    """Loads a complete choice; the dataset is shared, so nobody may change it."""
    if choice.table_id is None:
        return load_dataset(choice.dataset)
    frame = load_frame(choice.table_id)
    used = {choice.target, choice.sensitive, *choice.leave_out}
    # Kept tables come from read_table; tidying them again would cost far more than the rest.
    return tidy_table_to_dataset(
        frame,
        target=choice.target or "",
        sensitive=choice.sensitive or "",
        features=[name for name in frame.columns if name not in used] if choice.leave_out else None,
        task=cast(TaskChoice, choice.task),
        positive_class=None,
        name=find_table(choice.table_id).name,
    )


# The choice stands for the data: hashing large frames would look at a sample of their rows only.
@st.cache_data(max_entries=64, show_spinner="Measuring how columns depend on the attribute …")
def ranking_of(choice: Choice, _dataset: Dataset) -> pd.DataFrame:
    """Features of a dataset by their dependence on S."""
    return rank_dependence(_dataset.features, _dataset.sensitive)


@st.cache_resource(max_entries=64, show_spinner=False)
def groups_of(choice: Choice, _dataset: Dataset, n_groups: int) -> QuantileGroups:
    """Quantile groups of S of a dataset."""
    return quantile_groups(_dataset.sensitive, n_groups)


def forget_loaded(choice: Choice) -> None:
    """Lets go of a dataset whose table was forgotten."""
    load_choice.clear()
    ranking_of.clear()
    groups_of.clear()
