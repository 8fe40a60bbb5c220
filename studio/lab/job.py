"""A simulation that runs beside the pages, so that a rerun or a refresh does not disturb it."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from studio.child_job import ChildJob, JobState
from studio.lab.settings import LabSettings


@dataclass(frozen=True)
class Progress:
    """A job at one moment.

    Attributes:
        state: whether more is to come.
        message: what went wrong, for users.
        finished: samples that were drawn and estimated.
        total: samples that were asked for.
        estimates: the tidy table so far; None before the first batch.
    """

    state: JobState
    message: str
    finished: int
    total: int
    estimates: pd.DataFrame | None


class SimulationJob(ChildJob):
    """Runs one simulation in a process of its own and collects what it reports."""

    command = ("-m", "studio.lab.child")
    what = "The simulation"

    def __init__(self, settings: LabSettings) -> None:
        super().__init__(urlencode(settings.to_address(), doseq=True))
        self._total = settings.replicates * len(settings.samples)
        self.forget()

    def forget(self) -> None:
        """Drops the estimates."""
        self._batches: list[pd.DataFrame] = []
        self._finished = 0

    def take(self, news: dict[str, Any]) -> None:
        """Takes one batch of estimates."""
        batch = pd.DataFrame(**news)
        self._finished += int(batch["replicate"].nunique())
        self._batches.append(batch)

    def progress(self) -> Progress:
        """What there is by now."""
        with self.lock:
            if len(self._batches) > 1:
                self._batches = [pd.concat(self._batches, ignore_index=True)]
            estimates = self._batches[0] if self._batches else None
            return Progress(self.state, self.message, self._finished, self._total, estimates)


# Shared by all viewers: the same settings give the same numbers, so nobody computes them twice.
@st.cache_resource(max_entries=16, show_spinner=False, on_release=SimulationJob.stop)
def job_for(settings: LabSettings) -> SimulationJob:
    """The job with these settings; it starts when it is asked for the first time."""
    job = SimulationJob(settings)
    job.start()
    return job
