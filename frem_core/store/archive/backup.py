"""A whole store as one file: its rows, the files of its runs and the kept tables, with hashes.

The rows are read in one transaction, so a backup may be made while sweeps run: it holds the store
of one moment. It is a SQLite store whatever the database is, so that a backup also moves a store
from one database to another.
"""

import hashlib
import json
import secrets
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Table, func, insert, select, update

from frem_core import __version__
from frem_core.store.artefacts import Artefact
from frem_core.store.errors import NewerStoreError, StoreError, explain_disk
from frem_core.store.migrate import HEAD
from frem_core.store.read_only import ReadOnlyStore
from frem_core.store.rows import in_batches
from frem_core.store.schema import RunState, artefacts, contents, leases, metadata, runs, sweeps
from frem_core.store.store import Store
from frem_core.store.transitions import FREED

_MANIFEST: Final = "manifest.json"
_ROWS: Final = "store.db"
_FORMAT: Final = 1
_BATCH: Final = 500
_Change = Callable[[str, dict[str, Any]], None]


@dataclass(frozen=True)
class Backup:
    """What a backup holds.

    Attributes:
        sweeps: how many sweeps.
        runs: how many runs.
        files: how many files of runs.
        tables: how many kept tables.
        size: its bytes.
        complaints: what could not be taken along because it is lost or damaged itself.
    """

    sweeps: int
    runs: int
    files: int
    tables: int
    size: int
    complaints: list[str] = field(default_factory=list)


def write_backup(store: Store, path: Path) -> Backup:
    """Writes everything a store holds into one file, which appears when it is complete.

    Args:
        store: what to keep; it may be in use.
        path: the file.

    Raises:
        StoreError: the disk is full, or the store cannot be read; no file is left behind.
    """
    unfinished = path.with_name(f".{path.name[:80]}.{secrets.token_hex(4)}.part")
    try:
        with tempfile.TemporaryDirectory(prefix="frem-backup-") as folder:
            copy = _copied_rows(store, Path(folder))
            with zipfile.ZipFile(unfinished, "x", allowZip64=True) as archive:
                taken = _Taken(archive)
                taken.file(_ROWS, copy.read_bytes())
                files = _take_files(store, copy.parent, taken)
                tables = _take_tables(store, taken)
                counts = _counts(ReadOnlyStore(copy.parent))
                facts = {"format": _FORMAT, "version": __version__, "schema": HEAD, **counts}
                facts |= {"made_at": time.time(), "complaints": taken.complaints}
                archive.writestr(_MANIFEST, json.dumps({**facts, "sha256": taken.hashes}, indent=1))
        unfinished.chmod(0o600)
        size = unfinished.stat().st_size
        unfinished.replace(path)
    except OSError as error:
        raise explain_disk(error, path) from error
    finally:
        unfinished.unlink(missing_ok=True)
    return Backup(**counts, files=files, tables=tables, size=size, complaints=taken.complaints)


def read_backup(path: Path, store: Store) -> Backup:
    """Puts a backup into an empty store, after checking every part of it against its hash.

    Runs that were being trained when it was made wait in the queue again.

    Args:
        path: what :func:`write_backup` wrote.
        store: an empty one.

    Raises:
        StoreError: the file is no backup, damaged or of a newer version, or the store holds runs.
    """
    if any(_counts(store).values()):
        raise StoreError(
            f"The store {store.where} holds sweeps already. Restore into an empty one: set "
            "FREM_HOME to a new folder, or FREM_STORE to a new database."
        )
    try:
        with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
            facts = _checked(archive, path)
            (Path(folder) / _ROWS).write_bytes(archive.read(_ROWS))
            rows = ReadOnlyStore(Path(folder))
            try:
                return _restored(archive, facts, rows, store, path.stat().st_size)
            finally:
                rows.close()
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError) as error:
        raise StoreError(f"{path} is no backup of FREM Studio, or damaged ({error}).") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}.") from error


@dataclass
class _Taken:
    """What goes into an archive, with its hashes."""

    archive: zipfile.ZipFile
    hashes: dict[str, str] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)

    def file(self, name: str, content: bytes) -> None:
        if name not in self.hashes:
            self.archive.writestr(name, content)
            self.hashes[name] = hashlib.sha256(content).hexdigest()


def _take_files(store: Store, copy: Path, taken: _Taken) -> int:
    rows = ReadOnlyStore(copy)
    query = select(artefacts).order_by(artefacts.c.hash)
    before = len(taken.hashes)
    for row in rows._database.read(lambda connection: connection.execute(query).all()):
        try:
            content = store.artefacts.content(row.run, Artefact(row.kind, row.hash, row.size))
        except StoreError as error:
            taken.complaints.append(str(error))
        else:
            taken.file(f"artefacts/{row.hash}", content)
    rows.close()
    return len(taken.hashes) - before


def _take_tables(store: Store, taken: _Taken) -> int:
    count = 0
    for table in store.tables.list():
        try:
            taken.file(f"tables/{table.id}.parquet", store.tables.read_bytes(table.id))
        except ValueError as error:  # a DataError: gone meanwhile, or damaged
            taken.complaints.append(str(error))
        else:
            count += 1
    return count


def _copied_rows(store: Store, folder: Path) -> Path:
    copy = Store(folder=folder)
    try:
        store._database.read_steadily(
            lambda source: copy._database.write(lambda target: _copy(source, target))
        )
    finally:
        copy.close()
    return folder / _ROWS


def _copy(
    source: Connection,
    target: Connection,
    change: Callable[[str, dict[str, Any]], None] | None = None,
) -> None:
    """Copies all rows; what is finished becomes so last, since it takes no more parts then."""
    finished: list[str] = []
    for table in metadata.sorted_tables:
        if table in (leases, contents):
            continue
        for rows in _batches(source, table):
            for row in rows:
                if change is not None:
                    change(table.name, row)
                if table is runs and row["state"] == RunState.DONE:
                    finished.append(row["id"])
                    row["state"] = RunState.QUEUED
            target.execute(insert(table), rows)
    for some in in_batches(finished):
        target.execute(update(runs).where(runs.c.id.in_(some)).values(state=RunState.DONE))


def _batches(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    for part in connection.execute(select(table)).mappings().partitions(_BATCH):
        yield [dict(row) for row in part]


def _checked(archive: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(archive.read(_MANIFEST))
    if facts["format"] != _FORMAT or facts["schema"] > HEAD:
        raise NewerStoreError(
            f"{path} was written by FREM Studio {facts['version']}, which is newer than this "
            f"({__version__}). Update FREM Studio, then restore; nothing was changed."
        )
    for name, digest in facts["sha256"].items():
        if hashlib.sha256(archive.read(name)).hexdigest() != digest:
            raise StoreError(f"{path} is damaged: {name} is not what was written.")
    return facts


def _restored(
    archive: zipfile.ZipFile, facts: dict[str, Any], rows: Store, store: Store, size: int
) -> Backup:
    count = {"artefacts": 0, "tables": 0}
    for name in facts["sha256"]:
        kind, _, called = name.partition("/")
        if kind == "artefacts":
            store.artefacts.put("restored", archive.read(name))
        elif kind == "tables":
            store.tables.restore(Path(called).stem, archive.read(name))
        if kind in count:
            count[kind] += 1

    def put_back(table: str, row: dict[str, Any]) -> None:
        if table == runs.name and row["state"] == RunState.RUNNING:
            row.update(FREED)

    rows._database.read(
        lambda source: store._database.write(lambda target: _copy(source, target, put_back))
    )
    return Backup(
        **_counts(store),
        files=count["artefacts"],
        tables=count["tables"],
        size=size,
        complaints=facts["complaints"],
    )


def _counts(store: Store) -> dict[str, int]:
    def count(connection: Connection) -> dict[str, int]:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in (sweeps, runs)
        }

    return store._database.read(count)
