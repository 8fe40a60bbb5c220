"""Files that belong to runs (weights, predictions, representations), named by content."""

import hashlib
import logging
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, select

from frem_core.store.database import Database
from frem_core.store.errors import StoreError, explain_disk
from frem_core.store.files import write_atomically
from frem_core.store.schema import artefacts

logger = logging.getLogger(__name__)

# A file this young may belong to a result whose transaction is still to come.
_YOUNG_SECONDS = 60.0


@dataclass(frozen=True)
class Artefact:
    """One file of a run: what it is (``weights``, …), its content hash and size in bytes."""

    kind: str
    hash: str
    size: int


class Artefacts:
    """The folder of files named by the SHA-256 of their content, and the rows that name them.

    A file is complete on disk before any row names it; two runs with equal content share one
    file; a file that no row names is garbage and can be swept at any time.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self.folder = folder

    def put(self, kind: str, content: bytes) -> Artefact:
        """Writes ``content`` to disk (not to the database: ``Results.finish`` does that)."""
        digest = hashlib.sha256(content).hexdigest()
        path = self._path(digest)
        try:
            if path.is_file() and path.stat().st_size == len(content):
                os.utime(path)  # young again: the sweeper must not take it now
                return Artefact(kind, digest, len(content))
        except OSError as error:
            raise explain_disk(error, path) from error
        write_atomically(path, [content])
        return Artefact(kind, digest, len(content))

    def of_run(self, run: str) -> dict[str, Artefact]:
        """Returns the artefacts of a run by kind."""
        query = select(artefacts).where(artefacts.c.run == run).order_by(artefacts.c.kind)
        rows = self._database.read(lambda connection: connection.execute(query).all())
        return {row.kind: Artefact(row.kind, row.hash, row.size) for row in rows}

    def read(self, run: str, kind: str) -> bytes:
        """Returns the content of one artefact after checking it against its hash.

        Raises:
            StoreError: the run has no such artefact, or its file is missing or damaged.
        """
        found = self.of_run(run)
        if kind not in found:
            raise StoreError(
                f"Run {run[:12]} has no '{kind}'; it has {', '.join(found) or 'no files'}."
            )
        path = self._path(found[kind].hash)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise StoreError(
                f"The file {path} of run {run[:12]} cannot be read ({error.strerror})."
            ) from error
        if hashlib.sha256(content).hexdigest() != found[kind].hash:
            raise StoreError(f"The file {path} of run {run[:12]} is damaged.")
        return content

    def sweep_garbage(self, *, young_seconds: float = _YOUNG_SECONDS) -> int:
        """Deletes files that no run names and that are not brand-new; returns the bytes freed."""
        freed = 0
        for path in list(self._files()):
            freed += self._remove_if_unnamed(path, young_seconds)
        return freed

    def remove_unnamed(self, hashes: Iterable[str]) -> int:
        """Deletes those of the given contents that no run names any more."""
        return sum(self._remove_if_unnamed(self._path(name), _YOUNG_SECONDS) for name in hashes)

    def _remove_if_unnamed(self, path: Path, young_seconds: float) -> int:
        try:
            status = path.stat()
            if time.time() - status.st_mtime < young_seconds or self._is_named(path.name):
                return 0
            path.unlink()
        except OSError as error:
            logger.warning("%s was not removed: %s", path, error)
            return 0
        return status.st_size

    def _is_named(self, digest: str) -> bool:
        query = select(artefacts.c.run).where(artefacts.c.hash == digest).limit(1)

        def look(connection: Connection) -> bool:
            return connection.execute(query).first() is not None

        return self._database.read(look)

    def _files(self) -> Iterator[Path]:
        return (path for path in self.folder.glob("*/*") if path.is_file())

    def _path(self, digest: str) -> Path:
        return self.folder / digest[:2] / digest
