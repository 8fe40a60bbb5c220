"""Contents as objects in a bucket (S3 and what speaks its language), through fsspec."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

from frem_core.store.contents.place import Content
from frem_core.store.errors import StoreError, UnreachableError

T = TypeVar("T")


class BucketPlace:
    """One object a content; an object appears when it is complete.

    Args:
        url: as fsspec understands it, e.g. ``s3://bucket/folder``; credentials and another
            endpoint come from the environment (``AWS_ACCESS_KEY_ID``, ``AWS_ENDPOINT_URL`` …).
    """

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")

    @property
    def where(self) -> str:
        """The address, without what may be a password."""
        scheme, _, rest = self._url.partition("://")
        return f"{scheme}://{rest.rpartition('@')[2]}"

    def put(self, digest: str, content: bytes) -> None:
        """Writes the object."""
        try:
            self._ask(lambda: self._files.pipe_file(self._path(digest), content))
        except FileNotFoundError as error:
            raise self._unreachable(error) from error

    def read(self, digest: str) -> bytes:
        """Reads the object."""
        content: bytes = self._ask(lambda: self._files.cat_file(self._path(digest)))
        return content

    def remove(self, digest: str) -> None:
        """Deletes the object."""
        try:
            self._ask(lambda: self._files.rm_file(self._path(digest)))
        except FileNotFoundError:
            return

    def find(self, digest: str) -> Content | None:
        """Asks for its size and age."""
        try:
            return _content(self._ask(lambda: self._files.info(self._path(digest), refresh=True)))
        except FileNotFoundError:
            return None

    def listed(self) -> Iterator[Content]:
        """Lists the bucket."""
        self._files.invalidate_cache()
        try:
            found = self._ask(lambda: self._files.find(self._root, detail=True))
        except FileNotFoundError:
            return
        for about in found.values():
            yield _content(about)

    def _path(self, digest: str) -> str:
        return f"{self._root}/{digest[:2]}/{digest}"

    @cached_property
    def _opened(self) -> tuple[Any, str]:
        import fsspec

        try:
            files, root = fsspec.core.url_to_fs(
                self._url, use_listings_cache=False, skip_instance_cache=True
            )
        except ImportError as error:
            raise StoreError(
                f"FREM_FILES names {self.where}, for which a library is missing ({error}). For S3: "
                "pip install 'frem-studio[bucket]'."
            ) from error
        except Exception as error:  # what fsspec's many kinds of places may say
            raise StoreError(f"FREM_FILES names {self.where}, which is none: {error}.") from error
        return files, str(root)

    @property
    def _files(self) -> Any:
        return self._opened[0]

    @property
    def _root(self) -> str:
        return self._opened[1]

    def _ask(self, question: Callable[[], T]) -> T:
        try:
            return question()
        except (FileNotFoundError, StoreError):
            raise
        except Exception as error:  # botocore, aiohttp, OSError: one sentence for all of them
            raise self._unreachable(error) from error

    def _unreachable(self, error: Exception) -> UnreachableError:
        return UnreachableError(
            f"The files of runs in {self.where} cannot be reached ({type(error).__name__}: "
            f"{error}). Check FREM_FILES, the credentials and that the server runs; nothing was "
            "lost."
        )


def _content(about: dict[str, Any]) -> Content:
    changed = about.get("LastModified", about.get("mtime", about.get("created")))
    if isinstance(changed, datetime):
        changed = changed.timestamp()
    age = 0.0 if changed is None else time.time() - float(changed)
    return Content(str(about["name"]).rpartition("/")[2], int(about["size"]), age)
