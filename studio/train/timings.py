"""How fast kinds of runs are, timed in a process of its own so that the pages stay free."""

import contextlib
import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import streamlit as st

from frem_core.sweeps import DatasetSpec, RunConfig
from studio.train.pace import Pace, data_of

logger = logging.getLogger(__name__)
_ROOT = Path(__file__).resolve().parents[2]
_PATIENCE: Final = 180.0


@dataclass(frozen=True)
class _Wish:
    """A kind of run to be timed: where its data comes from, and a bundle of that kind."""

    dataset: DatasetSpec
    bundle: Sequence[RunConfig]


class Timings:
    """Times each kind of run once; one child at a time, as two would slow each other down."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wishes: dict[str, _Wish] = {}
        self._under_way: set[str] = set()
        self._epochs: dict[str, float] = {}
        self._evaluations: dict[str, float] = {}
        self._child: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def ask(self, dataset: DatasetSpec, bundles: Mapping[str, Sequence[RunConfig]]) -> None:
        """Has kinds of runs timed that were not asked for before; returns at once.

        Args:
            dataset: where the data comes from.
            bundles: for each kind the runs that are trained side by side.
        """
        with self._lock:
            for kind, bundle in bundles.items():
                if kind not in self._epochs and kind not in self._under_way:
                    self._wishes.setdefault(kind, _Wish(dataset, bundle))
            if self._wishes and self._thread is None and not self._is_closed:
                self._thread = threading.Thread(target=self._work, name="timings", daemon=True)
                self._thread.start()

    def paces(self, kinds: Iterable[str]) -> dict[str, Pace]:
        """What is known of these kinds by now."""
        known = {}
        with self._lock:
            for kind in kinds:
                evaluation = self._evaluations.get(data_of(kind))
                if kind in self._epochs and evaluation is not None:
                    known[kind] = Pace(self._epochs[kind], evaluation)
        return known

    def is_measuring(self, kinds: Iterable[str]) -> bool:
        """Whether news about any of these kinds may still come."""
        with self._lock:
            return any(kind in self._wishes or kind in self._under_way for kind in kinds)

    def wait(self, timeout: float | None = None) -> None:
        """Blocks until everything asked for is timed, or the timeout is over."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout)

    def close(self) -> None:
        """Ends the child; nobody is interested any more."""
        with self._lock:
            self._is_closed = True
            self._wishes.clear()
            if self._child is not None:
                self._child.kill()

    def _work(self) -> None:
        while True:
            with self._lock:
                order = self._next_order()
                if order is None:
                    self._thread = None
                    return
                self._child = child = _start_child()
            limit = threading.Timer(_PATIENCE, child.kill)
            limit.start()
            try:
                self._listen(child, order)
            finally:
                limit.cancel()
                with self._lock:
                    # What is missing after all cannot be timed here; asking again would not help.
                    for kind in self._under_way - self._epochs.keys():
                        self._epochs[kind] = float("nan")
                    self._under_way.clear()

    def _next_order(self) -> dict[str, Any] | None:
        """All wishes about the dataset that was asked for last: it is the one in view."""
        if not self._wishes:
            return None
        newest = list(self._wishes.values())[-1].dataset
        chosen = {kind: one for kind, one in self._wishes.items() if one.dataset == newest}
        for kind in chosen:
            del self._wishes[kind]
        self._under_way = set(chosen)
        data = {data_of(kind) for kind in chosen}
        return {
            "dataset": newest.to_dict(),
            "bundles": [[run.to_dict() for run in one.bundle] for one in chosen.values()],
            "evaluate": not data <= self._evaluations.keys(),
        }

    def _listen(self, child: subprocess.Popen[str], order: dict[str, Any]) -> None:
        with child:
            assert child.stdin is not None
            assert child.stdout is not None
            with contextlib.suppress(BrokenPipeError):  # it was ended before it listened
                child.stdin.write(json.dumps(order))
                child.stdin.close()
            for line in child.stdout:
                self._take(json.loads(line))

    def _take(self, report: dict[str, Any]) -> None:
        with self._lock:
            if "kind" in report:
                self._epochs[str(report["kind"])] = float(report["epoch_seconds"])
            elif "evaluation_seconds" in report:
                self._evaluations[str(report["data"])] = float(report["evaluation_seconds"])
            else:
                logger.warning("Timing gave up: %s", report.get("error"))


def _start_child() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "studio.train.timing_child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=_ROOT,
    )


# Shared by all viewers: nobody times the same kind of run on the same data twice.
@st.cache_resource(show_spinner=False, on_release=Timings.close)
def the_timings() -> Timings:
    """The timings of this server."""
    return Timings()
