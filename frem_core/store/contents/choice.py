"""Which place is chosen, and where else files may lie that were written before."""

import os
from pathlib import Path
from typing import Final

from frem_core.store.contents.bucket import BucketPlace
from frem_core.store.contents.folder import FolderPlace
from frem_core.store.contents.in_database import DatabasePlace
from frem_core.store.contents.place import Place
from frem_core.store.database import Database
from frem_core.store.errors import StoreError

FILES: Final = "FREM_FILES"
"""Where files of runs go: ``database``, a bucket such as ``s3://bucket/runs``, or a folder."""


def place_of(setting: str, database: Database, folder: Path) -> Place:
    """Returns the place that a setting names; an empty one means the store's own folder."""
    if not setting:
        return FolderPlace(folder)
    if setting == "database":
        return DatabasePlace(database)
    if "://" in setting:
        return BucketPlace(setting)
    chosen = Path(setting).expanduser()
    if not chosen.is_absolute():
        raise StoreError(
            f"{FILES} must be 'database', an address such as s3://bucket/runs or a folder that "
            f"begins with {os.sep}, not '{setting}'."
        )
    return FolderPlace(chosen)


def places_of(database: Database, folder: Path) -> list[Place]:
    """The chosen place first, then those where files of earlier settings may lie."""
    setting = os.environ.get(FILES, "").strip()
    chosen = place_of(setting, database, folder)
    others: list[Place] = [DatabasePlace(database)] if setting != "database" else []
    return [chosen, *others, *([FolderPlace(folder)] if setting else [])]
