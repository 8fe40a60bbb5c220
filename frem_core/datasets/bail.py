"""Bail: defendants joined where they resemble each other, with age as sensitive attribute."""

from dataclasses import replace
from pathlib import Path

from frem_core.datasets.added_files import AddedFiles
from frem_core.datasets.catalogue import DatasetCard, register_dataset
from frem_core.datasets.dataset import Dataset
from frem_core.datasets.graphs.load_graph import tables_to_graph
from frem_core.datasets.graphs.read_edges import read_edges
from frem_core.datasets.tables.read_table import read_table

TARGET, SENSITIVE = "RECID", "AGE"
# Months until a person came back, which tells the target; and a part of the study.
LEFT_OUT = ("TIME", "FILE")

FILES = AddedFiles(
    dataset="bail",
    folder="bail",
    names=("nodes.csv", "edges.npz"),
    origin=(
        "They are the graph benchmark of NIFTY (Agarwal, C., Lakkaraju, H. and Zitnik, M., 2021): "
        "a node table, and a SciPy matrix of its edges."
    ),
)


def bail_dataset(folder: Path | None = None) -> Dataset:
    """The Bail graph.

    Args:
        folder: where its files lie; by default those of ``frem datasets add bail FOLDER``.
    """
    files = FILES.find("nodes.csv").parent if folder is None else folder
    nodes = read_table(files / "nodes.csv")
    dataset = tables_to_graph(
        nodes.drop(columns=[name for name in LEFT_OUT if name in nodes.columns]),
        read_edges(files / "edges.npz"),
        target=TARGET,
        sensitive=SENSITIVE,
        name="bail",
        edges_name="edges.npz",
    )
    left_out = f"Left out: {' and '.join(LEFT_OUT)}; the first is known only after the outcome."
    return replace(
        dataset,
        notes=(*dataset.notes, left_out),
        description=(
            "Bail: defendants released in the United States, joined where they resemble each "
            "other. The target is a return to custody; the sensitive attribute is age in months."
        ),
    )


register_dataset(
    DatasetCard(
        name="bail",
        title="Bail: return to custody and age, as a graph",
        description=(
            "18,876 defendants, joined where they resemble each other: return to custody, judged "
            "over age."
        ),
        question="Can a return to custody be predicted without following a person's age?",
        load=bail_dataset,
        files=FILES,
    )
)
