"""Reads uploaded tables in a process of their own, so that other viewers notice nothing.

Parsing a large file in the server would hold Python's lock for seconds at a time. A child process
(:mod:`studio.reading_child`) reads the file, keeps the table and reports as it goes; the server
only listens. A job belongs to the server, not to a browser tab: after a refresh its progress is
found again by its id. Small text files are read at once: they take less time than a child needs to
start.
"""

import io
import logging
import os
import re
import shutil
import threading
import time
from pathlib import Path
from typing import Any, Final, Protocol

from frem_core.datasets import read_edges, read_table
from frem_core.datasets.tables.read_table import check_is_table
from frem_core.errors import FremError
from frem_core.home import data_home
from frem_core.store.tables import TableKind, table_id_of
from studio.child_job import ChildJob
from studio.rights import my_name, take_upload
from studio.tables import find_table, is_kept, is_whole, the_tables

logger = logging.getLogger(__name__)

_SLOTS: Final = threading.Semaphore(2)  # more at once would only slow each other down
_JOBS: Final[dict[tuple[str | None, str], "ReadingJob"]] = {}  # by person and table
_LOCK: Final = threading.Lock()
_LONGEST_NAME: Final = 100
_QUICK_BYTES: Final = 4_000_000
_PACKED: Final = (b"PK", b"\x1f\x8b", b"PA")  # zip (Excel), gzip, Parquet
_STALE: Final = 24 * 3600  # seconds after which a file that is still there is removed


class Upload(Protocol):
    """What an uploaded file offers."""

    name: str

    def getbuffer(self) -> memoryview:
        """The content without a copy."""


class ReadingJob(ChildJob):
    """A file on its way to a kept table.

    Args:
        table_id: id of the table to be.
        name: file name as the user gave it.
        kind: ``"table"``, or ``"edges"`` for a list of edges.
    """

    command = ("-m", "studio.reading_child")
    what = "Reading"
    if_killed = "Try a file with fewer rows or columns."

    def __init__(self, table_id: str, name: str, kind: TableKind = "table") -> None:
        super().__init__(slots=_SLOTS)
        self.id, self.name, self.kind = table_id, name, kind
        self._file: Path | None = None
        self._share = 0.0

    def put_aside(self, content: memoryview) -> None:
        """Writes the content where the child finds it."""
        self._file = _waiting_room(self.name)
        self._file.touch(mode=0o600)
        self._file.write_bytes(content)
        self.arguments = (str(self._file), self.id, self.name, self.kind)

    @property
    def share(self) -> float:
        """How much has been read, 0 to 1."""
        return 1.0 if self.state == "done" else self._share

    @property
    def can_try_again(self) -> bool:
        """Whether it failed for no fault of the file, which is still there."""
        return (
            self.state == "failed"
            and not self.is_foreseen
            and self._file is not None
            and self._file.exists()
        )

    def forget(self) -> None:
        """Begins to count anew."""
        self._share = 0.0

    def take(self, news: dict[str, Any]) -> None:
        """Takes how far the child is."""
        self._share = float(news["share"])

    def ended(self) -> None:
        """Removes the file, unless it can be tried again."""
        if not self.can_try_again:
            self.discard()

    def discard(self) -> None:
        """Removes what waits for the child."""
        if self._file is not None:
            shutil.rmtree(self._file.parent, ignore_errors=True)


def start_reading(upload: Upload, kind: TableKind = "table") -> ReadingJob:
    """Starts to read an uploaded file, or joins the viewer's job that reads the same file."""
    content = upload.getbuffer()
    table_id = table_id_of(content)
    key = (my_name(), table_id)
    with _LOCK:
        before = _JOBS.get(key)
        if before is not None:
            if not before.is_over:
                return before
            before.discard()
        job = _JOBS[key] = ReadingJob(table_id, upload.name, kind)
    try:
        take_upload(table_id, len(content))
        _begin(job, content)
    except FremError as error:
        job.fail(str(error), is_foreseen=True)
    except Exception as error:
        logger.exception("Reading %s could not begin", table_id)
        job.fail(f"The file could not be taken in ({type(error).__name__}: {error}).")
    return job


def _begin(job: ReadingJob, content: memoryview) -> None:
    if is_whole(job.id) and find_table(job.id).kind == job.kind:
        job.state = "done"
    elif _is_quick(content):
        _read_here(job, content)
    if not job.is_over:
        job.put_aside(content)
        job.start()


def _is_quick(content: memoryview) -> bool:
    # Archives and workbooks may unpack to much more than they seem: those go to a child.
    return len(content) <= _QUICK_BYTES and bytes(content[:2]) not in _PACKED


def _read_here(job: ReadingJob, content: memoryview) -> None:
    file = io.BytesIO(content)
    file.name = job.name
    try:
        frame = (
            check_is_table(read_table(file), job.name) if job.kind == "table" else read_edges(file)
        )
        the_tables().keep(frame, table_id=job.id, name=job.name, kind=job.kind)
    except FremError as error:
        job.fail(str(error), is_foreseen=True)
    except Exception:
        # Nothing foresees this; a child tries once more, and says what became of it.
        logger.exception("Reading %s at once failed", job.id)
    else:
        job.state = "done"


def find_job(job_id: str) -> ReadingJob | None:
    """The viewer's job with this id; a table that is already kept counts as done."""
    job = _JOBS.get((my_name(), job_id))
    if job is None and is_kept(job_id):
        job = ReadingJob(job_id, find_table(job_id).name)
        job.state = "done"
    return job


def _waiting_room(name: str) -> Path:
    """A folder for one file, which keeps its name there because messages mention it."""
    incoming = data_home() / "incoming"
    incoming.mkdir(mode=0o700, exist_ok=True)
    for left in incoming.iterdir():
        if time.time() - left.stat().st_mtime > _STALE:
            shutil.rmtree(left, ignore_errors=True)
    folder = incoming / os.urandom(8).hex()
    folder.mkdir(mode=0o700)
    harmless = re.sub(r"[\\/\x00-\x1f]", "_", name).strip(". ")[-_LONGEST_NAME:]
    return folder / (harmless or "table")
