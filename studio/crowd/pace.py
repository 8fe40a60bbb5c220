"""How often live parts of pages are drawn again: less often while the server has much to do."""

import threading
import time
from typing import Final

_WINDOW: Final = 5.0  # seconds; one page alone does not make a server busy
_CALM, _BUSY = 0.4, 0.8  # of a core: Python draws all pages on one
_SLOWEST: Final = 3.0


class Load:
    """How much of a core this process used lately."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since, self._used = time.monotonic(), time.process_time()
        self._share = 0.0

    def share(self) -> float:
        """Of the last full window; 0 before there was one."""
        with self._lock:
            now = time.monotonic()
            if now - self._since >= _WINDOW:
                used = time.process_time()
                self._share = (used - self._used) / (now - self._since)
                self._since, self._used = now, used
            return self._share


_load: Final = Load()


def in_good_time(seconds: float) -> float:
    """After how many seconds a live part is drawn again.

    With many viewers, live parts would take the time that opening pages needs.

    Args:
        seconds: while the server has little to do.
    """
    return seconds * slowness(_load.share())


def slowness(share: float) -> float:
    """How many times as long live parts wait when so much of a core is in use."""
    over = (share - _CALM) / (_BUSY - _CALM)
    return 1.0 + (_SLOWEST - 1.0) * min(max(over, 0.0), 1.0)
