"""Keeps searches going: asks a worker for the next settings and queues them."""

import logging
import secrets
from dataclasses import dataclass, field

from distributed import Future

from frem_core.store import Store
from frem_core.store.rows import NewRun
from frem_core.sweeps.cluster import Cluster
from frem_core.sweeps.search import OpenSearch, open_searches

logger = logging.getLogger(__name__)

_ATTEMPTS = 3


@dataclass
class Searches:
    """The searches of one engine. What it knows can be lost: the store tells it all again.

    Args:
        store: where runs come from and go to.
        cluster: whose workers choose.
        owner: the engine's name.
    """

    store: Store
    cluster: Cluster
    owner: str
    _asked: "dict[str, Future[list[NewRun]]]" = field(default_factory=dict)
    _failures: dict[str, int] = field(default_factory=dict)

    @property
    def is_busy(self) -> bool:
        """Whether a worker is choosing."""
        return bool(self._asked)

    def look(self, slots: int) -> None:
        """Queues what was chosen, and asks for more where workers would run out of work."""
        for sweep in [sweep for sweep, future in self._asked.items() if future.done()]:
            self._take(sweep, self._asked.pop(sweep))
        for search in open_searches(self.store):
            # The first results say where to go on.
            is_due = search.waiting < slots and (search.finished or not search.waiting)
            if is_due and search.sweep not in self._asked:
                self._ask(search)

    def _ask(self, search: OpenSearch) -> None:
        members = self.store.sweeps.members(search.sweep)
        first = {one.method: one.id for one in reversed(members)}
        configs = {method: self.store.runs.get(run).config for method, run in first.items()}
        key = f"frem-search-{search.sweep}-{secrets.token_hex(4)}"
        runs = self.store.runs.frame(search.sweep)
        self._asked[search.sweep] = self.cluster.propose(
            key, search.spec, runs, configs, search.stack
        )

    def _take(self, sweep: str, future: "Future[list[NewRun]]") -> None:
        chosen = future.result() if future.status == "finished" else []
        if chosen:
            self.store.sweeps.extend(sweep, chosen)
            return
        # A worker that died is asked again; what fails every time must not go on for ever, and
        # where every run failed there is nothing to learn from.
        error = future.exception() if future.status == "error" else None
        logger.warning("The next settings of sweep %s could not be chosen: %s", sweep, error)
        self._failures[sweep] = self._failures.get(sweep, 0) + 1
        if self._failures[sweep] >= _ATTEMPTS:
            self.store.sweeps.cancel(sweep)
