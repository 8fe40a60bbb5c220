"""What a file is, told by its first bytes; its name may be wrong."""

import zipfile
from typing import Literal

from frem_core.datasets.tables.source import OpenedFile
from frem_core.errors import DataError

FileKind = Literal["text", "gzip", "parquet", "excel"]

_REFUSED = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!": "a RAR archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"ARROW1": "an Arrow or Feather file",
    b"SQLite format 3": "an SQLite database",
    b"\x89HDF": "an HDF5 file",
}
_OLD_EXCEL = b"\xd0\xcf\x11\xe0"
_MARKUP = (b"<!doctype", b"<html", b"<head", b"<body", b"<table", b"<?xml", b"<!--", b"<script")


def file_kind(opened: OpenedFile) -> FileKind:
    """Tells Parquet, Excel, gzip and text apart, whatever the file is called.

    Raises:
        DataError: it is something else that is known by its first bytes.
    """
    head = opened.head(4096)
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith(b"PK"):
        return _zip_kind(opened)
    if head.startswith(_OLD_EXCEL):
        raise DataError(
            f"'{opened.name}' is an old Excel file (.xls) or has a password; "
            "save it as .xlsx without one, or as CSV."
        )
    for magic, what in _REFUSED.items():
        if head.startswith(magic):
            raise _refusal(opened.name, what)
    return "text"


def check_text_start(name: str, head: bytes) -> None:
    """Refuses text that is not a table: web pages and JSON saved under a table's name."""
    start = head.replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").lower()
    if start.startswith(_MARKUP):
        raise DataError(
            f"'{name}' is a web page (HTML), not a table; a download link often gives the page "
            "around a file. Download the file itself."
        )
    if start.startswith((b"{", b"[{", b"[[")):
        raise _refusal(name, "JSON")


def _zip_kind(opened: OpenedFile) -> FileKind:
    try:
        with zipfile.ZipFile(opened.file) as archive:
            members = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        # "PK" alone may also begin a text, e.g. a column called PK.
        if not opened.head(4).startswith((b"PK\x03\x04", b"PK\x05\x06")):
            return "text"
        raise DataError(f"'{opened.name}' is damaged; save it again.") from error
    finally:
        opened.file.seek(0)
    if "xl/workbook.xml" in members:
        return "excel"
    if "content.xml" in members:
        raise _refusal(opened.name, "an OpenDocument file")
    if "xl/workbook.bin" in members:
        raise _refusal(opened.name, "a binary Excel file (.xlsb)")
    raise DataError(f"'{opened.name}' is a zip archive; unpack it and pass the table inside.")


def _refusal(name: str, what: str) -> DataError:
    return DataError(f"'{name}' is {what}; save the table as CSV, TSV, Parquet or Excel (.xlsx).")
