"""Files that belong to runs (weights, predictions, representations), named by content."""

import hashlib
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, func, select

from frem_core.store.contents import Content, Place
from frem_core.store.database import Database
from frem_core.store.errors import DamagedFileError, StoreError
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
    """Files named by the SHA-256 of their content, and the rows that name them.

    A file is complete before any row names it; two runs with equal content share one file; a file
    that no row names is garbage and can be swept at any time.

    Args:
        database: holds the rows.
        places: where files go, and after it where else they may lie.
        folder: where files lie unless a setting says otherwise.
    """

    def __init__(self, database: Database, places: Sequence[Place], folder: Path) -> None:
        self._database = database
        self._places = places
        self.folder = folder

    @property
    def where(self) -> str:
        """The place of new files as users know it."""
        return self._places[0].where

    def put(self, kind: str, content: bytes) -> Artefact:
        """Writes ``content`` (but no row: ``Results.finish`` does that)."""
        digest = hashlib.sha256(content).hexdigest()
        self._places[0].put(digest, content)
        return Artefact(kind, digest, len(content))

    def of_run(self, run: str) -> dict[str, Artefact]:
        """Returns the artefacts of a run by kind."""
        query = select(artefacts).where(artefacts.c.run == run).order_by(artefacts.c.kind)
        rows = self._database.read(lambda connection: connection.execute(query).all())
        return {row.kind: Artefact(row.kind, row.hash, row.size) for row in rows}

    def read(self, run: str, kind: str) -> bytes:
        """Returns the content of one artefact after checking it against its hash.

        Raises:
            DamagedFileError: its file is missing, cut short or another one.
            StoreError: the run has no such artefact.
        """
        found = self.of_run(run)
        if kind not in found:
            raise StoreError(
                f"Run {run[:12]} has no '{kind}'; it has {', '.join(found) or 'no files'}."
            )
        return self.content(run, found[kind])

    def content(self, run: str, artefact: Artefact) -> bytes:
        """The same for an artefact that is known; looks wherever it may lie."""
        problem = "is missing"
        for place in self._places:
            try:
                content = place.read(artefact.hash)
            except FileNotFoundError:
                continue
            except OSError as error:
                problem = f"cannot be read ({error.strerror or error})"
                continue
            if hashlib.sha256(content).hexdigest() == artefact.hash:
                return content
            cut = len(content) < artefact.size
            problem = (
                "is damaged: it is cut short" if cut else "is damaged: it holds something else"
            )
        raise DamagedFileError(
            f"The {artefact.kind} of run {run[:12]} cannot be used: the file {artefact.hash[:12]}… "
            f"in {self.where} {problem}. Have the run trained once more, on its page or with 'frem "
            f"resume {run[:12]}'.",
            run,
        )

    def damaged(self, runs: Iterable[str]) -> dict[str, str]:
        """Reads every file of runs; returns the first complaint by run, of those that have one."""
        complaints: dict[str, str] = {}
        for run in runs:
            for artefact in self.of_run(run).values():
                try:
                    self.content(run, artefact)
                except DamagedFileError as error:
                    complaints.setdefault(run, str(error))
        return complaints

    def named_bytes(self) -> int:
        """Returns how many bytes the files of all runs take; those of equal content once."""
        each = select(artefacts.c.hash, artefacts.c.size).distinct().subquery()
        query = select(func.coalesce(func.sum(each.c.size), 0))
        return int(self._database.read(lambda connection: connection.execute(query).scalar_one()))

    def sweep_garbage(self, *, young_seconds: float = _YOUNG_SECONDS) -> int:
        """Deletes files that no run names and that are not brand-new; returns the bytes freed."""
        freed = 0
        for place in self._places:
            for content in list(place.listed()):
                freed += self._remove_if_unnamed(place, content, young_seconds)
        return freed

    def remove_unnamed(self, hashes: Iterable[str]) -> int:
        """Deletes those of the given contents that no run names any more."""
        freed = 0
        for digest in hashes:
            for place in self._places:
                if content := place.find(digest):
                    freed += self._remove_if_unnamed(place, content, _YOUNG_SECONDS)
        return freed

    def _remove_if_unnamed(self, place: Place, content: Content, young_seconds: float) -> int:
        if content.age < young_seconds or self._is_named(content.digest):
            return 0
        try:
            place.remove(content.digest)
        except StoreError as error:
            logger.warning("%s was not removed: %s", content.digest, error)
            return 0
        return content.size

    def _is_named(self, digest: str) -> bool:
        query = select(artefacts.c.run).where(artefacts.c.hash == digest).limit(1)

        def look(connection: Connection) -> bool:
            return connection.execute(query).first() is not None

        return self._database.read(look)
