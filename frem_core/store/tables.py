"""Tables that users uploaded: kept under their hash, listed with their size, deleted on request."""

import hashlib
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from frem_core.errors import did_you_mean
from frem_core.store.errors import StoreError, explain_disk
from frem_core.store.files import write_atomically

_CHUNK = 1 << 20
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class KeptTable:
    """A kept table: content hash, the user's file name, size in bytes, when it was added."""

    hash: str
    name: str
    size: int
    added_at: float
    path: Path


class Tables:
    """Uploaded tables as plain files in one folder that only their owner may read.

    ``<hash><suffix>`` holds the bytes as uploaded and ``<hash>.json`` the user's file name. No
    database row is needed: what is listed is what lies in the folder of this machine.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, name: str, content: bytes | BinaryIO | Path) -> KeptTable:
        """Keeps a table under its hash; the same bytes are kept only once.

        Args:
            name: the file name the user knows; its suffix decides how the table is read.
            content: the bytes, an open binary file, or the path of a file.
        """
        try:
            digest = hashlib.sha256()
            for part in _parts(content):
                digest.update(part)
        except OSError as error:
            raise StoreError(f"{name} cannot be read ({error.strerror}).") from error
        known = {table.hash: table for table in self.list()}
        if digest.hexdigest() in known:
            return known[digest.hexdigest()]
        path = self.folder / (digest.hexdigest() + _suffix(name))
        write_atomically(path, _parts(content))
        # Last, so that a table is listed only when its bytes are complete.
        about = {"name": Path(name).name, "suffix": path.suffix, "added_at": time.time()}
        write_atomically(self.folder / f"{digest.hexdigest()}.json", [json.dumps(about).encode()])
        return self.get(digest.hexdigest())

    def get(self, hash_or_prefix: str) -> KeptTable:
        """Returns a kept table by its hash or by an unambiguous beginning of it."""
        tables = self.list()
        found = [table for table in tables if table.hash.startswith(hash_or_prefix)]
        if len(found) == 1 and len(hash_or_prefix) >= 6:
            return found[0]
        hint = did_you_mean(hash_or_prefix, [table.name for table in tables])
        raise StoreError(
            f"No kept table has the hash '{hash_or_prefix[:64]}'. "
            f"`frem datasets` lists what is kept.{hint}"
        )

    def list(self) -> list[KeptTable]:
        """Returns all kept tables, newest first."""
        try:
            files = sorted(self.folder.glob("*.json"))
            tables = [table for file in files if (table := _describe(file)) is not None]
        except OSError as error:
            raise explain_disk(error, self.folder) from error
        return sorted(tables, key=lambda table: -table.added_at)

    def delete(self, hash_or_prefix: str) -> KeptTable:
        """Deletes a kept table for good and returns what it was; its runs keep their scores."""
        table = self.get(hash_or_prefix)
        try:
            (self.folder / f"{table.hash}.json").unlink()
            table.path.unlink(missing_ok=True)
        except OSError as error:
            raise explain_disk(error, table.path) from error
        return table

    def size(self) -> int:
        """Returns how many bytes all kept tables take."""
        return sum(table.size for table in self.list())


def _parts(content: bytes | BinaryIO | Path) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
    elif isinstance(content, Path):
        with content.open("rb") as file:
            yield from iter(lambda: file.read(_CHUNK), b"")
    else:
        content.seek(0)
        yield from iter(lambda: content.read(_CHUNK), b"")


def _suffix(name: str) -> str:
    """The end of a file name, or nothing when it could be anything but a plain suffix."""
    suffix = Path(name).suffix.lower()
    return suffix if re.fullmatch(r"\.[a-z0-9]{1,8}", suffix) and suffix != ".json" else ""


def _describe(file: Path) -> KeptTable | None:
    if not _HASH.fullmatch(file.stem):
        return None
    try:
        about = json.loads(file.read_text())
        path = file.with_name(file.stem + about["suffix"])
        return KeptTable(file.stem, about["name"], path.stat().st_size, about["added_at"], path)
    except (OSError, ValueError, KeyError):
        return None  # half-deleted, or not ours
