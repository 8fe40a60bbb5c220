"""Connections and transactions: short, retried when others hold the lock, one rule for all."""

import os
import random
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Insert,
    Table,
    create_engine,
    event,
    exc,
    make_url,
    text,
)
from sqlalchemy.dialects import sqlite

from frem_core.store.errors import ReadOnlyError, StoreError, explain, is_busy
from frem_core.store.timing import note_query, query_name

T = TypeVar("T")

# SQLite itself waits this long for a lock; our own retries come on top of it.
_BUSY_MILLISECONDS = 10_000
#: After so long a busy database is an error.
GIVE_UP_SECONDS = 60.0
_ALLOWED = "allowed are postgresql+psycopg://user@host/database and sqlite:///file."


class Database:
    """One database and the only two ways to talk to it: :meth:`read` and :meth:`write`.

    A piece of work is a function of a connection. It is run inside one transaction and run
    again, after a short random pause, when another process was faster; so it must have no
    effect outside the database. SQLite writes start with ``BEGIN IMMEDIATE``: they take the
    lock at once instead of failing half-way when they first write.

    Args:
        url: an SQLAlchemy address, ``sqlite:///file`` or ``postgresql+psycopg://…``.
    """

    def __init__(self, url: str) -> None:
        parsed = parsed_address(url)
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.get_backend_name() not in ("sqlite", "postgresql"):
            raise StoreError(f"FREM_STORE names '{parsed.get_backend_name()}'; {_ALLOWED}")
        if parsed.get_backend_name() == "sqlite" and parsed.database in (None, "", ":memory:"):
            raise StoreError("FREM_STORE must name a file: a store in memory is lost at once.")
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        self.where = str(parsed.database) if self.is_sqlite else _without_secrets(parsed)
        self.is_immutable = self.is_sqlite and "immutable" in parsed.query
        self.engine = (
            _sqlite_engine(url, self.is_immutable) if self.is_sqlite else _postgresql_engine(parsed)
        )

    def read(self, work: Callable[[Connection], T]) -> T:
        """Runs ``work`` on one consistent state of the database."""
        return self._transact(work, writing=False)

    def read_steadily(self, work: Callable[[Connection], T]) -> T:
        """The same for work of many statements: all see the state of one moment."""
        if self.is_sqlite:  # there every transaction does
            return self.read(work)

        def steady(connection: Connection) -> T:
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
            return work(connection)

        return self.read(wraps(work)(steady))

    def write(self, work: Callable[[Connection], T]) -> T:
        """Runs ``work`` and makes all of it visible at once, or nothing."""
        if self.is_immutable:
            raise ReadOnlyError(f"The store {self.where} can only be read and cannot be changed.")
        return self._transact(work, writing=True)

    def insert_missing(self, table: Table) -> Insert:
        """An INSERT that passes over rows whose key exists already."""
        if self.is_sqlite:
            return sqlite.insert(table).on_conflict_do_nothing()
        from sqlalchemy.dialects import postgresql  # loaded where it is needed: it is large

        return postgresql.insert(table).on_conflict_do_nothing()

    def lock_within(self, connection: Connection, name: str) -> None:
        """Keeps other writers that ask for the same lock out until the transaction ends."""
        if not self.is_sqlite:  # there the write transaction is such a lock already
            query = text("SELECT pg_advisory_xact_lock(hashtext(:name))")
            connection.execute(query, {"name": f"frem-studio-{name}"})

    def size(self) -> int:
        """Returns how many bytes it takes, wherever it lies."""
        query = text(
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
            if self.is_sqlite
            else "SELECT pg_database_size(current_database())"
        )
        return int(self.read(lambda connection: connection.execute(query).scalar_one()))

    def close(self) -> None:
        """Closes all idle connections; the next use opens new ones."""
        self.engine.dispose()

    def _transact(self, work: Callable[[Connection], T], *, writing: bool) -> T:
        began = time.monotonic()
        give_up = began + GIVE_UP_SECONDS
        pause = 0.002
        while True:
            try:
                with self.engine.connect() as connection:
                    connection = connection.execution_options(frem_writing=writing)
                    with connection.begin():
                        answer = work(connection)
                note_query(query_name(work), time.monotonic() - began)
                return answer
            except exc.DBAPIError as error:
                may_help = is_busy(error) or error.connection_invalidated
                if not may_help or time.monotonic() > give_up:
                    raise explain(error, self.where) from error
            # Random, so that processes that collided once do not collide again in step.
            time.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(pause * 2, 0.5)


def parsed_address(url: str) -> URL:
    """Reads a database address; what is none is not repeated, since it may hold a password."""
    try:
        return make_url(url)
    except (exc.ArgumentError, ValueError) as error:
        raise StoreError(
            f"FREM_STORE is not a database address (it is not shown here); {_ALLOWED}"
        ) from error


def _without_secrets(address: URL) -> str:
    query = {key: "***" if "pass" in key else value for key, value in address.query.items()}
    return address.set(query=query).render_as_string(hide_password=True)


def _postgresql_engine(url: Any) -> Engine:
    engine = create_engine(url, pool_pre_ping=True, pool_size=4, max_overflow=12)
    _survive_forks(engine)
    return engine


def _sqlite_engine(url: str, is_immutable: bool) -> Engine:
    engine = create_engine(url, connect_args={"timeout": _BUSY_MILLISECONDS / 1000})

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves
        if is_immutable:  # the other settings are about writing
            return
        for pragma in (
            f"busy_timeout={_BUSY_MILLISECONDS}",
            "journal_mode=WAL",
            "synchronous=FULL",  # a finished run survives a power cut
            "foreign_keys=ON",
            "journal_size_limit=67108864",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writing = connection.get_execution_options().get("frem_writing", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    _survive_forks(engine)
    return engine


def _survive_forks(engine: Engine) -> None:
    """Keeps a forked child from using its parent's connections, which would corrupt both."""

    @event.listens_for(engine, "connect")
    def _remember(connection: Any, record: Any) -> None:
        record.info["process"] = os.getpid()

    @event.listens_for(engine, "checkout")
    def _compare(connection: Any, record: Any, proxy: Any) -> None:
        if record.info["process"] != os.getpid():
            record.dbapi_connection = proxy.dbapi_connection = None
            raise exc.DisconnectionError("this connection belongs to the parent process")
