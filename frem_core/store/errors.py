"""The errors of the store, and how a database's complaint becomes a sentence for users."""

import errno
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from frem_core.errors import FremError


class StoreError(FremError):
    """The store cannot do what was asked; what it held before is still there."""


class ReadOnlyError(StoreError):
    """The store's folder cannot be written to; what lies there can still be read."""


class FullDiskError(StoreError):
    """There is no space left; what was to be written can be written once there is."""


class DamagedFileError(StoreError):
    """A file of a run is lost, cut short or another one.

    Attributes:
        run: the run, which can be trained once more.
    """

    def __init__(self, message: str, run: str) -> None:
        super().__init__(message)
        self.run = run


class NewerStoreError(StoreError):
    """The store was written by a newer version of the program."""


class UnreachableError(StoreError):
    """The database does not answer."""


class StoreBusyError(StoreError):
    """Other processes kept the store locked for longer than anyone should wait."""


class LeaseLostError(StoreError):
    """A run or an engine belongs to another owner by now; the late result is dropped."""


class FinishedRunError(StoreError):
    """A finished run is never changed."""


# What SQLite says → what the user reads. Looked up in this order, as parts of the message.
_SQLITE_SENTENCES = (
    (
        "disk is full",
        "The disk is full. Free some space and try again; nothing was lost.",
        FullDiskError,
    ),
    (
        "readonly database",
        "The folder is read-only. Make it writable or set FREM_HOME elsewhere.",
        ReadOnlyError,
    ),
    (
        "unable to open",
        "The file cannot be opened for writing. Is its folder writable?",
        StoreError,
    ),
    (
        "malformed",
        "The file is damaged. It was left as it is: restore a backup or move it away.",
        StoreError,
    ),
    (
        "not a database",
        "The file is not a database. It was left as it is: move it away.",
        StoreError,
    ),
    (
        "disk i/o error",
        "The disk reported an error. Check the disk and its free space.",
        StoreError,
    ),
)
_FINISHED = "finished runs are immutable"


def is_busy(error: DBAPIError) -> bool:
    """True when the same transaction may well succeed a moment later."""
    code = getattr(error.orig, "sqlstate", None)
    if code is not None:  # PostgreSQL: serialisation failure, deadlock, lock not available
        return code in {"40001", "40P01", "55P03"}
    text = str(error.orig).lower()
    return "database is locked" in text or "database table is locked" in text


def explain(error: DBAPIError, where: str) -> StoreError:
    """Turns a database error into one that says what happened and what to do.

    Args:
        error: what SQLAlchemy raised.
        where: the store as users know it: its file, or its address without the password.
    """
    text = str(error.orig).strip()
    if _FINISHED in text:
        return FinishedRunError("A finished run cannot be changed; delete it to train it again.")
    if is_busy(error):
        return StoreBusyError(
            f"The store {where} is locked by other processes. Try again in a moment."
        )
    for part, sentence, kind in _SQLITE_SENTENCES:
        if part in text.lower():
            return kind(f"The store {where} failed. {sentence}")
    if getattr(error.orig, "sqlstate", None) == "53100":
        return FullDiskError(
            f"The disk of the store {where} is full. Free some space there; nothing was lost."
        )
    if error.connection_invalidated or "connection" in text.lower():
        return UnreachableError(
            f"The store {where} cannot be reached: {text.splitlines()[0]}. Check that the database "
            "runs and that FREM_STORE names it; nothing was lost."
        )
    return StoreError(f"The store {where} reported: {text.splitlines()[0] if text else error}")


def explain_disk(error: OSError, path: Path) -> StoreError:
    """The same for files beside the database."""
    if error.errno == errno.ENOSPC or error.errno == errno.EDQUOT:
        kind: type[StoreError] = FullDiskError
        reason = "the disk is full; free some space and try again, nothing was lost"
    elif error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        kind = ReadOnlyError
        reason = "the folder is read-only; make it writable or set FREM_HOME elsewhere"
    else:
        kind, reason = StoreError, error.strerror or type(error).__name__
    return kind(f"{path} cannot be written: {reason}.")
