"""German credit as a similarity graph: who is a good risk, with age as sensitive attribute."""

from typing import Any

import numpy as np

from frem_core.datasets.bunch import to_bunch
from frem_core.datasets.catalogue import DatasetCard, read_builtin_table, register_dataset
from frem_core.datasets.dataset import Dataset
from frem_core.datasets.encoding import FeatureEncoding
from frem_core.datasets.graphs.graph import Graph
from frem_core.datasets.graphs.similarity import similarity_edges

TARGET, SENSITIVE = "credit_risk", "age"
THRESHOLD = 0.8

DESCRIPTION = (
    "German credit: 1,000 people who asked a German bank for a credit, joined where they resemble "
    "each other. The target is a good credit risk; the sensitive attribute is age in years. "
    "Source: UCI Machine Learning Repository, CC BY 4.0; "
    "Hofmann, H. (1994), doi:10.24432/C5NC77."
)


def german_dataset(*, threshold: float = THRESHOLD) -> Dataset:
    """German credit with a graph that joins people of similar features.

    Args:
        threshold: how similar two people must be to be joined, see `similarity_edges`. Age and
            target have no part in it.
    """
    table = read_builtin_table("german.parquet")
    features = table.drop(columns=[TARGET, SENSITIVE])
    rows = np.arange(len(table))
    # Numbers scaled to [0, 1] and 0/1 columns, so that no single feature decides who is alike.
    encoded = FeatureEncoding.fit(features, rows).transform(features)
    graph = Graph(len(table), similarity_edges(encoded, threshold=threshold))
    alone = int((graph.degrees == 0).sum())
    joined = f"{graph.n_edges:,} pairs of similar people are joined (threshold {threshold:g})."
    return Dataset(
        name="german",
        features=features,
        target=np.where(table[TARGET] == "good", 1.0, 0.0),
        sensitive=table[SENSITIVE].to_numpy(dtype=np.float64),
        task="classification",
        target_name=TARGET,
        sensitive_name=SENSITIVE,
        class_names=("bad", "good"),
        notes=(joined, *([f"{alone:,} people have no edge."] if alone else [])),
        description=DESCRIPTION,
        graph=graph,
    )


def fetch_german(
    *,
    as_frame: bool = True,
    return_X_y: bool = False,
    encode: bool = True,
    threshold: float = THRESHOLD,
) -> Any:
    """Returns German credit in scikit-learn's style; no network is used.

    Args:
        as_frame: pandas objects instead of NumPy arrays.
        return_X_y: only ``(data, target)``.
        encode: categories as 0/1 columns.
        threshold: how similar two people must be to be joined.

    Returns:
        A Bunch with ``data``, ``target`` (1 = good risk), ``sensitive_features`` (age in years),
        ``edges`` (E, 2), ``feature_names`` and ``DESCR``; or the pair ``(data, target)``.

    >>> fetch_german().edges.shape[1]
    2
    """
    dataset = german_dataset(threshold=threshold)
    return to_bunch(dataset, as_frame=as_frame, return_X_y=return_X_y, encode=encode)


register_dataset(
    DatasetCard(
        name="german",
        title="German credit: risk and age, as a graph",
        description=(
            "1,000 bank customers, joined where they resemble each other: credit risk, with age "
            "as the sensitive attribute."
        ),
        question="Can credit risk be predicted on a graph without following a person's age?",
        load=german_dataset,
    )
)
