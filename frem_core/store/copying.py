"""Takes finished runs over from one store into another."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select, update

from frem_core.store.rows import in_batches
from frem_core.store.schema import RunState, artefacts, datasets, epochs, runs
from frem_core.store.store import Store
from frem_core.store.transitions import changed_rows

Row = dict[str, Any]


def copy_finished_runs(
    source: Store,
    target: Store,
    names: Sequence[str],
    *,
    with_file: Callable[[str, str], bool] = lambda run, kind: True,
    with_curves: bool = True,
) -> list[str]:
    """Copies finished runs with scores, curves and files; to the target they are finished too.

    What the target has finished or is training stays as it is. A run that only waits there, or
    failed, becomes the finished one, also in the sweeps that hold it.

    Args:
        source: where the runs are.
        target: where they go.
        names: their identities; what ``source`` has not finished is passed over.
        with_file: whether the file of this kind of this run is copied too.
        with_curves: whether the record of every epoch is copied too.

    Returns:
        The runs that were copied.
    """
    settled = [RunState.DONE, RunState.RUNNING]
    known = target.runs.states(names)
    missing = [name for name in names if known.get(name) not in settled]
    found = {row["id"]: row for row in _rows(source, runs, "id", missing)}
    found = {name: row for name, row in found.items() if row["state"] == RunState.DONE}
    described = _rows(source, datasets, "hash", sorted({row["dataset"] for row in found.values()}))
    curves = _rows(source, epochs, "run", list(found)) if with_curves else []
    files = [
        row
        for row in _rows(source, artefacts, "run", list(found))
        if with_file(row["run"], row["kind"])
    ]
    for row in files:  # complete on disk before a row names them
        target.artefacts.put(row["kind"], source.artefacts.read(row["run"], row["kind"]))

    def write(connection: Connection) -> list[str]:
        target._database.lock_within(connection, "claim")  # nobody takes one of them meanwhile
        for row in described:
            connection.execute(target._database.insert_missing(datasets).values(row))
        copied = []
        for name, row in found.items():
            # A run that is done takes no more parts, so it becomes that at the very end.
            unfinished = row | {"state": RunState.RUNNING}
            connection.execute(
                target._database.insert_missing(runs).values(row | {"state": RunState.QUEUED})
            )
            open_row = update(runs).where(runs.c.id == name, runs.c.state.not_in(settled))
            if changed_rows(connection, open_row.values(unfinished)):
                copied.append(name)
        for table, rows in ((epochs, curves), (artefacts, files)):
            for some in in_batches(copied):
                connection.execute(delete(table).where(table.c.run.in_(some)))
            wanted = [row for row in rows if row["run"] in set(copied)]
            if wanted:
                connection.execute(insert(table), wanted)
        for some in in_batches(copied):
            done = update(runs).where(runs.c.id.in_(some)).values(state=RunState.DONE)
            connection.execute(done)
        return copied

    return target._database.write(write)


def _rows(store: Store, table: Table, column: str, values: Sequence[str]) -> list[Row]:
    def read(connection: Connection) -> list[Row]:
        found: list[Row] = []
        for some in in_batches(values):
            query = select(table).where(table.c[column].in_(some))
            found += [dict(row._mapping) for row in connection.execute(query)]
        return found

    return store._database.read(read)
