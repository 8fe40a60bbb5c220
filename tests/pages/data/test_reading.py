import io
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from studio import reading
from studio.reading import ReadingJob, find_job, start_reading
from studio.tables import the_tables
from tests.pages.broken_children import KILLED


class Upload(io.BytesIO):
    def __init__(self, name: str, content: bytes) -> None:
        super().__init__(content)
        self.name = name


def _finished(job: ReadingJob) -> ReadingJob:
    job.wait()
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
    take = ReadingJob.take

    def note(job: ReadingJob, news: dict[str, Any]) -> None:
        take(job, news)
        shares.append(job.share)

    monkeypatch.setattr(ReadingJob, "take", note)
    job = _finished(start_reading(Upload("clinic.csv", clinic.to_csv(index=False).encode())))
    assert job.state == "done"
    assert shares == sorted(shares)
    assert len(shares) > 1


def test_what_the_child_cannot_read_is_explained_by_name(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_QUICK_BYTES", 0)
    job = _finished(start_reading(Upload("report.csv", b"<html><body>x</body></html>")))
    assert job.state == "failed"
    assert "'report.csv' is a web page" in job.message
    assert find_job(job.id) is job


def test_the_file_waits_until_a_child_that_died_is_replaced(
    home: Path, clinic: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ReadingJob.command
    monkeypatch.setattr(ReadingJob, "command", ("-c", KILLED))
    job = _finished(start_reading(Upload("x.parquet", _parquet(clinic))))
    assert job.state == "failed"
    assert "memory" in job.message
    assert job.message.endswith("Try a file with fewer rows or columns.")
    assert job.can_try_again
    assert len(list((home / "incoming").iterdir())) == 1
    monkeypatch.setattr(ReadingJob, "command", whole)
    job.start()
    assert _finished(job).state == "done"
    assert list((home / "incoming").iterdir()) == []


def test_a_file_at_fault_is_not_kept(home: Path) -> None:
    job = _finished(start_reading(Upload("x.parquet", b"PAR1 and nothing else")))
    assert (job.state, job.can_try_again) == ("failed", False)
    assert list((home / "incoming").iterdir()) == []


def test_what_fails_unforeseen_at_once_is_left_to_a_child(
    home: Path, clinic: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "read_table", lambda file: 1 / 0)
    content = clinic.to_csv(index=False).encode()
    assert _finished(start_reading(Upload("clinic.csv", content))).state == "done"


def test_a_full_disk_is_told(
    home: Path, clinic: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: memoryview) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    job = start_reading(Upload("x.parquet", _parquet(clinic)))
    assert job.state == "failed"
    assert "No space left on device" in job.message


def test_a_stopped_job_keeps_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReadingJob, "command", ("-c", "import threading; threading.Event().wait()"))
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
