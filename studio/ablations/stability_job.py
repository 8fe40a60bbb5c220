"""The bootstrap of MI(Ŷ, S) in a process of its own, shared by all viewers."""

import json
import logging
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final

import pandas as pd
import streamlit as st

logger = logging.getLogger(__name__)

_ROOT: Final = Path(__file__).resolve().parents[2]
COLUMNS: Final = ("run", "variant", "rows", "estimate", "mean", "sd", "cv", "low", "high")


class StabilityJob:
    """Resamples the test rows of runs, one after the other.

    Args:
        runs: id and variant of each run.
        resamples: bootstrap samples per run.

    Attributes:
        total: how many runs there are.
        error: what went wrong, for users, or "".
    """

    def __init__(self, runs: tuple[tuple[str, str], ...], resamples: int) -> None:
        self.total = len(runs)
        self.error = ""
        self._variants = dict(runs)
        self._rows: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        command = ["-m", "studio.ablations.stability_child", str(resamples), *self._variants]
        self._child = subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=_ROOT,
        )
        self._thread = threading.Thread(target=self._listen, name="mi-stability", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether more is to come."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Ends the process; what is there stays."""
        self._child.terminate()

    def wait(self, timeout: float | None = None) -> None:
        """Blocks until the process has ended, or the timeout is over."""
        self._thread.join(timeout)

    def table(self) -> pd.DataFrame:
        """What there is by now, one row per run."""
        with self._lock:
            return pd.DataFrame(self._rows, columns=list(COLUMNS))

    def _listen(self) -> None:
        with self._child as child:
            assert child.stdout is not None
            for line in child.stdout:
                news = json.loads(line)
                with self._lock:
                    if "error" in news:
                        self.error = str(news["error"])
                    else:
                        self._rows.append(news | {"variant": self._variants[news["run"]]})
        if child.returncode and not self.error:
            logger.error("The bootstrap ended with code %s", child.returncode)
            self.error = "It ended without a result; the terminal of the dashboard says why."


# The same runs give the same numbers, so nobody computes them twice.
@st.cache_resource(max_entries=16, show_spinner=False, on_release=StabilityJob.stop)
def stability_job(runs: tuple[tuple[str, str], ...], resamples: int) -> StabilityJob:
    """The job for these runs; it starts when it is asked for the first time."""
    return StabilityJob(runs, resamples)
