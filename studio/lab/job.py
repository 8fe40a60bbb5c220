"""A simulation that runs beside the pages, so that a rerun or a refresh does not disturb it."""

import json
import logging
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from studio.lab.settings import LabSettings

logger = logging.getLogger(__name__)
State = Literal["running", "done", "stopped", "failed"]
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Progress:
    """A job at one moment.

    Attributes:
        state: whether more is to come.
        finished: samples that were drawn and estimated.
        total: samples that were asked for.
        estimates: the tidy table so far; None before the first batch.
    """

    state: State
    finished: int
    total: int
    estimates: pd.DataFrame | None


class SimulationJob:
    """Runs one simulation in a process of its own and collects what it reports."""

    def __init__(self, settings: LabSettings) -> None:
        self._total = settings.replicates * len(settings.samples)
        self._lock = threading.Lock()
        self._batches: list[pd.DataFrame] = []
        self._state: State = "running"
        self._finished = 0
        address = urlencode(settings.to_address(), doseq=True)
        self._child = subprocess.Popen(
            [sys.executable, "-m", "studio.lab.child", address],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=_ROOT,
        )
        self._thread = threading.Thread(target=self._listen, name="estimator-lab", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether batches are still to come."""
        return self._state == "running"

    def cancel(self) -> None:
        """Stops the job at once; what is there stays."""
        with self._lock:
            if self._state == "running":
                self._state = "stopped"
                self._child.terminate()

    def wait(self, timeout: float | None = None) -> None:
        """Blocks until the process has ended, or the timeout is over."""
        self._thread.join(timeout)

    def progress(self) -> Progress:
        """What there is by now."""
        with self._lock:
            if len(self._batches) > 1:
                self._batches = [pd.concat(self._batches, ignore_index=True)]
            estimates = self._batches[0] if self._batches else None
            return Progress(self._state, self._finished, self._total, estimates)

    def _listen(self) -> None:
        with self._child as child:
            assert child.stdout is not None
            for line in child.stdout:
                self._take(pd.DataFrame(**json.loads(line)))
        with self._lock:
            if self._state == "running":
                complete = child.returncode == 0 and self._finished == self._total
                self._state = "done" if complete else "failed"
                if not complete:
                    logger.error("A simulation ended with code %s", child.returncode)

    def _take(self, batch: pd.DataFrame) -> None:
        with self._lock:
            if self._state == "running":
                self._batches.append(batch)
                self._finished += int(batch["replicate"].nunique())


# Shared by all viewers: the same settings give the same numbers, so nobody computes them twice.
@st.cache_resource(max_entries=16, show_spinner=False, on_release=SimulationJob.cancel)
def job_for(settings: LabSettings) -> SimulationJob:
    """The job with these settings; it starts when it is asked for the first time."""
    return SimulationJob(settings)
