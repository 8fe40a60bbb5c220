"""Puts a sweep into the store, ready to be replayed."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from frem_core.datasets import Dataset, DatasetSpec, FeatureEncoding, read_edges, read_table
from frem_core.store import DatasetRecord, Store
from frem_core.store.tables import TableKind, Tables, table_id_of
from frem_core.sweeps.bundles import planned_runs
from frem_core.sweeps.spec import SweepSpec


def submit(
    store: Store,
    spec: SweepSpec,
    dataset: Dataset | None = None,
    *,
    queued_by: str | None = None,
    most_unfinished: int | None = None,
    priority: int = 0,
) -> str:
    """Queues the runs of a sweep that are not finished yet and returns the sweep's id.

    A table given as a file is kept first, and presets are written out, so that the sweep can be
    replayed when the file has moved and the presets have changed.

    Args:
        store: where to.
        spec: what to train.
        dataset: the dataset of the spec, where the caller has loaded it already.
        queued_by: the person who asks for it, where people log in.
        most_unfinished: how many runs that person may have waiting or under way.
        priority: a higher one is trained before that person's other sweeps.

    Raises:
        FremError: the dataset cannot be loaded or used; nothing is queued.
    """
    resolved, data = _resolved(store, spec, dataset, queued_by)
    sweep = _queue(store, resolved, data, queued_by, most_unfinished)
    if priority:
        store.sweeps.prefer(sweep, priority)
    return sweep


def submit_once(
    store: Store,
    spec: SweepSpec,
    dataset: Dataset | None = None,
    *,
    queued_by: str | None = None,
    most_unfinished: int | None = None,
) -> str:
    """Like `submit`, but a sweep with exactly this description is not added a second time.

    What failed or was cancelled in it is queued again.

    Args:
        store: where to.
        spec: what to train.
        dataset: the dataset of the spec, where the caller has loaded it already.
        queued_by: the person who asks for it, where people log in.
        most_unfinished: how many runs that person may have waiting or under way.

    Returns:
        The id of the sweep that was there, or of the new one.
    """
    resolved, data = _resolved(store, spec, dataset, queued_by)
    found = _find(store, resolved)
    if found is None:
        return _queue(store, resolved, data, queued_by, most_unfinished)
    store.sweeps.resume(found)
    return found


def find_submitted(store: Store, spec: SweepSpec, dataset: Dataset | None = None) -> str | None:
    """Returns the newest sweep with exactly this description, or None; queues nothing."""
    return _find(store, _resolved(store, spec, dataset)[0])


def keep_files(spec: DatasetSpec, tables: Tables) -> DatasetSpec:
    """Keeps the tables of files, so that they can be loaded when the files have moved.

    Returns:
        The same dataset by the ids of kept tables, with its features written out.
    """
    if spec.path is not None:
        spec = replace(spec, path=None, table=_keep(tables, Path(spec.path), "table"))
    if spec.edges is not None:
        spec = replace(spec, edges=None, edge_table=_keep(tables, Path(spec.edges), "edges"))
    return spec if spec.table is None else spec.with_features(tables.column_names(spec.table))


def _keep(tables: Tables, file: Path, kind: TableKind) -> str:
    """Keeps what is in a file, unless it is kept already, and returns its id."""
    table_id = table_id_of(file)
    if table_id not in {table.id for table in tables.list() if table.kind == kind}:
        frame = read_table(file) if kind == "table" else read_edges(file)
        tables.keep(frame, table_id=table_id, name=file.name, kind=kind)
    return table_id


def _resolved(
    store: Store, spec: SweepSpec, dataset: Dataset | None, queued_by: str | None = None
) -> tuple[SweepSpec, Dataset]:
    if queued_by is not None:
        for file in filter(None, (spec.dataset.path, spec.dataset.edges)):
            store.own_table(table_id_of(Path(file)), queued_by)
    kept = replace(spec, dataset=keep_files(spec.dataset, store.tables))
    data = dataset if dataset is not None else kept.dataset.load(store.tables)
    return kept.resolved(data), data


def _find(store: Store, resolved: SweepSpec) -> str | None:
    sweeps = store.sweeps.frame()
    same_name = sweeps.loc[sweeps["name"] == resolved.name, "id"]  # newest first
    description = resolved.to_toml()
    return next((str(one) for one in same_name if store.sweeps.spec(one) == description), None)


def _queue(
    store: Store, resolved: SweepSpec, data: Dataset, queued_by: str | None, most: int | None
) -> str:
    return store.sweeps.add(
        resolved.name,
        resolved.to_toml(),
        planned_runs(resolved, data),
        [_record(resolved, data)],
        queued_by=queued_by,
        most_unfinished=most,
    )


def _record(spec: SweepSpec, data: Dataset) -> DatasetRecord:
    encoding = FeatureEncoding.fit(data.features, np.arange(data.n_rows))
    return DatasetRecord(
        hash=data.fingerprint,
        name=data.name,
        description=data.description,
        source=spec.dataset.to_dict(),
        rows=data.n_rows,
        features=len(encoding.feature_names),
    )
