"""Leakage probes that run beside the pages; their results are kept for all viewers."""

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

logger = logging.getLogger(__name__)

_ROOT: Final = Path(__file__).resolve().parents[2]
_AT_ONCE: Final = threading.Semaphore(1)  # each takes a core for some seconds
_LOCK: Final = threading.Lock()
_OUTCOMES: Final[dict[str, "Outcome"]] = {}
_WAITING: Final[set[str]] = set()
_MOST_KEPT: Final = 1000


@dataclass(frozen=True)
class Outcome:
    """What came of the probe of one run.

    Attributes:
        probe: the fields of :class:`frem_core.evaluation.LeakageProbe`; empty when it failed.
        error: why there is none, for users.
    """

    probe: dict[str, Any] = field(default_factory=dict)
    error: str = ""


def outcome_of(run: str) -> Outcome | None:
    """The outcome of a run's probe, or None while there is none."""
    return _OUTCOMES.get(run)


def is_waiting(run: str) -> bool:
    """Whether a run's probe is under way."""
    return run in _WAITING


def start_probes(runs: Sequence[tuple[str, str]]) -> None:
    """Starts the probes of runs, given as (sweep, run), unless they are there or under way."""
    with _LOCK:
        new = [(sweep, run) for sweep, run in runs if run not in _OUTCOMES and run not in _WAITING]
        _WAITING.update(run for _, run in new)
    for sweep in dict.fromkeys(sweep for sweep, _ in new):
        members = [run for home, run in new if home == sweep]
        threading.Thread(
            target=_follow, args=(sweep, members), name="leakage probe", daemon=True
        ).start()


def forget_failures(runs: Sequence[str]) -> None:
    """Lets failed probes be tried again."""
    with _LOCK:
        for run in runs:
            if run in _OUTCOMES and _OUTCOMES[run].error:
                del _OUTCOMES[run]


def _follow(sweep: str, runs: list[str]) -> None:
    try:
        with _AT_ONCE:
            _listen(sweep, runs)
    except Exception:
        logger.exception("The leakage probe failed")
    finally:
        reason = "The probe ended without a result; the terminal of the dashboard says why."
        for run in runs:
            if run in _WAITING:
                _keep(run, Outcome(error=reason))


def _listen(sweep: str, runs: list[str]) -> None:
    command = [sys.executable, "-m", "studio.compare.probe_child", sweep, *runs]
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=_ROOT,
    )
    with child:
        assert child.stdout is not None
        for line in child.stdout:
            news = json.loads(line)
            _keep(news["run"], Outcome(news.get("probe", {}), news.get("error", "")))


def _keep(run: str, outcome: Outcome) -> None:
    with _LOCK:
        while len(_OUTCOMES) >= _MOST_KEPT:
            del _OUTCOMES[next(iter(_OUTCOMES))]
        _OUTCOMES[run] = outcome
        _WAITING.discard(run)
