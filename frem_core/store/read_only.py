"""A store in a folder that nobody may write to, read like any other."""

import shutil
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from frem_core.store.contents import Place
from frem_core.store.contents.folder import FolderPlace
from frem_core.store.database import Database
from frem_core.store.errors import ReadOnlyError, StoreError
from frem_core.store.migrate import HEAD, migrate, schema_version
from frem_core.store.store import Store, open_store, own_file


class ReadOnlyStore(Store):
    """A store that is only looked at, for example the one that came with the program.

    SQLite opens the file as immutable: it takes no locks, writes no side files and refuses every
    change, so any number of processes may read it, also from a folder without write permission.
    Where that is not enough (an older schema, or changes that wait beside the file) it is a copy
    that is brought up to date and read.

    Args:
        folder: holds ``artefacts`` and ``tables``.
        file: the database; by default ``store.db`` in the folder.

    Raises:
        StoreError: there is no store, or it belongs to a newer version of the program.
    """

    def __init__(self, folder: Path, file: Path | None = None) -> None:
        path = file or folder / "store.db"
        if not path.is_file():
            raise StoreError(f"There is no store in {folder}.")
        self.folder = folder
        if _waiting_changes(path) or not self._opened(path):
            copy = tempfile.mkdtemp(prefix="frem-store-")
            weakref.finalize(self, shutil.rmtree, copy, ignore_errors=True)
            self._opened(_up_to_date_copy(path, Path(copy)))
        self._database.where = str(path)
        self._open_parts()

    def _opened(self, path: Path) -> bool:
        """Opens the file; False, and closed again, when it has another schema."""
        self.url = f"sqlite:///file:{quote(str(path))}?mode=ro&immutable=1&uri=true"
        self._database = Database(self.url)
        if self._database.read(schema_version) == HEAD:
            return True
        self._database.close()
        return False

    def _places(self, folder: Path) -> Sequence[Place]:
        return [FolderPlace(folder), *super()._places(folder)]


def open_store_to_read() -> Store:
    """Opens the user's store for somebody who only looks: also where nothing can be written.

    Raises:
        StoreError: it cannot be read either.
    """
    try:
        return open_store()
    except ReadOnlyError:
        folder, file = own_file()
        if file is None or not file.is_file():
            raise
        return ReadOnlyStore(folder, file)


def _waiting_changes(path: Path) -> bool:
    side = _log_of(path)
    return side.is_file() and side.stat().st_size > 0


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _up_to_date_copy(path: Path, folder: Path) -> Path:
    copy = folder / path.name
    shutil.copyfile(path, copy)
    if _waiting_changes(path):
        shutil.copyfile(_log_of(path), _log_of(copy))
    database = Database(f"sqlite:///{copy}")
    try:
        migrate(database)
    finally:
        database.close()
    return copy
