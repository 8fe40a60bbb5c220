"""Tables that users brought, as the viewer of a page may see them."""

from pathlib import Path

import pandas as pd

from frem_core.errors import DataError
from frem_core.home import data_home
from frem_core.store.tables import KeptTable, Tables
from studio.crowd.shared import Shared
from studio.people import NotAllowedError, the_person
from studio.store import forget_sweeps, the_store

__all__ = [
    "KeptTable",
    "VisibleTables",
    "find_table",
    "forget_owners",
    "is_kept",
    "is_whole",
    "load_sample",
    "share",
    "shown_dates",
    "the_tables",
    "where_tables_stay",
]


class VisibleTables(Tables):
    """The kept tables without those of people who keep them to themselves.

    A table that is hidden is answered like one that is not there, whatever is asked of it.

    Args:
        folder: where they lie.
        hidden: the ids of those nobody is told of.
    """

    def __init__(self, folder: Path, hidden: frozenset[str]) -> None:
        super().__init__(folder)
        self._hidden = hidden

    def path(self, table_id: str) -> Path:
        """Returns where a table lies; one that is hidden lies nowhere."""
        if table_id in self._hidden:
            return self.folder / "hidden" / super().path(table_id).name
        return super().path(table_id)

    def delete(self, table_id: str) -> None:
        """Deletes a table of the viewer's own; the file goes when nobody else keeps it.

        Raises:
            NotAllowedError: it belongs to somebody else, or to everybody.
        """
        self.find(table_id)  # hidden or not there: says so
        person, owners = the_person(), the_store().owners
        if person.name is None:
            super().delete(table_id)
        elif person.is_administrator:
            owners.forget(table_id)
            super().delete(table_id)
        elif person.is_author and person.name in owners.of(table_id):
            if owners.forget(table_id, person.name):
                super().delete(table_id)
        else:
            raise NotAllowedError(
                "This table is not yours; those who brought it and administrators may delete it."
            )


def the_tables() -> Tables:
    """The tables that the viewer may see; the folder is looked up each time, as it may change."""
    person = the_person()
    free = person.name is None or person.is_administrator
    hidden = frozenset() if free else _hidden_from(str(person.name))
    return VisibleTables(data_home() / "tables", hidden)


@Shared
def _hidden_from(person: str) -> frozenset[str]:
    return frozenset(the_store().owners.hidden_tables(person))


def share(table_id: str, *, with_all: bool) -> None:
    """Lets everybody who may log in see a table of the viewer's own, or nobody else."""
    name = the_person().name
    if name is not None:
        the_store().owners.share(table_id, name, with_all=with_all)
        forget_owners()


def forget_owners() -> None:
    """Makes the next look at tables and sweeps a fresh one."""
    forget_sweeps()


def find_table(table_id: str) -> KeptTable:
    """What is known of a kept table without reading its rows; a DataError when it is gone."""
    return the_tables().find(table_id)


def is_kept(table_id: str) -> bool:
    """Whether a table with this id is there."""
    try:
        find_table(table_id)
    except DataError:
        return False
    return True


def is_whole(table_id: str) -> bool:
    """Whether it is there and still what was written, so that it need not be read again."""
    try:
        the_tables().check(table_id)
    except DataError:
        return False
    return True


def load_sample(table_id: str) -> pd.DataFrame:
    """Reads the first rows of a kept table, enough to guess what its columns are."""
    return the_tables().load_sample(table_id)


def where_tables_stay() -> str:
    """What becomes of a file that is given, as people have to know before they give it."""
    if the_person().name is None:
        return (
            "The table stays on this computer, in a folder only you can read, until you forget it."
        )
    return (
        "The table stays on this server until you forget it; only you see it unless you share it."
    )


def shown_dates(dates: pd.Series) -> pd.Series:
    """Dates as people write them; a time of day is shown where there is one.

    >>> shown_dates(pd.Series(pd.to_datetime(["2016-08-11", None]))).tolist()
    ['2016-08-11', nan]
    """
    known = dates.dropna()
    has_times = bool((known != known.dt.normalize()).any())
    texts: pd.Series = dates.dt.strftime("%Y-%m-%d %H:%M" if has_times else "%Y-%m-%d")
    return texts
