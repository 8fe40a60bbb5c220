"""The one clock of a store: the database's own, so that machines need not agree on the time."""

from typing import Any

from sqlalchemy import Float
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class now_seconds(FunctionElement[float]):  # noqa: N801  (reads as an SQL function)
    """Seconds since 1970 by the database's clock, as an SQL expression."""

    type = Float()
    inherit_cache = True


@compiles(now_seconds, "sqlite")
def _sqlite(element: now_seconds, compiler: SQLCompiler, **options: Any) -> str:
    # unixepoch('subsec') would read better but is younger than Debian's SQLite.
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(now_seconds, "postgresql")
def _postgresql(element: now_seconds, compiler: SQLCompiler, **options: Any) -> str:
    # clock_timestamp, not now(): a lease must not start at the beginning of a transaction.
    return "extract(epoch from clock_timestamp())::double precision"
