"""What pages found in the store, kept for a moment and shared by all viewers."""

import threading
import time
from collections.abc import Callable, Hashable
from typing import Any, Final, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_SECONDS: Final = 1.0  # soon enough for everybody
_LONGEST: Final = 4.0
# At most so much of a core goes into finding one thing again and again: large sweeps cost more to
# read, and one run more or less changes little about them.
_SHARE: Final = 0.0125
_FORGOTTEN_AFTER: Final = 60.0  # seconds after which nobody seems to look at it any more


class _Entry:
    """One result, made by one thread while the others wait for it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.until = float("-inf")
        self.value: Any = None


class Shared(Generic[P, T]):
    """Calls a function at most once a second for the same arguments, however many ask.

    Streamlit's own cache would copy a result for everybody, which for a table of runs takes longer
    than all that is done with it. So nobody may change in place what comes from here.

    Args:
        make: depends on its arguments, which can be hashed, and on the store.

    Example::

        @Shared
        def counts(sweep: str) -> dict[str, int]: ...
    """

    def __init__(self, make: Callable[P, T]) -> None:
        self._make = make
        self._entries: dict[Hashable, _Entry] = {}
        self._lock = threading.Lock()
        _all.append(self)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function gave a moment ago, or gives now."""
        with self._lock:
            entry = self._entries.setdefault((args, tuple(sorted(kwargs.items()))), _Entry())
        with entry.lock:
            if time.monotonic() >= entry.until:
                used = time.thread_time()  # whatever else the machine does is not in it
                entry.value = self._make(*args, **kwargs)
                entry.until = time.monotonic() + lifetime(time.thread_time() - used)
                self._drop_old()
            value: T = entry.value
            return value

    def clear(self) -> None:
        """Makes the next call a fresh one."""
        with self._lock:
            self._entries.clear()

    def _drop_old(self) -> None:
        oldest = time.monotonic() - _FORGOTTEN_AFTER
        with self._lock:
            for key in [
                key
                for key, entry in self._entries.items()
                if entry.until < oldest and not entry.lock.locked()
            ]:
                del self._entries[key]


_all: Final[list[Shared[Any, Any]]] = []


def forget_shared() -> None:
    """Makes the next look at everything a fresh one, after something was changed in the store."""
    for one in _all:
        one.clear()


def lifetime(cost: float) -> float:
    """For how many seconds a result is shared.

    Args:
        cost: seconds of processor time it took to make.
    """
    return min(max(_SECONDS, cost / _SHARE), _LONGEST)
