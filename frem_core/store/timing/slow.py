"""Remembers the slowest questions to the database: which one and how long, never with what."""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
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


def query_name(work: Callable[..., object]) -> str:
    """What part of the program asks, in words: "runs: make again".

    Args:
        work: what is done in a transaction; mostly a function inside the one that is meant.
    """
    while isinstance(work, partial):
        work = work.func
    path = getattr(work, "__qualname__", type(work).__qualname__).split(".<locals>")[0].split(".")
    if len(path) == 1:
        path = [getattr(work, "__module__", "").rpartition(".")[2], *path]
    words = [part.strip("_").replace("_", " ").lower() for part in path[-2:]]
    return ": ".join(dict.fromkeys(filter(None, words)))


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
