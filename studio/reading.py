"""Reads uploaded tables in a process of their own, so that other viewers notice nothing.

Parsing a large file in the server would hold Python's lock for seconds at a time. A child process
(:mod:`studio.reading_child`) reads the file, keeps the table and reports as it goes; the server
only listens. A job belongs to the server, not to a browser tab: after a refresh its progress is
found again by its id. Small text files are read at once: they take less time than a child needs to
start.
"""

import io
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from frem_core.datasets import read_edges, read_table
from frem_core.errors import FremError
from frem_core.home import data_home
from frem_core.store.tables import TableKind, table_id_of
from studio.tables import find_table, is_kept, the_tables

logger = logging.getLogger(__name__)

_AT_ONCE: Final = 2  # children that read at the same time; more would only slow each other down
_SLOTS: Final = threading.Semaphore(_AT_ONCE)
_JOBS: Final[dict[str, "ReadingJob"]] = {}
_LOCK: Final = threading.Lock()
_COMMAND = ("-m", "studio.reading_child")
_LONGEST_NAME: Final = 100
_QUICK_BYTES: Final = 4_000_000
_PACKED: Final = (b"PK", b"\x1f\x8b", b"PA")  # zip (Excel), gzip, Parquet
_STALE: Final = 24 * 3600  # seconds after which a file left by a crash is removed


class Upload(Protocol):
    """What an uploaded file offers."""

    name: str

    def getbuffer(self) -> memoryview:
        """The content without a copy."""


@dataclass
class ReadingJob:
    """A file on its way to a kept table.

    Attributes:
        id: id of the table to be.
        name: file name as the user gave it.
        state: ``"waiting"``, ``"reading"``, ``"done"``, ``"failed"`` or ``"stopped"``.
        share: how much has been read, 0 to 1.
        message: what went wrong, for users.
        kind: ``"table"``, or ``"edges"`` for a list of edges.
    """

    id: str
    name: str
    state: str = "waiting"
    share: float = 0.0
    message: str = ""
    kind: TableKind = "table"
    _child: subprocess.Popen[str] | None = field(default=None, repr=False)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in {"done", "failed", "stopped"}

    def stop(self) -> None:
        """Ends the child; nothing of the file is kept."""
        with _LOCK:
            if self.is_over:
                return
            self.state = "stopped"
            if self._child is not None:
                self._child.terminate()


def start_reading(upload: Upload, kind: TableKind = "table") -> ReadingJob:
    """Starts to read an uploaded file, or joins the job that reads the same file already."""
    content = upload.getbuffer()
    table_id = table_id_of(content)
    with _LOCK:
        job = _JOBS.get(table_id)
        if job is not None and not job.is_over:
            return job
        job = _JOBS[table_id] = ReadingJob(table_id, upload.name, kind=kind)
    if is_kept(table_id) and find_table(table_id).kind == kind:
        job.state, job.share = "done", 1.0
        return job
    if _is_quick(content):
        _read_here(job, content)
        return job
    waiting = _waiting_room(upload.name)
    waiting.touch(mode=0o600)
    waiting.write_bytes(content)
    threading.Thread(
        target=_follow, args=(job, waiting), name=f"reading {table_id}", daemon=True
    ).start()
    return job


def _is_quick(content: memoryview) -> bool:
    # Archives and workbooks may unpack to much more than they seem: those go to a child.
    return len(content) <= _QUICK_BYTES and bytes(content[:2]) not in _PACKED


def _read_here(job: ReadingJob, content: memoryview) -> None:
    file = io.BytesIO(content)
    file.name = job.name
    try:
        frame = read_table(file) if job.kind == "table" else read_edges(file)
        the_tables().keep(frame, table_id=job.id, name=job.name, kind=job.kind)
    except FremError as error:
        job.state, job.message = "failed", str(error)
    else:
        job.state, job.share = "done", 1.0


def find_job(job_id: str) -> ReadingJob | None:
    """The job with this id; a table that is already kept counts as done."""
    job = _JOBS.get(job_id)
    if job is None and is_kept(job_id):
        return ReadingJob(job_id, find_table(job_id).name, state="done", share=1.0)
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


def _follow(job: ReadingJob, file: Path) -> None:
    """Runs the child of a job to its end; whatever happens, the job ends in a final state."""
    try:
        with _SLOTS:
            _run_child(job, file)
    except Exception:
        logger.exception("Reading %s failed", job.id)
    finally:
        shutil.rmtree(file.parent, ignore_errors=True)
        if not job.is_over:
            job.message = job.message or (
                "Reading ended without a result, most likely because the table needs more memory "
                "than is free. Try a file with fewer rows or columns."
            )
            job.state = "failed"


def _run_child(job: ReadingJob, file: Path) -> None:
    command = [sys.executable, *_COMMAND, str(file), job.id, job.name, job.kind]
    with _LOCK:
        if job.is_over:
            return
        child = job._child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=Path(__file__).resolve().parents[1],
        )
        job.state = "reading"
    with child:
        assert child.stdout is not None
        for line in child.stdout:
            _take_report(job, json.loads(line))


def _take_report(job: ReadingJob, report: dict[str, object]) -> None:
    with _LOCK:
        if job.is_over:
            return
        if "share" in report:
            job.share = float(str(report["share"]))
        elif "error" in report:
            job.state, job.message = "failed", str(report["error"])
        elif "done" in report:
            job.state, job.share = "done", 1.0
