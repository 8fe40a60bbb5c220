"""Reads an edge list written as text, block by block, so that a long one is noticed in time."""

import io
import re
from typing import BinaryIO, Literal, cast

import pandas as pd
import psutil
import pyarrow as pa
import pyarrow.csv as pa_csv

from frem_core.datasets.tables.source import OpenedFile
from frem_core.errors import ConfigError, DataError

CutLine = Literal["refuse", "skip"]
# Reading, numbering, sorting and the sparse matrix together peak at about this much.
BYTES_PER_EDGE = 120
_HEAD_BYTES = 64 * 1024
_COMMENTS = (b"#", b"%")
_SEPARATORS = {"\t": "tab", ",": "comma", ";": "semicolon", " ": "space"}
_LOOKED_AT = 20  # lines after the first that tell whether it is a header
_HEADING = re.compile(
    r"(source|target|from|to|src|dst|u|v|id|node|user|friend|neighbou?r|start|end|followe[er])"
    r"([_ ]?id)?[_ ]?[12]?",
    re.IGNORECASE,
)


def read_edge_text(opened: OpenedFile, limit: int, partial_last_line: CutLine) -> pd.DataFrame:
    """Returns columns source and target; what was skipped is in ``attrs["frem_notes"]``."""
    lines, separator = _first_lines(opened)
    file: BinaryIO = opened.file
    notes: list[str] = []
    offset, tail = last_line(opened.file, opened.size)
    if partial_last_line == "skip" and tail.strip():
        file, cut = without_last_line(opened.file, opened.size)
        notes.append(
            f"The last line of '{opened.name}' ({_shown(cut)}) has no end and was skipped."
        )
    elif tail.strip():
        if not _is_whole(tail, separator):
            raise DataError(
                f"'{opened.name}' ends in the middle of a line ({_shown(tail)} at byte "
                f"{offset:,}): the file was cut off. Get the whole file, or read what is there "
                "with partial_last_line='skip'."
            )
        notes.append(no_line_break(opened.name))
    skipped = lines.comments + int(_is_header(lines, separator))
    edges = _read(file, opened.name, separator, skipped, limit)
    edges.attrs["frem_notes"] = tuple(notes)
    return edges


class _Lines:
    """The first lines of a file: how many comments, and the lines after them."""

    def __init__(self, head: bytes) -> None:
        rows = head.splitlines()
        self.comments = 0
        while self.comments < len(rows) and (
            rows[self.comments].startswith(_COMMENTS) or not rows[self.comments].strip()
        ):
            self.comments += 1
        self.first, *self.others = rows[self.comments : self.comments + 1 + _LOOKED_AT] or [b""]


def _first_lines(opened: OpenedFile) -> tuple[_Lines, str]:
    head = opened.head(_HEAD_BYTES)
    lines = _Lines(head)
    first = lines.first.decode("utf-8", "replace")
    separator = next((mark for mark in _SEPARATORS if mark in first.strip()), None)
    if separator is None or b"\x00" in head:
        raise DataError(
            f"'{opened.name}' is no edge list: {_shown(lines.first)} is not two ids with a tab, "
            "comma, semicolon or space between them."
        )
    return lines, separator


def _read(file: BinaryIO, name: str, separator: str, skipped: int, limit: int) -> pd.DataFrame:
    """Reads numbers, and where some id is no whole number, text."""
    for kind in (pa.int64(), pa.string()):
        file.seek(0)
        blocks: list[pa.RecordBatch] = []
        count = 0
        try:
            for block in _blocks(file, separator, skipped, kind):
                _check_complete(block, name, count + skipped, separator)
                count += block.num_rows
                check_edge_count(name, count, limit)
                blocks.append(block)
        except (pa.ArrowException, UnicodeError) as error:
            if kind == pa.int64() and "conversion error" in str(error):
                continue
            if "Empty CSV" in str(error):
                break
            if "include_columns" in str(error):
                raise DataError(
                    f"The first line of '{name}' has one id only; give two, with one "
                    f"{_SEPARATORS[separator]} between them."
                ) from error
            raise DataError(f"'{name}' cannot be read as an edge list: {error}") from error
        if not blocks:
            break
        frame: pd.DataFrame = pa.Table.from_batches(blocks).to_pandas()
        return frame.set_axis(["source", "target"], axis=1)
    raise DataError(f"'{name}' holds no edges.")


def _blocks(
    file: BinaryIO, separator: str, skipped: int, kind: pa.DataType
) -> pa_csv.CSVStreamingReader:
    return pa_csv.open_csv(
        pa.PythonFile(file, mode="r"),
        # One thread: the file object is Python's, and other trainings may be running.
        read_options=pa_csv.ReadOptions(
            use_threads=False, skip_rows=skipped, autogenerate_column_names=True
        ),
        parse_options=pa_csv.ParseOptions(delimiter=separator),
        convert_options=pa_csv.ConvertOptions(
            include_columns=["f0", "f1"],
            column_types={"f0": kind, "f1": kind},
            null_values=[""],
            strings_can_be_null=True,
        ),
    )


def _check_complete(block: pa.RecordBatch, name: str, lines_before: int, separator: str) -> None:
    for column in block.columns:
        if column.null_count:
            place = cast(int, column.is_null().index(True).as_py()) + lines_before + 1
            raise DataError(
                f"Line {place:,} of '{name}' has one id only; give two, with one "
                f"{_SEPARATORS[separator]} between them."
            )


def _is_whole(line: bytes, separator: str) -> bool:
    cells = line.decode("utf-8", "replace").strip("\r\n").split(separator)
    return len(cells) >= 2 and all(cell.strip() for cell in cells[:2])


def _is_header(lines: _Lines, separator: str) -> bool:
    """A first line of words: over ids with digits, or words that usually head an edge list."""
    first = _cells(lines.first, separator)
    if all(_HEADING.fullmatch(cell) for cell in first):
        return True
    ids = [cell for line in lines.others if line.strip() for cell in _cells(line, separator)]
    return bool(ids) and all(map(_has_digit, ids)) and not any(map(_has_digit, first))


def _cells(line: bytes, separator: str) -> list[str]:
    cells = line.decode("utf-8", "replace").split(separator)[:2]
    return [cell.strip().strip('"') for cell in cells]


def _has_digit(cell: str) -> bool:
    return any(letter.isdigit() for letter in cell)


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace").strip("\r\n")
    return repr(text if len(text) <= 40 else text[:37] + "…")


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
        start = max(0, start - _HEAD_BYTES)
        file.seek(start)
        tail = file.read(size - start)
    file.seek(0)
    offset = start + tail.rfind(b"\n") + 1 if b"\n" in tail else 0
    return offset, tail[offset - start :]


def without_last_line(file: BinaryIO, size: int) -> tuple[BinaryIO, bytes]:
    """Returns the file up to its last line break, and the line that was left out."""
    offset, line = last_line(file, size)
    return io.BytesIO(file.read(offset)), line


def edge_limit(given: int | None) -> int:
    """Returns the most edges to read: as given, or what half of the free memory holds."""
    if given is not None:
        return given
    return int(psutil.virtual_memory().available // 2 // BYTES_PER_EDGE)


def check_edge_count(name: str, count: int, limit: int) -> None:
    """Refuses an edge list as soon as it is known to be too long."""
    if count > limit:
        raise DataError(
            f"'{name}' has more than {limit:,} edges; at about {BYTES_PER_EDGE} bytes an edge "
            f"({limit * BYTES_PER_EDGE / 1e9:.1f} GB) more would not fit into memory safely. Take "
            "the edges among a sample of the nodes, or raise max_edges."
        )
