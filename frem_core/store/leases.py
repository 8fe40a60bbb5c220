"""Named leases: at most one owner at a time, and a dead owner's lease runs out by itself."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, select, update

from frem_core.store.database import Database
from frem_core.store.schema import leases
from frem_core.store.timing.clock import now_seconds

# Nobody takes a lease for so long: such a one was taken before the clock was set back, and would
# hold everybody up until that time comes again.
_LONGEST_SECONDS = 600.0


@dataclass(frozen=True)
class Lease:
    """Who holds a lease, for how many more seconds, and what the owner says about itself."""

    owner: str
    seconds_left: float
    info: Mapping[str, Any]


class Leases:
    """Leases by name, timed by the database's clock."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def acquire(
        self, name: str, owner: str, seconds: float, info: Mapping[str, Any] | None = None
    ) -> bool:
        """Takes or prolongs a lease; False when someone else holds it.

        Args:
            name: what is leased, e.g. ``"engine"``.
            owner: a name no other process uses.
            seconds: how long it lasts unless prolonged.
            info: what readers of :meth:`holder` should know about the owner.
        """
        values = {
            "owner": owner,
            "until": now_seconds() + seconds,
            "info": json.dumps(dict(info or {})),
        }

        def take(connection: Connection) -> bool:
            left = leases.c.until - now_seconds()
            free = (leases.c.owner == owner) | (left < 0) | (left > _LONGEST_SECONDS)
            connection.execute(update(leases).where(leases.c.name == name, free).values(values))
            connection.execute(self._database.insert_missing(leases).values(name=name, **values))
            held = select(leases.c.owner).where(leases.c.name == name)
            return bool(connection.execute(held).scalar() == owner)

        return self._database.write(take)

    def release(self, name: str, owner: str) -> None:
        """Gives a lease back; does nothing when it belongs to someone else by now."""
        ours = (leases.c.name == name) & (leases.c.owner == owner)
        self._database.write(lambda connection: connection.execute(delete(leases).where(ours)))

    def holder(self, name: str) -> Lease | None:
        """Returns who holds a lease now, or None when nobody does."""
        left = (leases.c.until - now_seconds()).label("left")
        query = select(leases.c.owner, left, leases.c.info).where(leases.c.name == name)
        row = self._database.read(lambda connection: connection.execute(query).first())
        if row is None or not 0 < row.left <= _LONGEST_SECONDS:
            return None
        return Lease(row.owner, float(row.left), json.loads(row.info))
