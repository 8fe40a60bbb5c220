"""The searches that are not over yet, as the store knows them."""

import tomllib
from collections import Counter
from dataclasses import dataclass

from frem_core.store import Store

_WEIGHTS = {"fairness_weights", "relative_weights"}
_UNFINISHED = ("queued", "running")


@dataclass(frozen=True)
class OpenSearch:
    """A sweep with a section [search] that has settings left to choose.

    Attributes:
        sweep: its id.
        spec: its description, as TOML.
        missing: runs that are still to be chosen.
        waiting: stacks that are queued or being trained.
        finished: runs that are.
        stack: members of its largest stack; large data may not allow what the search asks for.
    """

    sweep: str
    spec: str
    missing: int
    waiting: int
    finished: int
    stack: int


def open_searches(store: Store) -> list[OpenSearch]:
    """Returns the searches of sweeps that are not cancelled and have runs left to choose.

    Reads descriptions and counts only, so everybody who waits may ask, without loading torch.
    """
    found = []
    for sweep, spec in store.sweeps.described_with("[search]"):
        described = tomllib.loads(spec)
        search = described.get("search")
        if not isinstance(search, dict):  # the words stand in a name
            continue
        members = store.sweeps.members(sweep)
        trained = Counter(member.method for member in members)
        wanted = int(search["trainings"]) * len(described["seeds"])
        # Only methods that have a fairness weight are written down with some.
        methods = [one["method"] for one in described["methods"] if _WEIGHTS & one.keys()]
        missing = sum(max(0, wanted - trained[method]) for method in methods)
        if missing:
            own = [member for member in members if member.method in methods]
            found.append(
                OpenSearch(
                    sweep=sweep,
                    spec=spec,
                    missing=missing,
                    waiting=len({one.bundle for one in own if one.state in _UNFINISHED}),
                    finished=sum(one.state == "done" for one in own),
                    stack=max(Counter(one.bundle for one in own).values(), default=1),
                )
            )
    return found
