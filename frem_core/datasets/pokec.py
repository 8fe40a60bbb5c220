"""Pokec: two regions of a Slovak social network, with age as sensitive attribute."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from frem_core.datasets.bunch import to_bunch
from frem_core.datasets.catalogue import DatasetCard, register_dataset
from frem_core.datasets.dataset import Dataset
from frem_core.datasets.graphs.edge_text import CutLine
from frem_core.datasets.graphs.load_graph import read_nodes, tables_to_graph
from frem_core.datasets.graphs.read_edges import read_edges
from frem_core.datasets.pokec_files import FILES, REGIONS, Region, pokec_files
from frem_core.datasets.tables.read_table import NOTES
from frem_core.errors import ConfigError, DataError, did_you_mean

ID, SENSITIVE = "user_id", "AGE"
PokecLabel = Literal["I_am_working_in_field", "spoken_languages_indicator"]
LABELS: tuple[PokecLabel, ...] = ("I_am_working_in_field", "spoken_languages_indicator")
MissingAge = Literal["context", "drop", "keep"]

DESCRIPTION = (
    "Pokec-{region}: people of a Slovak social network and their friendships. The target is "
    "{label}; the sensitive attribute is age in years. Source: SNAP (Takac, L. and Zabovsky, M., "
    "2012), in the selection of Dai, E. and Wang, S. (FairGNN, 2021)."
)


def pokec_tables(
    region: Region,
    path: Path | str | None = None,
    *,
    label: PokecLabel = "I_am_working_in_field",
    missing_age: MissingAge = "context",
    partial_last_line: CutLine = "refuse",
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Reads FairGNN's files into a node table and an edge table, with plain missing values.

    The label becomes 0 or 1: above 1 counts as 1, −1 (not given) as missing. An age of 0 means
    that it was not given. See `pokec_dataset` for the arguments.
    """
    _check_choice("label", label, LABELS)
    _check_choice("missing_age", missing_age, ("context", "drop", "keep"))
    node_file, edge_file = pokec_files(region, path)
    nodes = read_nodes(node_file, partial_last_line)
    for column in (ID, SENSITIVE, *LABELS):
        if column not in nodes.columns:
            raise DataError(
                f"'{node_file.name}' has no column '{column}'; give FairGNN's file of that name."
            )
    given = nodes[label].where(nodes[label] >= 0).clip(upper=1)
    nodes = nodes.assign(**{label: given.astype("Int64")})
    unknown_age = nodes[SENSITIVE] == 0
    if missing_age == "context":
        nodes[SENSITIVE] = nodes[SENSITIVE].where(~unknown_age)
    elif missing_age == "drop":
        notes = nodes.attrs.get(NOTES, ())
        nodes = nodes[~unknown_age].reset_index(drop=True)
        dropped = f"{int(unknown_age.sum()):,} people without an age were dropped."
        nodes.attrs[NOTES] = (*notes, dropped)
    return nodes, read_edges(edge_file, partial_last_line=partial_last_line)


def pokec_dataset(
    region: Region,
    path: Path | str | None = None,
    *,
    label: PokecLabel = "I_am_working_in_field",
    missing_age: MissingAge = "context",
    partial_last_line: CutLine = "refuse",
) -> Dataset:
    """Pokec-z or Pokec-n as a dataset with a graph.

    Args:
        region: ``"z"`` (``region_job.csv``, 276 features) or ``"n"`` (``region_job_2.csv``, 265).
        path: the folder with the node file and its ``…_relationship.txt``; when not given, the
            files are downloaded once into the user's data folder.
        label: the column to predict. People who do not give it stay in the graph as neighbours.
        missing_age: people without an age stay in the graph as neighbours (``"context"``), are
            dropped with their friendships (``"drop"``), or count as 0 years old (``"keep"``).
        partial_last_line: ``"skip"`` the last line of files that were cut off; by default such
            files are refused.

    Raises:
        DataError: the files are missing, cut off or not FairGNN's, or cannot be downloaded.
    """
    nodes, edges = pokec_tables(
        region,
        path,
        label=label,
        missing_age=missing_age,
        partial_last_line=partial_last_line,
    )
    dataset = tables_to_graph(
        nodes,
        edges,
        target=label,
        sensitive=SENSITIVE,
        id=ID,
        task="classification",
        name=f"pokec_{region}",
        edges_name=pokec_files(region, path)[1].name,
    )
    return replace(dataset, description=DESCRIPTION.format(region=region, label=label))


def fetch_pokec(
    region: Region = "z",
    path: Path | str | None = None,
    *,
    label: PokecLabel = "I_am_working_in_field",
    missing_age: MissingAge = "context",
    partial_last_line: CutLine = "refuse",
    as_frame: bool = True,
    return_X_y: bool = False,
) -> Any:
    """Returns Pokec in scikit-learn's style; see `pokec_dataset` for what to choose.

    Args:
        region: ``"z"`` or ``"n"``.
        path: the folder with FairGNN's files; downloaded once when not given.
        label: the column to predict.
        missing_age: what becomes of people without an age.
        partial_last_line: what becomes of a last line that was cut off.
        as_frame: pandas objects instead of NumPy arrays.
        return_X_y: only ``(data, target)``.

    Returns:
        A Bunch with ``data`` (people with label and age), ``target``, ``sensitive_features``,
        ``edges`` (E, 2; numbers from ``len(data)`` on are rows of ``context``), ``context``
        (features of people without label or age, or None) and more; or ``(data, target)``.
    """
    dataset = pokec_dataset(
        region,
        path,
        label=label,
        missing_age=missing_age,
        partial_last_line=partial_last_line,
    )
    return to_bunch(dataset, as_frame=as_frame, return_X_y=return_X_y)


def _load_added(region: Region, folder: Path | None = None) -> Dataset:
    """Pokec by name: from files that were added, never by a download nobody asked for."""
    added = FILES[region].find(FILES[region].names[0]).parent if folder is None else folder
    return pokec_dataset(region, added)


for _region in REGIONS:
    register_dataset(
        DatasetCard(
            name=f"pokec_{_region}",
            title=f"Pokec-{_region}: a social network and age",
            description=(
                "People of a Slovak social network and their friendships: the field they work in, "
                "with age as the sensitive attribute."
            ),
            question="Can a network predict people's work without following their age?",
            load=partial(_load_added, _region),
            files=FILES[_region],
            batch_size=512,  # the paper's ("Training hyperparameters")
        )
    )


def _check_choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        words = ", ".join(f"'{word}'" for word in allowed)
        hint = did_you_mean(str(value), allowed)
        raise ConfigError(f"{name} is one of {words}, not {value!r}.{hint}")
