"""Keeps small files from becoming huge ones in memory (archives made to explode)."""

import gzip
import io
import zipfile
import zlib
from typing import BinaryIO

from frem_core.datasets.tables.source import OpenedFile, size_text
from frem_core.errors import DataError

MAX_CELLS = 200_000_000
MAX_COLUMNS = 10_000
_MAX_MEMBERS = 10_000
# Spreadsheets and number tables shrink 5 to 30 times; only artificial files shrink far more.
_MAX_RATIO = 250
_RATIO_MATTERS_FROM = 32 * 1024**2


class BoundedStream(io.RawIOBase):
    """Reads a file, unpacking gzip, and stops with a DataError at a limit.

    The limit is checked while bytes arrive: what a file says about its own size is not trusted.
    """

    def __init__(self, opened: OpenedFile, max_bytes: int, *, packed: bool) -> None:
        super().__init__()
        opened.file.seek(0)
        self._opened = opened
        self._stream: BinaryIO | gzip.GzipFile = opened.file
        if packed:
            self._stream = gzip.GzipFile(fileobj=opened.file, mode="rb")
        self._packed = packed
        self._max_bytes = max_bytes
        self._n_bytes = 0

    def readable(self) -> bool:
        """Says that reading is possible."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fills the buffer and counts."""
        try:
            data = self._stream.read(len(buffer))
        except (EOFError, OSError, zlib.error) as error:
            raise DataError(f"'{self._opened.name}' is damaged; save it again.") from error
        buffer[: len(data)] = data
        self._n_bytes += len(data)
        if self._packed:
            _check_expansion(self._opened, self._n_bytes, self._max_bytes)
        return len(data)

    @property
    def fraction(self) -> float:
        """How much of the file has been read, 0 to 1."""
        return min(self._opened.file.tell() / max(self._opened.size, 1), 1.0)


def check_zip_expansion(opened: OpenedFile, max_bytes: int) -> None:
    """Refuses a zip-based file (Excel) that would unpack to too much, before unpacking it.

    Declared sizes can be trusted here: `zipfile` never reads beyond them.
    """
    with zipfile.ZipFile(opened.file) as archive:
        members = archive.infolist()
        if len(members) > _MAX_MEMBERS:
            raise _too_big(opened, f"holds {len(members):,} parts")
        _check_expansion(opened, sum(member.file_size for member in members), max_bytes)
        for member in members:
            if member.filename.endswith((".xml", ".rels")):
                with archive.open(member) as part:
                    if b"<!DOCTYPE" in part.read(2048):
                        raise _too_big(opened, "defines its own XML entities")
    opened.file.seek(0)


def check_cells(name: str, n_rows: int, n_columns: int, max_cells: int = MAX_CELLS) -> None:
    """Refuses a table with more cells or columns than can be worked with."""
    if n_columns > MAX_COLUMNS:
        raise DataError(
            f"'{name}' has {n_columns:,} columns; the limit is {MAX_COLUMNS:,}. "
            "Keep the columns you need."
        )
    if n_rows * n_columns > max_cells:
        raise DataError(
            f"'{name}' has {n_rows:,} rows × {n_columns:,} columns; the limit is "
            f"{max_cells:,} cells. Take a sample of its rows or keep fewer columns."
        )


def _check_expansion(opened: OpenedFile, n_bytes: int, max_bytes: int) -> None:
    if n_bytes > max_bytes:
        raise _too_big(opened, f"unpacks to more than {size_text(max_bytes)}")
    if n_bytes > _RATIO_MATTERS_FROM and n_bytes > _MAX_RATIO * opened.size:
        raise _too_big(opened, f"unpacks to more than {_MAX_RATIO} times its size")


def _too_big(opened: OpenedFile, what: str) -> DataError:
    return DataError(
        f"'{opened.name}' ({size_text(opened.size)}) {what}, so it was refused unopened. "
        "If you trust it, unpack it yourself and save it as CSV or Parquet."
    )
