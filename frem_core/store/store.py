"""The store: everything that outlives a process, behind one object."""

import os
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, func, select

from frem_core.home import data_home
from frem_core.store.artefacts import Artefacts
from frem_core.store.contents import Place, places_of
from frem_core.store.database import Database, parsed_address
from frem_core.store.datasets import Datasets
from frem_core.store.errors import StoreError
from frem_core.store.leases import Leases
from frem_core.store.migrate import HEAD, migrate, schema_version
from frem_core.store.queue import Queue
from frem_core.store.results import Results
from frem_core.store.runs import Runs
from frem_core.store.schema import runs, sweeps
from frem_core.store.sharing import TableOwners
from frem_core.store.sqlite_file import check_pages, prepare_file
from frem_core.store.sweeps import Sweeps
from frem_core.store.tables import Tables
from frem_core.store.timing.clock import now_seconds


class Store:
    """The record of all sweeps and runs of a user or a team.

    The contract, which holds on every database and is tested on each of them:

    * **Whole or not at all.** Every method that writes is one transaction. Files are complete
      on disk before a row names them. A crash, a kill, a full or read-only disk at any moment
      leaves the state before or after, and the store opens again.
    * **A run is trained once.** Its id is the hash of everything that determines it. Adding it
      again, in the same sweep or another, shares the row.
    * **Finished is for ever.** No method and no SQL statement changes a run that is done, its
      epochs or its files' names; the database itself refuses. Deleting is the only way out,
      and only when asked for.
    * **One owner at a time.** A running run belongs to the owner who claimed it until the owner
      gives it back or the next engine takes over, which it may only while it holds the engine's
      lease. Reports and results of anyone else change nothing.
      ``queued → running → done | failed | cancelled``; a run of a dead owner is queued again
      with its progress; a failed or cancelled one is queued again on request.
    * **Many at once.** Any number of processes and threads may read and write. They wait for
      each other for up to a minute and then get a :class:`StoreBusyError`, never a half result.
    * **People.** A sweep may say who queued it, a kept table whose it is. A table without an owner
      and a sweep about no owned table are everybody's; whoever may not see a table may not see
      the sweeps about it either, also after its file is gone. The store says what is whose;
      who asks is known to the dashboard only.
    * **One clock.** All times are the database's own, in seconds since 1970.
    * **Errors** are :class:`StoreError` and say what to do.

    Parts: ``sweeps`` and ``queue`` write, ``results`` finishes runs, ``runs`` and ``datasets``
    are read, ``artefacts`` and ``tables`` are files, ``leases`` keep engines single, ``owners``
    know whose a table is.

    Args:
        url: database address; the default is SQLite in ``folder``.
        folder: where files are kept; the files of runs go elsewhere when ``FREM_FILES`` says so.

    Example:
        >>> import tempfile
        >>> store = Store(folder=Path(tempfile.mkdtemp()))
        >>> len(store.sweeps.frame())
        0
        >>> store.close()
    """

    def __init__(self, url: str | None = None, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else data_home()
        self.url = url or f"sqlite:///{self.folder / 'store.db'}"
        path = _sqlite_path(self.url)
        if path is not None:
            prepare_file(path)
        self._database = Database(self.url)
        try:
            if path is not None:
                check_pages(self._database, path)
            migrate(self._database)
        except StoreError:
            self._database.close()
            raise
        self._open_parts()

    def _open_parts(self) -> None:
        folder = self.folder / "artefacts"
        self.artefacts = Artefacts(self._database, self._places(folder), folder)
        self.tables = Tables(self.folder / "tables")
        self.datasets = Datasets(self._database)
        self.runs = Runs(self._database, self.artefacts)
        self.sweeps = Sweeps(self._database, self.runs)
        self.queue = Queue(self._database)
        self.results = Results(self._database, self.artefacts)
        self.leases = Leases(self._database)
        self.owners = TableOwners(self._database)

    def _places(self, folder: Path) -> Sequence[Place]:
        """Where files of runs lie; new ones go to the first."""
        return places_of(self._database, folder)

    @property
    def where(self) -> str:
        """The store as users know it: its file, or its address without the password."""
        return self._database.where

    def is_current(self) -> bool:
        """Whether the schema is still the one this program knows."""
        return self._database.read(schema_version) == HEAD

    def clock_behind(self) -> float:
        """Returns by how many seconds the newest moment in the store lies in the future."""
        moments = [
            func.coalesce(func.max(column), 0.0)
            for column in (sweeps.c.created_at, runs.c.started_at, runs.c.finished_at)
        ]

        def look(connection: Connection) -> float:
            newest = max(float(connection.execute(select(one)).scalar_one()) for one in moments)
            return newest - float(connection.execute(select(now_seconds())).scalar_one())

        return max(0.0, self._database.read(look))

    def own_table(self, table_id: str, owner: str) -> None:
        """Notes whose a table is, before it is kept, so that nobody else sees it in between.

        One that is kept already and is everybody's stays so.
        """
        is_everybodys = self.tables.path(table_id).exists() and not self.owners.of(table_id)
        if not is_everybodys:
            self.owners.add(table_id, owner)

    def kept_bytes(self) -> dict[str, int]:
        """Returns how many bytes the runs' files, the kept tables and the database take.

        Files of runs that are kept in the database count in both.
        """
        return {
            "files of runs": self.artefacts.named_bytes(),
            "kept tables": self.tables.size(),
            "database": self._database.size(),
        }

    def close(self) -> None:
        """Closes idle connections; the store may be used again afterwards."""
        self._database.close()


def open_store() -> Store:
    """Opens the user's store: ``FREM_STORE`` names its database, ``FREM_HOME`` its folder.

    Creates it on first use and upgrades an older schema.

    Raises:
        StoreError: it cannot be opened; what is there was left untouched.
    """
    return Store(os.environ.get("FREM_STORE", "").strip() or None)


def own_file() -> tuple[Path, Path | None]:
    """The folder of the user's store, and its SQLite file; None where it is another database."""
    folder = data_home()
    url = os.environ.get("FREM_STORE", "").strip()
    return folder, _sqlite_path(url) if url else folder / "store.db"


def _sqlite_path(url: str) -> Path | None:
    parsed = parsed_address(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    return Path(str(parsed.database)).absolute()
