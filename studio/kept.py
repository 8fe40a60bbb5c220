"""What was worked out before: many viewers look at the same charts, and live ones again and again.

To build a figure takes tens of milliseconds, to know that it is the one from before takes one.
"""

import hashlib
import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_MOST: Final = 96
_MOST_BYTES: Final = 20_000_000  # of what the results were made from; they are about as large
_LARGEST: Final = 2_000_000
_lock: Final = threading.Lock()
_results: Final[OrderedDict[bytes, tuple[int, Any]]] = OrderedDict()


def kept(make: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Calls a function, or returns what it gave for the same arguments before.

    All viewers share the result, so it must not be changed in place.

    Args:
        make: a function of a module whose result depends on its arguments alone.
        args: compared by what they hold, tables and arrays too.
        kwargs: the same.
    """
    content = pickle.dumps((make.__module__, make.__qualname__, args, kwargs), protocol=5)
    key = hashlib.blake2b(content, digest_size=16).digest()
    with _lock:
        if key in _results:
            _results.move_to_end(key)
            known: T = _results[key][1]
            return known
    result = make(*args, **kwargs)
    if len(content) > _LARGEST:
        return result
    with _lock:
        _results[key] = (len(content), result)
        while len(_results) > _MOST or sum(size for size, _ in _results.values()) > _MOST_BYTES:
            _results.popitem(last=False)
    return result


def forget_kept() -> None:
    """Lets go of everything, after somebody's data was deleted."""
    with _lock:
        _results.clear()
