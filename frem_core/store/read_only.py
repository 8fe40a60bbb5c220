"""A store in a folder that nobody may write to, read like any other."""

from pathlib import Path
from urllib.parse import quote

from frem_core.store.database import Database
from frem_core.store.errors import StoreError
from frem_core.store.migrate import HEAD, schema_version
from frem_core.store.store import Store


class ReadOnlyStore(Store):
    """A finished store, for example one that came with the program.

    SQLite opens the file as immutable: it takes no locks, writes no side files and refuses every
    change, so any number of processes may read it, also from a folder without write permission.

    Args:
        folder: holds ``store.db`` and ``artefacts``.

    Raises:
        StoreError: there is no store, or it belongs to another version of the program.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / "store.db"
        if not path.is_file():
            raise StoreError(f"There is no store in {folder}.")
        self.folder = folder
        self.url = f"sqlite:///file:{quote(str(path))}?mode=ro&immutable=1&uri=true"
        self._database = Database(self.url)
        version = self._database.read(schema_version)
        if version != HEAD:
            self._database.close()
            raise StoreError(
                f"The store {path} has schema {version}, this program reads {HEAD}. "
                "Install both from the same version."
            )
        self._open_parts()
