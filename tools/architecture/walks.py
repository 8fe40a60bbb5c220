"""The written walks through the code, and whether each of their steps is really taken.

A walk is a numbered list in docs/architecture.md below a comment that names its limits::

    <!-- walk: fit to gradient, at most 14 stops -->
    1. `frem_core/estimators/fair_estimator.py:FairEstimator.fit` takes the table.
    2. `frem_core/training/train_members.py:train` …
    3. *(through the store)* `studio/store.py:runs_table` …

Each stop is used by the one before it, unless words in brackets say how else a value gets there.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from tools.architecture.source import ROOT, Code, Name

PAGE = ROOT / "docs" / "architecture.md"
#: How a value gets from stop to stop without a call that could be followed.
_BACK = "back in an earlier stop"
WAYS = (_BACK, "through the store", "in a process of its own", "by the viewer's click")

_HEAD = re.compile(r"<!-- walk: (?P<title>[^,]+), at most (?P<limits>.+?) -->")
_STOP = re.compile(r"^\d+\. (?:\*\((?P<way>[^)]+)\)\* )?`(?P<path>[^`:]+)(?::(?P<name>[^`]+))?`")


@dataclass(frozen=True)
class Stop:
    """One line of a walk.

    Attributes:
        place: the file and its function; without one, the script itself.
        way: one of `WAYS`, or "" for a call.
    """

    place: Name
    way: str


@dataclass(frozen=True)
class Walk:
    """A walk and its limits.

    Attributes:
        title: where it leads.
        stops: in their order.
        limits: the largest allowed number of ``"stops"`` and ``"files"``.
    """

    title: str
    stops: list[Stop]
    limits: dict[str, int]


def read_walks(page: Path = PAGE) -> list[Walk]:
    """The walks that are written on the page."""
    walks: list[Walk] = []
    for line in page.read_text(encoding="utf-8").splitlines():
        if head := _HEAD.match(line):
            limits = dict(part.split()[::-1] for part in head["limits"].split(", at most "))
            numbers = {name: int(count) for name, count in limits.items()}
            walks.append(Walk(head["title"], [], numbers))
        elif walks and (stop := _STOP.match(line)):
            place = Name(stop["path"], stop["name"] or "")
            walks[-1].stops.append(Stop(place, stop["way"] or ""))
        elif line.startswith("#"):
            walks.append(Walk("", [], {}))  # a list below another heading is no part of the walk
    return [walk for walk in walks if walk.title]


def files_of(walk: Walk, code: Code) -> set[str]:
    """The files a reader opens: those of the stops, and those whose functions the stops call."""
    stops = [stop for stop in walk.stops if stop.place.path in code.files]
    files = {stop.place.path for stop in stops}
    for stop in stops:
        names, _ = code.uses(stop.place.path, stop.place.name, inside=False)
        files |= {name.path for name in names if code.is_function(name)}
    return files


def troubles(walk: Walk, code: Code) -> list[str]:
    """What is wrong with a walk: stops that are not there, steps nobody takes, too many of them."""
    found = []
    for stop in walk.stops:
        file = code.files.get(stop.place.path)
        if file is None or (stop.place.name and stop.place.name not in file.definitions):
            found.append(f"There is no {_words(stop.place)}.")
        elif stop.way and stop.way not in WAYS:
            found.append(f"{_words(stop.place)}: '{stop.way}' is none of {', '.join(WAYS)}.")
    if found:
        return found
    for number, stop in enumerate(walk.stops[1:], start=1):
        callers = walk.stops[:number] if stop.way == _BACK else walk.stops[number - 1 : number]
        if stop.way in ("", _BACK) and not any(
            _is_used(caller.place, stop.place, code) for caller in callers
        ):
            found.append(f"{_words(callers[-1].place)} does not use {_words(stop.place)}.")
    counts = {"stops": len(walk.stops), "files": len(files_of(walk, code))}
    for what, limit in walk.limits.items():
        if counts[what] > limit:
            found.append(f"{counts[what]} {what} are more than {limit}.")
    return found


def _is_used(before: Name, after: Name, code: Code) -> bool:
    names, attributes = code.uses(before.path, before.name)
    owner, _, method = after.name.rpartition(".")
    # A method is asked for by its name, of an object whose class the file need not know.
    is_asked_for = bool(owner) and (method in attributes or Name(after.path, owner) in names)
    return after in names or is_asked_for


def _words(place: Name) -> str:
    return f"{place.path}:{place.name}" if place.name else place.path
