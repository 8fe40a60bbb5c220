import io
import threading
from pathlib import Path

import pandas as pd
import pytest

from studio import reading
from studio.reading import ReadingJob, find_job, start_reading
from studio.tables import the_tables


class Upload(io.BytesIO):
    def __init__(self, name: str, content: bytes) -> None:
        super().__init__(content)
        self.name = name


def _finished(job: ReadingJob) -> ReadingJob:
    for thread in threading.enumerate():
        if thread.name == f"reading {job.id}":
            thread.join()
    assert job.is_over
    return job


def _parquet(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    return buffer.getvalue()


def test_a_small_text_is_read_at_once(home: Path, clinic: pd.DataFrame) -> None:
    job = start_reading(Upload("clinic.csv", clinic.to_csv(index=False).encode()))
    assert job.state == "done"
    assert len(the_tables().load(job.id)) == 300
    assert not (home / "incoming").exists()


def test_a_packed_file_is_read_by_a_child(home: Path, clinic: pd.DataFrame) -> None:
    job = _finished(start_reading(Upload("../clinic.parquet", _parquet(clinic))))
    assert job.state == "done"
    assert job.share == 1.0
    assert list(the_tables().load(job.id).columns) == list(clinic.columns)
    assert list((home / "incoming").iterdir()) == []


def test_a_large_text_is_read_by_a_child_that_reports(
    home: Path, clinic: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_QUICK_BYTES", 0)
    shares: list[float] = []
    take_report = reading._take_report

    def note(job: ReadingJob, report: dict[str, object]) -> None:
        take_report(job, report)
        shares.append(job.share)

    monkeypatch.setattr(reading, "_take_report", note)
    job = _finished(start_reading(Upload("clinic.csv", clinic.to_csv(index=False).encode())))
    assert job.state == "done"
    assert shares == sorted(shares)
    assert len(shares) > 2


def test_what_the_child_cannot_read_is_explained_by_name(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_QUICK_BYTES", 0)
    job = _finished(start_reading(Upload("report.csv", b"<html><body>x</body></html>")))
    assert job.state == "failed"
    assert "'report.csv' is a web page" in job.message
    assert find_job(job.id) is job


def test_a_child_that_dies_is_explained(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_COMMAND", ("-c", "import os; os._exit(137)"))
    job = _finished(start_reading(Upload("x.parquet", b"PAR1 and nothing else")))
    assert job.state == "failed"
    assert "memory" in job.message
    assert list((home / "incoming").iterdir()) == []


def test_a_stopped_job_keeps_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_COMMAND", ("-c", "import time; time.sleep(600)"))
    upload = Upload("x.parquet", b"PAR1 and nothing more")
    job = start_reading(upload)
    assert start_reading(upload) is job
    job.stop()
    assert _finished(job).state == "stopped"
    assert list((home / "incoming").iterdir()) == []


def test_the_same_file_is_not_read_twice_and_is_found_after_a_restart(
    home: Path, clinic: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = Upload("clinic.csv", clinic.to_csv(index=False).encode())
    job = start_reading(upload)
    monkeypatch.setattr(reading, "_JOBS", {})
    found = find_job(job.id)
    assert found is not None
    assert found.state == "done"
    monkeypatch.setattr(reading, "_QUICK_BYTES", 0)
    assert start_reading(upload).state == "done"
    assert find_job("f" * 20) is None
