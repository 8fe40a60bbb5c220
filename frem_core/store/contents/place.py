"""What a place for the contents of files has to be able to do."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Content:
    """One content in a place: its SHA-256, its bytes, and for how many seconds it lies there."""

    digest: str
    size: int
    age: float


class Place(Protocol):
    """Keeps contents under their SHA-256; whoever puts one there knows that it is complete.

    Errors are a ``StoreError`` with the remedy; a content that is not there is a
    ``FileNotFoundError``.
    """

    @property
    def where(self) -> str:
        """The place as users know it."""

    def put(self, digest: str, content: bytes) -> None:
        """Keeps a content, and makes it young again; one that was damaged is replaced."""

    def read(self, digest: str) -> bytes:
        """Returns what lies under a name, whatever became of it since."""

    def remove(self, digest: str) -> None:
        """Removes a content; nothing happens when it is not there."""

    def find(self, digest: str) -> Content | None:
        """Returns what is known of a content without reading it."""

    def listed(self) -> Iterator[Content]:
        """Returns everything that lies here."""
