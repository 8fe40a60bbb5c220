"""Contents as rows of the database: whoever reaches the database has the files too."""

from collections.abc import Iterator

from sqlalchemy import Connection, delete, func, select, update

from frem_core.store.contents.place import Content
from frem_core.store.database import Database
from frem_core.store.schema import contents
from frem_core.store.timing.clock import now_seconds


class DatabasePlace:
    """One row a content.

    Args:
        database: the store's own.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def where(self) -> str:
        """The database."""
        return self._database.where

    def put(self, digest: str, content: bytes) -> None:
        """Writes the row in a transaction of its own."""
        values = {"content": content, "written_at": now_seconds()}
        same = contents.c.hash == digest

        def write(connection: Connection) -> None:
            missing = self._database.insert_missing(contents)
            connection.execute(missing.values(hash=digest, **values))
            connection.execute(update(contents).where(same).values(values))

        self._database.write(write)

    def read(self, digest: str) -> bytes:
        """Reads the row."""
        query = select(contents.c.content).where(contents.c.hash == digest)
        found = self._database.read(lambda connection: connection.execute(query).scalar())
        if found is None:
            raise FileNotFoundError(digest)
        return bytes(found)

    def remove(self, digest: str) -> None:
        """Deletes the row."""
        query = delete(contents).where(contents.c.hash == digest)
        self._database.write(lambda connection: connection.execute(query))

    def find(self, digest: str) -> Content | None:
        """Asks for its length and age."""
        return next(self._look(digest), None)

    def listed(self) -> Iterator[Content]:
        """Asks for the lengths and ages of all."""
        return self._look(None)

    def _look(self, digest: str | None) -> Iterator[Content]:
        age = now_seconds() - contents.c.written_at
        query = select(contents.c.hash, func.length(contents.c.content), age)
        if digest is not None:
            query = query.where(contents.c.hash == digest)
        rows = self._database.read(lambda connection: connection.execute(query).all())
        return (Content(name, int(size), float(seconds)) for name, size, seconds in rows)
