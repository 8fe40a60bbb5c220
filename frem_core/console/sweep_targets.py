"""What a user names on the command line: a sweep, or a single run."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from frem_core.store.errors import StoreError

if TYPE_CHECKING:
    from frem_core.store import Store


@dataclass(frozen=True)
class Target:
    """A sweep or a run.

    Attributes:
        kind: which of the two.
        id: its full id.
        label: what to call it in messages.
    """

    kind: Literal["sweep", "run"]
    id: str
    label: str


def find_target(store: "Store", given: str) -> Target:
    """Finds a sweep by id, beginning of an id or name, or else a run by its id.

    Raises:
        StoreError: there is neither.
    """
    try:
        sweep = store.sweeps.find(given)
    except StoreError as no_sweep:
        try:
            run = store.runs.get(given)
        except StoreError:
            raise no_sweep from None
        return Target("run", run.id, f"run {run.id[:12]}")
    name = store.sweeps.frame(sweep)["name"].iloc[0]
    return Target("sweep", sweep, f"sweep {sweep} '{name}'")
