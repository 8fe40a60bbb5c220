"""Built-in datasets, simulated data, and any table or graph a user brings.

What a model is trained on is there at once; what reads files is loaded at first use, since the core
of the package does without the libraries for it.
"""

from typing import TYPE_CHECKING

from frem_core.datasets.dataset import Dataset
from frem_core.datasets.encoding import FeatureEncoding
from frem_core.datasets.graphs import Graph, GraphFeatures, NodeFeatures
from frem_core.datasets.graphs.graph import homophily
from frem_core.datasets.preparation import Part, PreparedData, prepare
from frem_core.datasets.scaling import AttributeScales, MinMax
from frem_core.datasets.splits import Split, repeated_splits, split_dataset
from frem_core.extras import lazy_names

if TYPE_CHECKING:
    from frem_core.datasets.adult import fetch_adult as fetch_adult
    from frem_core.datasets.catalogue import DatasetCard as DatasetCard
    from frem_core.datasets.catalogue import add_dataset as add_dataset
    from frem_core.datasets.catalogue import addable_datasets as addable_datasets
    from frem_core.datasets.catalogue import available_datasets as available_datasets
    from frem_core.datasets.catalogue import column_words as column_words
    from frem_core.datasets.catalogue import dataset_card as dataset_card
    from frem_core.datasets.catalogue import known_datasets as known_datasets
    from frem_core.datasets.catalogue import load_dataset as load_dataset
    from frem_core.datasets.catalogue import register_dataset as register_dataset
    from frem_core.datasets.county_murders import fetch_county_murders as fetch_county_murders
    from frem_core.datasets.crime import fetch_crime as fetch_crime
    from frem_core.datasets.dataset_spec import DatasetSpec as DatasetSpec
    from frem_core.datasets.gaussian import make_gaussian as make_gaussian
    from frem_core.datasets.german import fetch_german as fetch_german
    from frem_core.datasets.graphs.join_edges import NodeIds as NodeIds
    from frem_core.datasets.graphs.load_graph import load_graph as load_graph
    from frem_core.datasets.graphs.load_graph import tables_to_graph as tables_to_graph
    from frem_core.datasets.graphs.read_edges import read_edges as read_edges
    from frem_core.datasets.graphs.similarity import similarity_edges as similarity_edges
    from frem_core.datasets.michigan_schools import fetch_michigan_schools as fetch_michigan_schools
    from frem_core.datasets.pokec import fetch_pokec as fetch_pokec
    from frem_core.datasets.pokec import pokec_dataset as pokec_dataset
    from frem_core.datasets.pokec import pokec_tables as pokec_tables
    from frem_core.datasets.rand_health import fetch_rand_health as fetch_rand_health
    from frem_core.datasets.retirement_savings import (
        fetch_retirement_savings as fetch_retirement_savings,
    )
    from frem_core.datasets.social_graph import make_social_graph as make_social_graph
    from frem_core.datasets.social_graph import social_graph_dataset as social_graph_dataset
    from frem_core.datasets.tables import load_table as load_table
    from frem_core.datasets.tables import read_table as read_table
    from frem_core.datasets.tables import table_to_dataset as table_to_dataset

_HOMES = {
    "DatasetCard": "catalogue",
    "DatasetSpec": "dataset_spec",
    "NodeIds": "graphs.join_edges",
    "add_dataset": "catalogue",
    "addable_datasets": "catalogue",
    "available_datasets": "catalogue",
    "column_words": "catalogue",
    "dataset_card": "catalogue",
    "fetch_adult": "adult",
    "fetch_county_murders": "county_murders",
    "fetch_crime": "crime",
    "fetch_german": "german",
    "fetch_michigan_schools": "michigan_schools",
    "fetch_pokec": "pokec",
    "fetch_rand_health": "rand_health",
    "fetch_retirement_savings": "retirement_savings",
    "known_datasets": "catalogue",
    "load_dataset": "catalogue",
    "load_graph": "graphs.load_graph",
    "load_table": "tables",
    "make_gaussian": "gaussian",
    "make_social_graph": "social_graph",
    "pokec_dataset": "pokec",
    "pokec_tables": "pokec",
    "read_edges": "graphs.read_edges",
    "read_table": "tables",
    "register_dataset": "catalogue",
    "similarity_edges": "graphs.similarity",
    "social_graph_dataset": "social_graph",
    "table_to_dataset": "tables",
    "tables_to_graph": "graphs.load_graph",
}

__all__ = [
    "AttributeScales",
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

__getattr__ = lazy_names(__name__, _HOMES)
