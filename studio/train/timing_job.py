"""Times steps in a process of its own, so that the pages stay free."""

import contextlib
import json
import logging
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import streamlit as st

from frem_core.sweeps import DatasetSpec, RunConfig
from studio.train.pace import Pace

logger = logging.getLogger(__name__)
_ROOT = Path(__file__).resolve().parents[2]
_PATIENCE: Final = 180.0
# One child at a time: two would slow each other down and both tell too long a time.
_SLOT: Final = threading.Semaphore(1)


class TimingJob:
    """Times one representative bundle of each kind; ends by itself.

    Args:
        dataset: where the data comes from.
        bundles: one per kind, each the runs that are trained side by side.
    """

    def __init__(self, dataset: DatasetSpec, bundles: Sequence[Sequence[RunConfig]]) -> None:
        self._order = json.dumps(
            {
                "dataset": dataset.to_dict(),
                "bundles": [[run.to_dict() for run in bundle] for bundle in bundles],
            }
        )
        self._epochs: dict[str, float] = {}
        self._evaluation: float | None = None
        self._child: subprocess.Popen[str] | None = None
        self._is_cancelled = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="train-timing", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether news may still come."""
        return self._thread.is_alive()

    def wait(self, timeout: float | None = None) -> None:
        """Blocks until it has ended, or the timeout is over."""
        self._thread.join(timeout)

    def cancel(self) -> None:
        """Ends the child; nobody is interested any more."""
        with self._lock:
            self._is_cancelled = True
            if self._child is not None:
                self._child.kill()

    def paces(self) -> Mapping[str, Pace]:
        """What was measured, by kind of run; empty until everything is there."""
        evaluation = self._evaluation
        if evaluation is None:
            return {}
        return {kind: Pace(seconds, evaluation) for kind, seconds in self._epochs.items()}

    def _run(self) -> None:
        with _SLOT:
            child = self._start()
            if child is None:
                return
            limit = threading.Timer(_PATIENCE, child.kill)
            limit.start()
            try:
                self._listen(child)
            finally:
                limit.cancel()

    def _start(self) -> subprocess.Popen[str] | None:
        with self._lock:
            if not self._is_cancelled:
                self._child = subprocess.Popen(
                    [sys.executable, "-m", "studio.train.timing_child"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    encoding="utf-8",
                    cwd=_ROOT,
                )
            return self._child

    def _listen(self, child: subprocess.Popen[str]) -> None:
        with child:
            assert child.stdin is not None
            assert child.stdout is not None
            with contextlib.suppress(BrokenPipeError):  # it was cancelled before it listened
                child.stdin.write(self._order)
                child.stdin.close()
            for line in child.stdout:
                self._take(json.loads(line))

    def _take(self, report: dict[str, Any]) -> None:
        if "kind" in report:
            self._epochs[str(report["kind"])] = float(report["epoch_seconds"])
        elif "evaluation_seconds" in report:
            self._evaluation = float(report["evaluation_seconds"])
        else:
            logger.warning("Timing gave up: %s", report.get("error"))


# Shared by all viewers: nobody times the same kinds of runs on the same data twice.
@st.cache_resource(max_entries=32, show_spinner=False, on_release=TimingJob.cancel)
def timing_job(
    kinds: tuple[str, ...],
    _dataset: DatasetSpec,
    _bundles: Sequence[Sequence[RunConfig]],
) -> TimingJob:
    """The job that times these kinds; it starts when it is asked for the first time."""
    return TimingJob(_dataset, _bundles)
