"""Tables that users brought, kept in their own data folder under the hash of their content."""

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from frem_core.errors import DataError
from frem_core.home import data_home

TABLE_PREFIX: Final = "table-"
_ID: Final = re.compile(r"[0-9a-f]{20}")
_NAME_KEY: Final = b"frem_table_name"
_SAMPLE_ROWS: Final = 10_000


@dataclass(frozen=True)
class KeptTable:
    """A table on disk.

    Attributes:
        id: 20 hexadecimal digits of the uploaded file's SHA-256.
        name: file name as the user gave it.
        rows: number of rows.
        columns: number of columns.
        kept_at: when it was kept, UTC.
    """

    id: str
    name: str
    rows: int
    columns: int
    kept_at: datetime


def tables_folder() -> Path:
    """The folder of kept tables; only its owner can look into it."""
    folder = data_home() / "tables"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def keep_table(frame: pd.DataFrame, *, table_id: str, name: str) -> None:
    """Writes a table so that it is either wholly there or not at all."""
    table = _as_arrow(frame)
    table = table.replace_schema_metadata({**(table.schema.metadata or {}), _NAME_KEY: name})
    with private_file(_path(table_id)) as file:
        pq.write_table(table, file, compression="zstd", row_group_size=_SAMPLE_ROWS * 10)


def find_table(table_id: str) -> KeptTable:
    """What is known of a kept table without reading its rows.

    Raises:
        DataError: no such table is kept (any more).
    """
    path = _path(table_id)
    try:
        details = pq.read_metadata(path)
        kept_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, pa.ArrowException) as error:
        raise DataError(
            "This table is not kept on this computer (any more). Upload the file again or choose "
            "another dataset."
        ) from error
    name = (details.metadata or {}).get(_NAME_KEY, b"table").decode("utf-8", "replace")
    return KeptTable(table_id, name, details.num_rows, len(pq.read_schema(path).names), kept_at)


def is_kept(table_id: str) -> bool:
    """Whether a table with this id is there."""
    try:
        find_table(table_id)
    except DataError:
        return False
    return True


def kept_tables() -> list[KeptTable]:
    """All kept tables, newest first."""
    ids = [path.stem for path in tables_folder().glob("*.parquet") if _ID.fullmatch(path.stem)]
    found = []
    for table_id in ids:
        # Another viewer may forget a table while we look.
        with contextlib.suppress(DataError):
            found.append(find_table(table_id))
    return sorted(found, key=lambda table: table.kept_at, reverse=True)


def load_frame(table_id: str) -> pd.DataFrame:
    """Reads a kept table."""
    find_table(table_id)
    frame: pd.DataFrame = pq.read_table(_path(table_id)).to_pandas()
    return frame


def load_sample(table_id: str) -> pd.DataFrame:
    """Reads the first rows of a kept table, enough to guess what its columns are."""
    find_table(table_id)
    with pq.ParquetFile(_path(table_id)) as file:
        batches = file.iter_batches(batch_size=_SAMPLE_ROWS)
        first = next(batches, None)
        sample: pd.DataFrame = (
            file.schema_arrow.empty_table().to_pandas()
            if first is None
            else pa.Table.from_batches([first]).to_pandas()
        )
    return sample


def forget_table(table_id: str) -> None:
    """Deletes a kept table; nothing happens when it is not there."""
    _path(table_id).unlink(missing_ok=True)


@contextlib.contextmanager
def private_file(path: Path) -> Iterator[BinaryIO]:
    """A file that only its owner can read and that appears under its name when complete."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    descriptor = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _path(table_id: str) -> Path:
    # The id comes from an address anyone can type; it must not lead out of the folder.
    if not _ID.fullmatch(table_id):
        raise DataError(
            "The address names no table: an id has 20 digits and letters a–f. Upload the file "
            "again or choose another dataset."
        )
    return tables_folder() / f"{table_id}.parquet"


def _as_arrow(frame: pd.DataFrame) -> pa.Table:
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        # Spreadsheets may hold text and numbers in one column: such a column is text.
        mixed = frame.select_dtypes(include="object").columns
        texts = {name: frame[name].map(str, na_action="ignore").astype("str") for name in mixed}
        return pa.Table.from_pandas(frame.assign(**texts), preserve_index=False)
