"""Built-in datasets, simulated data, and any table or graph a user brings."""

from frem_core.datasets.adult import fetch_adult
from frem_core.datasets.catalogue import (
    DatasetCard,
    add_dataset,
    addable_datasets,
    available_datasets,
    column_words,
    dataset_card,
    known_datasets,
    load_dataset,
    register_dataset,
)
from frem_core.datasets.county_murders import fetch_county_murders
from frem_core.datasets.crime import fetch_crime
from frem_core.datasets.dataset import Dataset
from frem_core.datasets.dataset_spec import DatasetSpec
from frem_core.datasets.encoding import FeatureEncoding
from frem_core.datasets.gaussian import make_gaussian
from frem_core.datasets.german import fetch_german
from frem_core.datasets.graphs import Graph, GraphFeatures, NodeFeatures
from frem_core.datasets.graphs.graph import homophily
from frem_core.datasets.graphs.join_edges import NodeIds
from frem_core.datasets.graphs.load_graph import load_graph, tables_to_graph
from frem_core.datasets.graphs.read_edges import read_edges
from frem_core.datasets.graphs.similarity import similarity_edges
from frem_core.datasets.michigan_schools import fetch_michigan_schools
from frem_core.datasets.pokec import fetch_pokec, pokec_dataset, pokec_tables
from frem_core.datasets.preparation import Part, PreparedData, prepare
from frem_core.datasets.rand_health import fetch_rand_health
from frem_core.datasets.retirement_savings import fetch_retirement_savings
from frem_core.datasets.scaling import MinMax
from frem_core.datasets.social_graph import make_social_graph, social_graph_dataset
from frem_core.datasets.splits import Split, repeated_splits, split_dataset
from frem_core.datasets.tables import load_table, read_table, table_to_dataset

__all__ = [
    "Dataset",
    "DatasetCard",
    "DatasetSpec",
    "FeatureEncoding",
    "Graph",
    "GraphFeatures",
    "MinMax",
    "NodeFeatures",
    "NodeIds",
    "Part",
    "PreparedData",
    "Split",
    "add_dataset",
    "addable_datasets",
    "available_datasets",
    "column_words",
    "dataset_card",
    "fetch_adult",
    "fetch_county_murders",
    "fetch_crime",
    "fetch_german",
    "fetch_michigan_schools",
    "fetch_pokec",
    "fetch_rand_health",
    "fetch_retirement_savings",
    "homophily",
    "known_datasets",
    "load_dataset",
    "load_graph",
    "load_table",
    "make_gaussian",
    "make_social_graph",
    "pokec_dataset",
    "pokec_tables",
    "prepare",
    "read_edges",
    "read_table",
    "register_dataset",
    "repeated_splits",
    "similarity_edges",
    "social_graph_dataset",
    "split_dataset",
    "table_to_dataset",
    "tables_to_graph",
]
