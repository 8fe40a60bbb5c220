"""Reads the first filled sheet of an Excel workbook (.xlsx), row by row."""

import warnings
from collections.abc import Iterator
from typing import Any

import pandas as pd
from openpyxl import load_workbook

from frem_core.datasets.tables.csv_reader import Progress
from frem_core.datasets.tables.expansion import check_cells, check_zip_expansion
from frem_core.datasets.tables.source import OpenedFile
from frem_core.errors import DataError, FremError, did_you_mean

# Reading a cell of a workbook takes microseconds, and its Python object a hundred bytes.
MAX_EXCEL_CELLS = 15_000_000
_REPORT_EVERY = 5000


def read_excel(
    opened: OpenedFile, max_bytes: int, progress: Progress, sheet: str | None = None
) -> tuple[list[Any], pd.DataFrame, list[str]]:
    """Returns the header cells, a frame of Python objects (columns 0, 1, …) and notes."""
    try:
        check_zip_expansion(opened, max_bytes)
        with warnings.catch_warnings():
            # Styles and data validation that openpyxl does not know do not matter here.
            warnings.simplefilter("ignore")
            workbook = load_workbook(opened.file, read_only=True, data_only=True, keep_links=False)
            names = [worksheet.title for worksheet in workbook.worksheets]
            header, frame, title = _first_table(workbook, names, sheet, opened.name, progress)
    except FremError:
        raise
    except Exception as error:  # a damaged workbook makes the parser fail in any way
        raise DataError(f"'{opened.name}' is a damaged Excel file; save it again.") from error
    others = len(names) - 1
    notes = [f"Sheet '{title}' was read; the workbook has {others} more."] if others else []
    return header, frame, notes


def _first_table(
    workbook: Any, names: list[str], sheet: str | None, file_name: str, progress: Progress
) -> tuple[list[Any], pd.DataFrame, str]:
    if sheet is not None and sheet not in names:
        raise DataError(
            f"'{file_name}' has no sheet '{sheet}', only {', '.join(names)}."
            + did_you_mean(sheet, names)
        )
    for worksheet in workbook.worksheets:
        if sheet is not None and worksheet.title != sheet:
            continue
        worksheet.reset_dimensions()  # what a sheet says about its own size is often wrong
        rows = _filled_rows(worksheet)
        header = next(rows, None)
        if header is not None:
            return header, _table(header, rows, file_name, progress), worksheet.title
    raise DataError(f"'{file_name}' has no filled sheet; save the table again.")


def _filled_rows(worksheet: Any) -> Iterator[list[Any]]:
    for row in worksheet.iter_rows(values_only=True):
        cells = list(row)
        while cells and cells[-1] is None:
            cells.pop()
        if cells:
            yield cells


def _table(
    header: list[Any], rows: Iterator[list[Any]], file_name: str, progress: Progress
) -> pd.DataFrame:
    width = len(header)
    columns: list[list[Any]] = [[] for _ in header]
    for count, row in enumerate(rows, start=1):
        if len(row) > width:
            raise DataError(
                f"Row {count + 1} of '{file_name}' has {len(row)} cells, the header row has "
                f"{width}. Remove lines above the header and cells beside the table."
            )
        for column, cell in zip(columns, row, strict=False):
            column.append(cell)
        for column in columns[len(row) :]:
            column.append(None)
        if count % _REPORT_EVERY == 0:
            check_cells(file_name, count, width, MAX_EXCEL_CELLS)
            # The number of rows is not known before the end; this only ever approaches 1.
            progress(count / (count + 50_000), f"{count:,} rows read")
    check_cells(file_name, 0, width)
    return pd.DataFrame(
        {position: pd.Series(column, dtype=object) for position, column in enumerate(columns)}
    )
