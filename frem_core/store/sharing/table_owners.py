"""Owners of kept tables: several people may bring the same file, each may share it."""

from sqlalchemy import Connection, Select, and_, not_, or_, select, update

from frem_core.store.database import Database
from frem_core.store.schema import sweep_tables, table_owners


class TableOwners:
    """Who brought which table. One without any owner is everybody's, as before there were owners.

    Rows stay when a table is deleted: sweeps about it remain hidden from those who were not to
    see it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, table_id: str, owner: str) -> None:
        """Notes that somebody brought a table, private unless it is shared."""
        row = {"table_id": table_id, "owner": owner, "is_shared": False, "is_kept": True}
        mine = and_(table_owners.c.table_id == table_id, table_owners.c.owner == owner)

        def write(connection: Connection) -> None:
            connection.execute(self._database.insert_missing(table_owners).values(row))
            connection.execute(update(table_owners).where(mine).values(is_kept=True))

        self._database.write(write)

    def share(self, table_id: str, owner: str, *, with_all: bool) -> None:
        """Lets everybody see a table of this owner and the sweeps about it, or nobody else."""
        mine = and_(table_owners.c.table_id == table_id, table_owners.c.owner == owner)
        change = update(table_owners).where(mine).values(is_shared=with_all)
        self._database.write(lambda connection: connection.execute(change))

    def forget(self, table_id: str, owner: str | None = None) -> bool:
        """Notes that an owner, or with None everybody, wants a table no longer.

        Returns:
            Whether nobody keeps it any more, so that its file may go.
        """
        whose = table_owners.c.table_id == table_id
        if owner is not None:
            whose = and_(whose, table_owners.c.owner == owner)
        kept = select(table_owners.c.owner).where(
            table_owners.c.table_id == table_id, table_owners.c.is_kept
        )

        def write(connection: Connection) -> bool:
            connection.execute(update(table_owners).where(whose).values(is_kept=False))
            return connection.execute(kept).first() is None

        return self._database.write(write)

    def of(self, table_id: str) -> dict[str, bool]:
        """Returns the owners of a table, each with whether they share it; none: everybody's."""
        query = select(table_owners.c.owner, table_owners.c.is_shared)
        query = query.where(table_owners.c.table_id == table_id)
        rows = self._database.read(lambda connection: connection.execute(query).all())
        return {str(row.owner): bool(row.is_shared) for row in rows}

    def tables_of(self, owner: str) -> set[str]:
        """Returns the tables that somebody brought and keeps."""
        query = select(table_owners.c.table_id).where(
            table_owners.c.owner == owner, table_owners.c.is_kept
        )
        return self._names(query)

    def hidden_tables(self, person: str) -> set[str]:
        """Returns the tables this person may not see: others' own, and not shared."""
        return self._names(_hidden(person))

    def hidden_sweeps(self, person: str) -> set[str]:
        """Returns the sweeps about a table that this person may not see."""
        hidden = sweep_tables.c.table_id.in_(_hidden(person))
        return self._names(select(sweep_tables.c.sweep).where(hidden).distinct())

    def _names(self, query: Select[str]) -> set[str]:
        return self._database.read(lambda connection: set(connection.execute(query).scalars()))


def _hidden(person: str) -> Select[str]:
    row = table_owners.alias()
    open_to_them = select(row.c.table_id).where(or_(row.c.owner == person, row.c.is_shared))
    return (
        select(table_owners.c.table_id)
        .where(not_(table_owners.c.table_id.in_(open_to_them)))
        .distinct()
    )
