"""Reads any table into a DataFrame with plain column types, before roles are chosen."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import pandas as pd

from frem_core.datasets.tables.checks import listed
from frem_core.datasets.tables.column_types import TypedColumn, text_column, typed_column
from frem_core.datasets.tables.csv_reader import CsvReader, Progress
from frem_core.datasets.tables.excel_reader import read_excel
from frem_core.datasets.tables.expansion import check_cells
from frem_core.datasets.tables.file_kind import file_kind
from frem_core.datasets.tables.parquet_reader import read_parquet
from frem_core.datasets.tables.source import MAX_BYTES, FileSource, OpenedFile, open_source
from frem_core.datasets.tables.tidy_frame import tidy_column, tidy_text
from frem_core.datasets.tables.written_numbers import PER_CENT
from frem_core.errors import DataError

# Where a frame carries the sentences about how it was read.
NOTES = "frem_notes"
# Reading takes about this share of the time, finding types the rest.
_READING_SHARE = 0.6


def read_table(
    source: FileSource | pd.DataFrame,
    *,
    max_bytes: int = MAX_BYTES,
    progress: Progress | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    sheet: str | None = None,
    texts: Collection[str] = (),
) -> pd.DataFrame:
    """Reads a CSV, TSV, Parquet or Excel file, or tidies a DataFrame.

    What the file is, its encoding, separator and decimal mark are found out from its content. Every
    column gets one of these types: whole numbers, numbers, bool, dates or text. Cells such as
    ``NA``, ``?`` or ``-`` are missing values. What was converted is written in
    ``frame.attrs["frem_notes"]``.

    Args:
        source: a path, an open binary file (such as an upload) or a DataFrame.
        max_bytes: refuse larger files, and archives that unpack to more.
        progress: called as ``progress(fraction, message)`` while reading.
        encoding: codec of a text file; guessed when not given.
        separator: character between cells of a text file; guessed when not given.
        decimal: decimal mark of a text file; guessed when not given.
        sheet: which sheet of a workbook; the first filled one when not given.
        texts: columns that stay text, whatever they look like.

    Returns:
        The table, with unique non-blank column names.

    Raises:
        DataError: the file is missing, empty, damaged, too large, not a table, or has blank or
            duplicate column names.
    """
    tell = progress or _say_nothing
    if isinstance(source, pd.DataFrame):
        notes = source.attrs.get(NOTES, ())
        return _tidy(list(source.columns), source, notes, tell, "table", texts)
    with open_source(source, max_bytes) as opened:
        reading = _part(tell, 0.0, _READING_SHARE)
        typing = _part(tell, _READING_SHARE, 1.0)
        kind = file_kind(opened)
        if kind == "parquet":
            frame, notes = read_parquet(opened, max_bytes, reading)
            return _tidy(list(frame.columns), frame, notes, typing, opened.name, texts)
        if kind == "excel":
            header, frame, notes = read_excel(opened, max_bytes, reading, sheet)
            return _tidy(header, frame, notes, typing, opened.name, texts)
        reader = CsvReader(
            opened,
            packed=kind == "gzip",
            max_bytes=max_bytes,
            encoding=encoding,
            separator=separator,
            decimal=decimal,
        )
        return _typed_text(reader, opened, reading, typing, texts)


def check_is_table(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Refuses what was read and is no table to learn from: a note, or a header without rows.

    Raises:
        DataError: there are no rows, or one column only.
    """
    if frame.shape[1] < 2:
        raise DataError(
            f"'{name}' has one column only, '{str(frame.columns[0])[:60]}': no comma, semicolon, "
            "tab or | separates cells. Is it a note instead of a table?"
        )
    if not len(frame):
        raise DataError(
            f"'{name}' has column names but no rows ({listed(map(str, frame.columns))}); save it "
            "with its rows."
        )
    return frame


def _typed_text(
    reader: CsvReader,
    opened: OpenedFile,
    reading: Progress,
    typing: Progress,
    texts: Collection[str],
) -> pd.DataFrame:
    table = reader.read(reading)
    n_columns = len(reader.format.names)
    columns, notes = [], []
    if reader.format.encoding != "utf-8":
        notes.append(f"The file was read as {reader.format.encoding}.")
    if reader.format.decimal == ",":
        notes.append("Numbers were read with a decimal comma.")
    for position in range(n_columns):
        if _cell_name(reader.format.names[position]) in texts:
            columns.append(text_column(table.column(0)))
        else:
            columns.append(typed_column(table.column(0), reader.format.decimal))
        # Each text column is let go as soon as it is typed, or both would be in memory.
        table = table.remove_column(0)
        typing((position + 1) / n_columns, f"column {position + 1} of {n_columns}")
    return _assemble(reader.format.names, columns, notes, opened.name)


def _tidy(
    header: Sequence[Any],
    frame: pd.DataFrame,
    notes: Iterable[str],
    progress: Progress,
    what: str,
    texts: Collection[str],
) -> pd.DataFrame:
    check_cells(what, len(frame), frame.shape[1])
    columns = []
    for position, name in enumerate(header):
        column, called = frame.iloc[:, position], _cell_name(name)
        columns.append(tidy_text(column) if called in texts else tidy_column(called, column))
        progress((position + 1) / len(header), f"column {position + 1} of {len(header)}")
    return _assemble(header, columns, list(notes), what)


def _assemble(
    header: Sequence[Any], columns: list[TypedColumn], notes: list[str], what: str
) -> pd.DataFrame:
    names = [_cell_name(name) for name in header]
    # A nameless column without a single value is only a stray separator.
    kept = [
        (name, column)
        for name, column in zip(names, columns, strict=True)
        if name or column.values.notna().any()
    ]
    _check_names([name for name, _ in kept], what)
    notes += [f"Column '{name}' {column.remark}." for name, column in kept if column.remark]
    frame = pd.DataFrame({name: column.values for name, column in kept})
    frame.attrs[NOTES] = tuple(notes)
    return frame


def _check_names(names: list[str], what: str) -> None:
    if not names:
        raise DataError(f"'{what}' has no columns; save the table again.")
    if "" in names:
        raise DataError(
            f"Column {names.index('') + 1} of '{what}' has no name; write one into the header row "
            "or remove the column."
        )
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise DataError(
            f"'{what}' has more than one column called '{repeated[0]}'; rename them. "
            "Does the first row hold the column names?"
        )


def _cell_name(cell: Any) -> str:
    return "" if cell is None or cell is pd.NA or cell != cell else str(cell).strip()


def _part(progress: Progress, start: float, stop: float) -> Progress:
    def tell(fraction: float, message: str) -> None:
        progress(start + (stop - start) * fraction, message)

    return tell


def _say_nothing(fraction: float, message: str) -> None:
    """Stands in when nobody asked for progress."""


def are_per_cent(frame: pd.DataFrame, name: str) -> bool:
    """Whether a column of a table that was read held numbers with a per cent sign."""
    return f"Column '{name}' {PER_CENT}." in frame.attrs.get(NOTES, ())
