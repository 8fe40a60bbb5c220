"""Decides the one folder in which FREM Studio keeps what belongs to a user."""

import os
from pathlib import Path

from frem_core.errors import FremError
from frem_core.extras import naming_the_extra


def data_home() -> Path:
    """Returns the per-user data folder, made on first use for its owner only (mode 0700).

    Everything that outlives a process lives here and nowhere else: the store's database, its
    artefacts and the uploaded tables. ``FREM_HOME`` names another folder; without it the
    platform's usual place is taken. Read at every call, so a changed variable takes effect.

    Raises:
        FremError: the folder cannot be made, or its name belongs to a file.
    """
    given = os.environ.get("FREM_HOME", "").strip()
    folder = Path(given).expanduser().absolute() if given else _usual_place()
    if not folder.is_dir():
        _make_private(folder)
    return folder


def _usual_place() -> Path:
    with naming_the_extra():
        from platformdirs import user_data_path  # the core of the package does without
    return user_data_path("frem-studio", False)


def _make_private(folder: Path) -> None:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise FremError(
            f"The data folder {folder} cannot be made ({error.strerror}). "
            "Set FREM_HOME to a folder you may write to."
        ) from error
