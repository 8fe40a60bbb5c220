"""Tables that users brought, as pages see them: kept in their own data folder."""

import pandas as pd

from frem_core.errors import DataError
from frem_core.home import data_home
from frem_core.store.tables import KeptTable, Tables

__all__ = [
    "KeptTable",
    "find_table",
    "is_kept",
    "load_sample",
    "the_tables",
]


def the_tables() -> Tables:
    """The tables of this user; the folder is looked up each time, as it may change."""
    return Tables(data_home() / "tables")


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


def load_sample(table_id: str) -> pd.DataFrame:
    """Reads the first rows of a kept table, enough to guess what its columns are."""
    return the_tables().load_sample(table_id)
