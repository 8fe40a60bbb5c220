"""Looks at a SQLite file before anything opens it, so that a foreign one stays untouched."""

import os
from pathlib import Path

from sqlalchemy import text

from frem_core.store.database import Database
from frem_core.store.errors import StoreError, explain_disk
from frem_core.store.files import make_private_folder

#: Bytes 68 to 71 of every store: says "this database is FREM Studio's" (ASCII "FREM").
APPLICATION_ID = 0x4652454D

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100


def prepare_file(path: Path) -> None:
    """Makes a new store's file for its owner only, or checks that an existing one is ours.

    Reads the header itself instead of asking SQLite, which would create side files or roll
    back a journal in a database that does not belong to us.

    Raises:
        StoreError: the file is something else, is cut short, or its folder cannot be used.
    """
    try:
        _make_private(path)
        header = _read_header(path)
        size = path.stat().st_size
    except OSError as error:
        raise explain_disk(error, path) from error
    if not header:
        return
    if len(header) < _HEADER or not header.startswith(_MAGIC):
        raise _refusal(path, "is not a database")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID and not _is_blank(header):
        raise _refusal(path, "belongs to another program")
    if _is_cut_short(path, header, size):
        raise _refusal(path, "is damaged: its end is missing")


def check_pages(database: Database, path: Path) -> None:
    """Walks all pages of a store once (0.1 s for 10,000 runs) and refuses a damaged one."""
    query = text("PRAGMA quick_check(1)")
    found = database.read(lambda connection: connection.execute(query).scalar_one())
    if found != "ok":
        raise _refusal(path, f"is damaged ({str(found).splitlines()[-1]})")


def _make_private(path: Path) -> None:
    make_private_folder(path.parent)
    # SQLite gives the side files (-wal, -shm) the permissions of the database itself.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def _read_header(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_HEADER)


def _is_blank(header: bytes) -> bool:
    """A database of a single empty page: another process is creating the store right now."""
    return int.from_bytes(header[28:32], "big") <= 1 and header[68:72] == b"\0\0\0\0"


def _is_cut_short(path: Path, header: bytes, size: int) -> bool:
    if path.with_name(path.name + "-wal").exists():  # pages may still be on their way
        return False
    page_size = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    return size < pages * (65536 if page_size == 1 else page_size)


def _refusal(path: Path, what: str) -> StoreError:
    return StoreError(
        f"{path} {what}. It was left as it is. Move it away, or set FREM_HOME to another folder."
    )
