"""Opens what a user hands over: a path or an uploaded file, never more than the limit."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from frem_core.errors import DataError, did_you_mean

MAX_BYTES = 1024**3

FileSource = str | os.PathLike[str] | BinaryIO


@dataclass(frozen=True)
class OpenedFile:
    """A seekable binary file with the name to use in messages."""

    name: str
    file: BinaryIO
    size: int

    def head(self, n_bytes: int) -> bytes:
        """The first bytes; the position is at the start afterwards."""
        self.file.seek(0)
        data = self.file.read(n_bytes)
        self.file.seek(0)
        return data


@contextmanager
def open_source(source: FileSource, max_bytes: int = MAX_BYTES) -> Iterator[OpenedFile]:
    """Opens a path or a binary file object after checking its size.

    A file object stays open and is left at its start. One that cannot seek is copied first.

    Raises:
        DataError: there is no such file, it is empty, unreadable or above the limit.
    """
    if hasattr(source, "read"):
        file = _seekable(cast(BinaryIO, source), max_bytes)
        name = Path(str(getattr(source, "name", None) or "the uploaded file")).name
        try:
            yield _checked(OpenedFile(name, file, file.seek(0, io.SEEK_END)), max_bytes)
        finally:
            file.seek(0)
        return
    path = _existing_path(source)
    try:
        file = path.open("rb")
    except OSError as error:
        raise DataError(f"'{path}' cannot be opened: {error.strerror or error}.") from error
    with file:
        yield _checked(OpenedFile(path.name, file, os.fstat(file.fileno()).st_size), max_bytes)


def size_text(n_bytes: float) -> str:
    """A size in words: ``"12.3 MB"``."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= size:
            return f"{n_bytes / size:.3g} {unit}"
    return f"{n_bytes:.0f} bytes"


def _checked(opened: OpenedFile, max_bytes: int) -> OpenedFile:
    if opened.size > max_bytes:
        raise DataError(
            f"'{opened.name}' has {size_text(opened.size)}; the limit is {size_text(max_bytes)}. "
            "Take a sample of its rows, or raise max_bytes."
        )
    if not opened.size:
        raise DataError(f"'{opened.name}' is empty; save the table again.")
    opened.file.seek(0)
    return opened


def _existing_path(source: object) -> Path:
    if not isinstance(source, str | os.PathLike):
        raise DataError(
            f"A table is a path, an open binary file or a DataFrame, not {type(source).__name__}."
        )
    if str(source).startswith(("http://", "https://", "ftp://", "s3://")):
        raise DataError(f"'{source}' is an address; download the file and pass its path.")
    try:
        path = Path(source).expanduser()
        if path.is_file():
            return path
        exists = path.exists()
        siblings = [item.name for item in path.parent.iterdir()] if path.parent.is_dir() else []
    except (OSError, RuntimeError, ValueError) as error:
        raise DataError(f"'{source}' is not a usable path: {error}.") from error
    if exists:
        raise DataError(f"'{path}' is not a file; pass the path of one table.")
    raise DataError(f"There is no file '{path}'." + did_you_mean(path.name, siblings))


def _seekable(file: BinaryIO, max_bytes: int) -> BinaryIO:
    try:
        file.seek(0)
        probe = file.read(0)
    except (OSError, ValueError, AttributeError):
        probe = file.read(max_bytes + 1)
        file = io.BytesIO(probe if isinstance(probe, bytes) else b"")
    if not isinstance(probe, bytes):
        raise DataError("The file is open as text; open it in binary mode ('rb').")
    return file
