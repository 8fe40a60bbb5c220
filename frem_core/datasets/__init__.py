"""Built-in datasets, simulated data and any table a user brings."""

from frem_core.datasets.adult import fetch_adult
from frem_core.datasets.catalogue import (
    DatasetCard,
    available_datasets,
    dataset_card,
    load_dataset,
    register_dataset,
)
from frem_core.datasets.crime import fetch_crime
from frem_core.datasets.dataset import Dataset
from frem_core.datasets.encoding import FeatureEncoder
from frem_core.datasets.gaussian import make_gaussian
from frem_core.datasets.preparation import Part, PreparedData, prepare
from frem_core.datasets.scaling import MinMax
from frem_core.datasets.splits import Split, repeated_splits, split_dataset
from frem_core.datasets.tables import load_table, read_table, table_to_dataset

__all__ = [
    "Dataset",
    "DatasetCard",
    "FeatureEncoder",
    "MinMax",
    "Part",
    "PreparedData",
    "Split",
    "available_datasets",
    "dataset_card",
    "fetch_adult",
    "fetch_crime",
    "load_dataset",
    "load_table",
    "make_gaussian",
    "prepare",
    "read_table",
    "register_dataset",
    "repeated_splits",
    "split_dataset",
    "table_to_dataset",
]
