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
# Number tables shrink 5 to 30 times, the wordy XML of workbooks more; only artificial files shrink
# further than this.
_MAX_RATIO = {"gzip": 100, "zip": 250}
_RATIO_MATTERS_FROM = 32 * 1024**2
# A random 0 or 1 takes a bit, so 8 fit into a byte; what packs far more says almost nothing, and
# takes some 20 bytes of memory for each of its cells.
_MAX_CELLS_PER_BYTE = 20
_CELLS_MATTER_FROM = 20_000_000


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
            _check_expansion(self._opened, self._n_bytes, self._max_bytes, "gzip")
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
        unpacked = sum(member.file_size for member in members)
        _check_expansion(opened, unpacked, max_bytes, "zip")
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


def check_packed_cells(opened: OpenedFile, n_cells: int) -> None:
    """Refuses a packed table with far more cells than its bytes can say something about."""
    if n_cells > _CELLS_MATTER_FROM and n_cells > _MAX_CELLS_PER_BYTE * opened.size:
        raise _too_big(opened, f"holds more than {_MAX_CELLS_PER_BYTE} cells a byte")


def _check_expansion(opened: OpenedFile, n_bytes: int, max_bytes: int, packing: str) -> None:
    if n_bytes > max_bytes:
        raise _too_big(opened, f"unpacks to more than {size_text(max_bytes)}")
    ratio = _MAX_RATIO[packing]
    if n_bytes > _RATIO_MATTERS_FROM and n_bytes > ratio * opened.size:
        raise _too_big(opened, f"unpacks to more than {ratio} times its size")


def _too_big(opened: OpenedFile, what: str) -> DataError:
    return DataError(
        f"'{opened.name}' ({size_text(opened.size)}) {what}, so it was refused unopened. "
        "If you trust it, unpack it yourself and save it as CSV or Parquet."
    )
