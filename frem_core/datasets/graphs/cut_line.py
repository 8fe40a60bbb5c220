"""Finds out whether a text file was cut off in the middle of its last line."""

import io
from typing import BinaryIO, Literal

from frem_core.errors import ConfigError

CutLine = Literal["refuse", "skip"]
_CHUNK = 64 * 1024


def check_cut_line(choice: str) -> None:
    """Refuses an unknown choice."""
    if choice not in ("refuse", "skip"):
        raise ConfigError(f"partial_last_line is 'refuse' or 'skip', not {choice!r}.")


def no_line_break(name: str) -> str:
    """What to note on a last line that looks whole, though its end cannot be seen."""
    return f"The last line of '{name}' has no line break after it and was read as it stands."


def last_line(file: BinaryIO, size: int) -> tuple[int, bytes]:
    """Returns where the line after the last line break starts, and the line.

    A file that ends in a line break has nothing after it: (size, b"").
    """
    tail, start = b"", size
    while start > 0 and b"\n" not in tail:
        start = max(0, start - _CHUNK)
        file.seek(start)
        tail = file.read(size - start)
    file.seek(0)
    offset = start + tail.rfind(b"\n") + 1 if b"\n" in tail else 0
    return offset, tail[offset - start :]


def without_last_line(file: BinaryIO, size: int) -> tuple[BinaryIO, bytes]:
    """Returns the file up to its last line break, and the line that was left out."""
    offset, line = last_line(file, size)
    return io.BytesIO(file.read(offset)), line
