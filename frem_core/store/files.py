"""Writes files so that they are there whole or not at all, for their owner only."""

import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from frem_core.store.errors import explain_disk


def write_atomically(path: Path, parts: Iterable[bytes]) -> None:
    """Writes ``parts`` to ``path``: temporary file, flush to disk, rename, flush the folder.

    A crash or a full disk at any moment leaves either the old file or the new one. The folder
    is made with mode 0700 and the file with 0600.

    Raises:
        StoreError: the disk is full, read-only or broken; the temporary file is removed.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        make_private_folder(path.parent)
        try:
            _write_through(temporary, parts)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        _flush_folder(path.parent)
    except OSError as error:
        raise explain_disk(error, path) from error


def make_private_folder(folder: Path) -> None:
    """Makes a folder and its missing parents for their owner only (mode 0700)."""
    if folder.is_dir():
        return
    make_private_folder(folder.parent)  # mkdir(parents=True) would open the parents to everyone
    folder.mkdir(mode=0o700, exist_ok=True)


def _write_through(path: Path, parts: Iterable[bytes]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        for part in parts:
            file.write(part)
        file.flush()
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    if os.name == "nt":  # Windows flushes directories by itself and cannot open them
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
