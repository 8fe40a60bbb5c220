"""The bootstrap of MI(Ŷ, S) in a process of its own, shared by all viewers."""

from typing import Any, Final

import pandas as pd
import streamlit as st

from studio.child_job import ChildJob

COLUMNS: Final = ("run", "variant", "rows", "estimate", "mean", "sd", "cv", "low", "high")


class StabilityJob(ChildJob):
    """Resamples the test rows of runs, one after the other.

    Args:
        runs: id and variant of each run.
        resamples: bootstrap samples per run.

    Attributes:
        total: how many runs there are.
    """

    command = ("-m", "studio.ablations.stability_child")
    what = "Resampling"

    def __init__(self, runs: tuple[tuple[str, str], ...], resamples: int) -> None:
        self._variants = dict(runs)
        self.total = len(runs)
        super().__init__(str(resamples), *self._variants)
        self.forget()

    def forget(self) -> None:
        """Drops the numbers."""
        self._rows: list[dict[str, Any]] = []
        self._refusal = ""

    def take(self, news: dict[str, Any]) -> None:
        """Takes the numbers of one run, or why there are none."""
        if "error" in news:
            self._refusal = str(news["error"])
        else:
            self._rows.append(news | {"variant": self._variants[news["run"]]})

    @property
    def error(self) -> str:
        """What went wrong, for users, or ""."""
        return self.message or self._refusal

    def table(self) -> pd.DataFrame:
        """What there is by now, one row per run."""
        with self.lock:
            return pd.DataFrame(self._rows, columns=list(COLUMNS))


# The same runs give the same numbers, so nobody computes them twice.
@st.cache_resource(max_entries=16, show_spinner=False, on_release=StabilityJob.stop)
def stability_job(runs: tuple[tuple[str, str], ...], resamples: int) -> StabilityJob:
    """The job for these runs; it starts when it is asked for the first time."""
    job = StabilityJob(runs, resamples)
    job.start()
    return job
