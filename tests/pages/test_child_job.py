"""Whatever becomes of a child, its job ends in a final state with a sentence for users."""

import os
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest

from studio.child_job import ChildJob
from tests.pages.broken_children import GARBAGE, KILLED

BEGIN = "from studio.child import run_child\n"
FOR_EVER = "import threading; threading.Event().wait()\n"


class Counting(ChildJob):
    """Keeps the numbers that its child reports."""

    what = "Counting"
    if_killed = "Count less."

    def __init__(self, code: str, *arguments: str, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.command = ("-c", BEGIN + code)  # type: ignore[misc]
        self.reported, self.endings = threading.Event(), 0
        self.forget()

    def forget(self) -> None:
        self.numbers: list[int] = []

    def take(self, news: dict[str, Any]) -> None:
        self.numbers.append(int(news["number"]))
        self.reported.set()

    def ended(self) -> None:
        self.endings += 1


def counting(body: str, *arguments: str, **settings: Any) -> Counting:
    """A job whose child does what ``body`` says."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return Counting(f"def main(report, *given):\n{lines}run_child(main)\n", *arguments, **settings)


def finished(job: Counting) -> Counting:
    job.start()
    job.wait()
    assert job.is_over
    assert job.endings == 1
    return job


def test_reports_arrive_in_order_and_prints_do_not_spoil_them() -> None:
    job = finished(
        counting("for n in given:\n  print('a note')\n  report(number=n)", "3", "1", "2")
    )
    assert (job.state, job.message, job.numbers) == ("done", "", [3, 1, 2])


@pytest.mark.parametrize(("most", "politeness"), [("", 10), ("19", 10), ("3", 3), ("0", 0)])
def test_the_child_reads_its_order_and_is_as_polite_as_it_may_be(
    most: str, politeness: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FREM_NICENESS", most)
    job = counting(
        "import json, os, sys\nreport(number=json.load(sys.stdin)['n'])\nreport(number=os.nice(0))",
        order={"n": 7},
    )
    assert finished(job).numbers == [7, min(19, os.nice(0) + politeness)]


def test_a_setting_that_makes_no_sense_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREM_NICENESS", "very")
    job = finished(counting("report(number=1)"))
    assert (job.state, job.is_foreseen) == ("failed", True)
    assert "FREM_NICENESS must be a whole number" in job.message


def test_a_refusal_is_shown_as_it_was_written() -> None:
    job = finished(
        counting("from frem_core.errors import DataError\nraise DataError('Too few rows.')")
    )
    assert (job.state, job.message, job.is_foreseen) == ("failed", "Too few rows.", True)


def test_an_error_that_nobody_foresaw_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    job = finished(counting("report(number=1)\nreturn {}['x']"))
    assert (job.state, job.is_foreseen, job.numbers) == ("failed", False, [1])
    assert "not foreseen (KeyError: 'x')" in job.message
    assert "Traceback" in capfd.readouterr().err  # the terminal says more


def test_a_child_that_is_killed_is_explained() -> None:
    job = counting("import os\nreport(number=os.getpid())\n" + FOR_EVER)
    job.start()
    assert job.reported.wait(240)
    assert job.state == "running"
    os.kill(job.numbers[0], signal.SIGKILL)
    job.wait()
    assert job.state == "failed"
    assert "(signal 9)" in job.message
    assert job.message.endswith("memory than is free. Count less.")


@pytest.mark.parametrize(
    "code",
    [
        GARBAGE,
        "import sys; sys.stdout.buffer.write(bytes(range(256)) + b'\\n')",
        "print('[1, 2]')",
        "print('7')",
        'print(\'{"nothing": "known"}\')',
        'print(\'{"number": "many"}\')',
        'print(\'{"end": "failed", "why": 1}\')',
        f"print('<html>', flush=True); {FOR_EVER}",  # it does not end by itself
    ],
)
def test_nonsense_ends_the_job(code: str) -> None:
    job = finished(Counting(code))
    assert job.state == "failed"
    assert job.message.startswith("Counting reported something that cannot be read.")


@pytest.mark.parametrize(("code", "number"), [("raise SystemExit(3)", "3"), ("pass", "0")])
def test_a_child_that_ends_without_a_word_is_explained(code: str, number: str) -> None:
    job = finished(Counting(code))
    assert job.state == "failed"
    assert f"ended without a result (exit code {number})" in job.message


def test_a_child_that_cannot_start_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    job = finished(counting("pass"))
    assert job.state == "failed"
    assert "Counting could not be started" in job.message
    assert "/no/such/python" in job.message


def test_patience_ends() -> None:
    job = finished(counting(FOR_EVER, patience=0.001))
    assert (job.state, job.message) == (
        "failed",
        "Counting took more than 0.001 seconds and was ended.",
    )


def test_what_was_reported_before_a_stop_stays() -> None:
    job = counting("report(number=5)\n" + FOR_EVER)
    job.start()
    assert job.reported.wait(240)
    job.stop()
    job.wait()
    assert (job.state, job.message, job.numbers) == ("stopped", "", [5])


def test_a_failed_job_can_be_started_again(tmp_path: Any) -> None:
    mark = tmp_path / "was here"
    job = counting(
        "import pathlib\nreport(number=1)\nmark = pathlib.Path(given[0])\n"
        "if not mark.exists():\n  mark.touch()\n  1 / 0",
        str(mark),
    )
    assert finished(job).state == "failed"
    job.start()
    job.wait()
    assert (job.state, job.message, job.numbers, job.endings) == ("done", "", [1], 2)


def test_a_job_under_way_is_not_started_twice() -> None:
    job = counting("report(number=1)\n" + FOR_EVER)
    job.start()
    assert job.reported.wait(240)
    job.start()
    assert (job.state, job.numbers) == ("running", [1])
    job.stop()
    job.wait()
    assert job.endings == 1


def test_jobs_wait_for_a_slot_and_leave_it_however_they_end() -> None:
    slot = threading.Semaphore(1)
    first = counting("report(number=1)\n" + FOR_EVER, slots=slot)
    first.start()
    assert first.reported.wait(240)
    second, third = Counting(KILLED, slots=slot), counting("report(number=2)", slots=slot)
    second.start()
    third.start()
    assert second.state == third.state == "waiting"
    first.stop()
    second.wait()
    third.wait()
    assert (first.state, second.state, third.state) == ("stopped", "failed", "done")


def test_a_child_ends_when_nobody_listens() -> None:
    code = BEGIN + "def main(report):\n  while True:\n    report(number=1)\nrun_child(main)"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    child.stdout.close()
    assert child.wait(240) == 0
