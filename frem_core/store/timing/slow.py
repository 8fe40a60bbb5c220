"""Remembers the slowest questions to the database: which one and how long, never with what."""

import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Final

_SLOW_SECONDS: Final = 0.25
_recent: Final[deque["SlowQuery"]] = deque(maxlen=200)
_lock: Final = threading.Lock()


@dataclass(frozen=True)
class SlowQuery:
    """One transaction that took long.

    Attributes:
        name: the part of the program that asked.
        seconds: how long it took, waiting for others included.
        at: when, in seconds since 1970.
    """

    name: str
    seconds: float
    at: float


def note_query(name: str, seconds: float) -> None:
    """Remembers a transaction, if it was slow."""
    if seconds >= _SLOW_SECONDS:
        with _lock:
            _recent.append(SlowQuery(name, round(seconds, 3), time.time()))


def slow_queries(most: int = 20) -> tuple[SlowQuery, ...]:
    """Returns the slowest of the last ones, the slowest first."""
    with _lock:
        found = list(_recent)
    return tuple(sorted(found, key=lambda one: -one.seconds)[:most])
