"""Contents as files in a folder: the usual place."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from frem_core.store.contents.place import Content
from frem_core.store.errors import explain_disk
from frem_core.store.files import write_atomically


class FolderPlace:
    """Files in folders by the first two digits of their names, for their owner only.

    Args:
        folder: where; made at first use.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def where(self) -> str:
        """The folder."""
        return str(self.folder)

    def put(self, digest: str, content: bytes) -> None:
        """Writes a file, unless it is there to the bit."""
        path = self._path(digest)
        try:
            if path.is_file() and path.read_bytes() == content:
                os.utime(path)  # young again: the sweeper must not take it now
                return
        except OSError as error:
            raise explain_disk(error, path) from error
        write_atomically(path, [content])

    def read(self, digest: str) -> bytes:
        """Reads a file."""
        return self._path(digest).read_bytes()

    def remove(self, digest: str) -> None:
        """Deletes a file."""
        path = self._path(digest)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise explain_disk(error, path) from error

    def find(self, digest: str) -> Content | None:
        """Looks at a file."""
        try:
            status = self._path(digest).stat()
        except OSError:
            return None
        return Content(digest, status.st_size, time.time() - status.st_mtime)

    def listed(self) -> Iterator[Content]:
        """Walks through the folder."""
        for path in list(self.folder.glob("*/*")):
            with suppress(OSError):  # another process may remove it while we look
                if path.is_file() and (found := self.find(path.name)):
                    yield found

    def _path(self, digest: str) -> Path:
        return self.folder / digest[:2] / digest
