"""Tables that users brought: kept under their hash, listed with their size, deleted on request."""

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final, Literal

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from frem_core.errors import DataError
from frem_core.store.errors import explain_disk
from frem_core.store.files import make_private_folder, write_atomically

_DIGITS: Final = 20
_ID: Final = re.compile(rf"[0-9a-f]{{{_DIGITS}}}")
_NAME_KEY: Final = b"frem_table_name"
_KIND_KEY: Final = b"frem_table_kind"
TableKind = Literal["table", "edges"]
_SAMPLE_ROWS: Final = 10_000


@dataclass(frozen=True)
class KeptTable:
    """A table on disk.

    Attributes:
        id: the first 20 hexadecimal digits of the SHA-256 of the file it came from.
        name: file name as the user gave it.
        kind: ``"table"``, or ``"edges"`` for the edge list of a graph.
        rows: number of rows.
        columns: number of columns.
        size: bytes it takes.
        kept_at: when it was kept, UTC.
    """

    id: str
    name: str
    kind: TableKind
    rows: int
    columns: int
    size: int
    kept_at: datetime


class Tables:
    """Tables as Parquet files in one folder that only their owner may look into.

    No database is involved: what is listed is what lies in the folder of this machine.

    Args:
        folder: where they lie; made on first use.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(
        self, frame: pd.DataFrame, *, table_id: str, name: str, kind: TableKind = "table"
    ) -> KeptTable:
        """Writes a table so that it is either wholly there or not at all.

        Args:
            frame: as `frem_core.datasets.read_table` gives it.
            table_id: what :func:`table_id_of` says about the file it came from.
            name: the file name the user knows.
            kind: what it is.
        """
        table = _as_arrow(frame)
        about = {_NAME_KEY: name, _KIND_KEY: kind}
        table = table.replace_schema_metadata({**(table.schema.metadata or {}), **about})
        path, seal = self.path(table_id), self._seal(table_id)
        try:
            make_private_folder(self.folder)
            # Without a seal a table is taken as it is; a wrong one would call it damaged.
            seal.unlink(missing_ok=True)
            with _private_file(path) as file:
                pq.write_table(table, file, compression="zstd", row_group_size=_SAMPLE_ROWS * 10)
            with _private_file(seal) as file:
                file.write(_digest(path).encode())
        except OSError as error:
            raise explain_disk(error, path) from error
        return self.find(table_id)

    def find(self, table_id: str) -> KeptTable:
        """What is known of a kept table without reading its rows.

        Raises:
            DataError: no such table is kept (any more).
        """
        path = self.path(table_id)
        try:
            details = pq.read_metadata(path)
            status = path.stat()
        except (OSError, pa.ArrowException) as error:
            raise DataError(
                f"The table {table_id} is not kept on this computer (any more). Give the file "
                "again or choose another dataset."
            ) from error
        about = details.metadata or {}
        return KeptTable(
            id=table_id,
            name=about.get(_NAME_KEY, b"table").decode("utf-8", "replace"),
            kind="edges" if about.get(_KIND_KEY) == b"edges" else "table",
            rows=details.num_rows,
            columns=len(pq.read_schema(path).names),
            size=status.st_size,
            kept_at=datetime.fromtimestamp(status.st_mtime, UTC),
        )

    def check(self, table_id: str) -> None:
        """Raises a DataError unless a kept table is, to the bit, what was written."""
        kept = self.find(table_id)
        seal = self._seal(table_id)
        if seal.is_file() and _digest(self.path(table_id)) != seal.read_text().strip():
            raise DataError(
                f"The kept table '{kept.name}' ({table_id}) is damaged: its file is not what was "
                "written. Give the file again; runs trained on it keep their scores."
            )

    def read_bytes(self, table_id: str) -> bytes:
        """Returns the Parquet file of a kept table; a DataError when it is gone or damaged."""
        self.check(table_id)
        return self.path(table_id).read_bytes()

    def restore(self, table_id: str, content: bytes) -> None:
        """Keeps a table again that :meth:`read_bytes` gave, for example from a backup."""
        path, seal = self.path(table_id), self._seal(table_id)
        seal.unlink(missing_ok=True)
        write_atomically(path, [content])
        write_atomically(seal, [hashlib.sha256(content).hexdigest().encode()])

    def list(self) -> "list[KeptTable]":
        """Returns all kept tables, newest first."""
        found = []
        for path in self.folder.glob("*.parquet"):
            # Another process may delete a table while we look.
            with suppress(DataError):
                found.append(self.find(path.stem))
        return sorted(found, key=lambda table: table.kept_at, reverse=True)

    def load(self, table_id: str) -> pd.DataFrame:
        """Reads a kept table; a DataError when it is gone or damaged."""
        self.check(table_id)
        frame: pd.DataFrame = pq.read_table(self.path(table_id)).to_pandas()
        return frame

    def column_names(self, table_id: str) -> tuple[str, ...]:
        """The columns of a kept table, without reading its rows; a DataError when it is gone."""
        self.find(table_id)
        return tuple(str(name) for name in pq.read_schema(self.path(table_id)).names)

    def load_sample(self, table_id: str) -> pd.DataFrame:
        """Reads the first rows of a kept table, enough to guess what its columns are."""
        self.check(table_id)
        with pq.ParquetFile(self.path(table_id)) as file:
            first = next(file.iter_batches(batch_size=_SAMPLE_ROWS), None)
            sample: pd.DataFrame = (
                file.schema_arrow.empty_table().to_pandas()
                if first is None
                else pa.Table.from_batches([first]).to_pandas()
            )
        return sample

    def delete(self, table_id: str) -> None:
        """Deletes a kept table for good; runs trained on it keep their scores.

        Nothing happens when it is not there.
        """
        path = self.path(table_id)
        try:
            path.unlink(missing_ok=True)
            self._seal(table_id).unlink(missing_ok=True)
        except OSError as error:
            raise explain_disk(error, path) from error

    def size(self) -> int:
        """Returns how many bytes all kept tables take."""
        return sum(table.size for table in self.list())

    def path(self, table_id: str) -> Path:
        """Returns where a table lies or would lie; a DataError when the id is none."""
        # The id may come from an address anyone can type; it must not lead out of the folder.
        if not _ID.fullmatch(table_id):
            raise DataError(
                f"'{table_id[:40]}' names no table: an id has {_DIGITS} digits and letters a–f. "
                "Give the file again or choose another dataset."
            )
        return self.folder / f"{table_id}.parquet"

    def _seal(self, table_id: str) -> Path:
        """The file that holds the SHA-256 of the kept one."""
        return self.path(table_id).with_suffix(".sha256")


def table_id_of(content: bytes | memoryview | Path) -> str:
    """Returns the id under which the table in a file is kept."""
    if not isinstance(content, Path):
        return hashlib.sha256(content).hexdigest()[:_DIGITS]
    try:
        return _digest(content)[:_DIGITS]
    except OSError as error:
        raise DataError(f"'{content}' cannot be opened: {error.strerror or error}.") from error


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _private_file(path: Path) -> Iterator[BinaryIO]:
    """A file that only its owner can read and that appears under its name when complete."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    descriptor = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _as_arrow(frame: pd.DataFrame) -> pa.Table:
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        # Spreadsheets may hold text and numbers in one column: such a column is text.
        mixed = frame.select_dtypes(include="object").columns
        texts = {name: frame[name].map(str, na_action="ignore").astype("str") for name in mixed}
        return pa.Table.from_pandas(frame.assign(**texts), preserve_index=False)
