"""A process that does not end when asked is killed and named, and takes no other test down."""

import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from tests.sweeps.processes import end_or_kill
from tools import dashboard as dashboard_file
from tools.dashboard import Dashboard

# Ignores being asked to end; a thread that waits for a lock for ever would do the same.
STUBBORN = """
import signal, sys, threading
signal.signal(signal.SIGTERM, lambda number, frame: None)
print("up", flush=True)
while True:
    threading.Event().wait(60)
"""
ENDS = "import sys; print('up', flush=True); sys.stdin.read()"


def start(program: str) -> "tuple[subprocess.Popen[bytes], Dashboard]":
    log = tempfile.TemporaryFile()  # noqa: SIM115  # `Dashboard.stop` closes it
    process = subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"up\n"
    return process, Dashboard("http://127.0.0.1:0", process, Path("home"), log)


def test_a_dashboard_that_hangs_is_killed_and_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dashboard_file, "_SECONDS_TO_END", 0.5)
    process, hangs = start(STUBBORN)
    with process:
        words = hangs.stop()
    assert process.returncode is not None
    assert f"http://127.0.0.1:0 over home (process {process.pid}) did not end" in words
    assert "threading.py" in words  # what it waited for


def test_one_that_ends_has_nothing_to_say() -> None:
    process, ends = start(ENDS)
    with process:
        assert ends.stop() == ""


def test_an_engine_that_hangs_is_killed_and_named() -> None:
    process, hangs = start(STUBBORN)
    with process, hangs.log:
        process.terminate()
        with pytest.raises(pytest.fail.Exception, match=rf"the engine of x did not.*{process.pid}"):
            end_or_kill([psutil.Process(process.pid)], "the engine of x", seconds=0.5)
        assert process.wait(60) < 0
    end_or_kill([], "nobody")
