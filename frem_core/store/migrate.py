"""Brings a database to the newest schema version, once, whoever opens it first."""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, text

from frem_core.store.database import Database
from frem_core.store.errors import NewerStoreError, StoreError
from frem_core.store.sqlite_file import APPLICATION_ID

#: The revision that ``schema.py`` describes; a test checks that it is the last migration.
HEAD = "0004"

_MIGRATIONS = Path(__file__).parent / "migrations"


def migrate(database: Database) -> None:
    """Upgrades the schema in one transaction under a lock; a current one is left alone.

    An upgrade that fails changes nothing. A schema newer than this program is refused.
    """
    if database.read(schema_version) == HEAD:
        return
    database.write(lambda connection: _upgrade_alone(connection, database))


def schema_version(connection: Connection) -> str | None:
    """Returns the schema version of a database; None for one without tables of ours."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if version is None else str(version)


def _upgrade_alone(connection: Connection, database: Database) -> None:
    database.lock_within(connection, "migrate")
    # Someone may have been faster:
    version = schema_version(connection)
    if version == HEAD:
        return
    if version is None:
        _refuse_foreign_tables(connection, database.where)
    _run_alembic(connection, database.where)
    if database.is_sqlite:
        connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")


def _refuse_foreign_tables(connection: Connection, where: str) -> None:
    tables = inspect(connection).get_table_names()
    if tables:
        raise StoreError(
            f"The database {where} already holds other tables ({', '.join(tables[:3])}, …). "
            "Nothing was changed. Give FREM Studio a database of its own."
        )


def _run_alembic(connection: Connection, where: str, to: str = "head") -> None:
    # Imported here: most openings find a current schema and need not pay for Alembic.
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)

    def steps(revision: Any, context: Any) -> Any:
        return scripts._upgrade_revs(to, revision)

    try:
        with EnvironmentContext(config, scripts, fn=steps) as environment:
            environment.configure(connection=connection, transactional_ddl=True)
            environment.run_migrations()
    except CommandError as error:
        raise NewerStoreError(
            f"The store {where} was written by a newer version of FREM Studio ({error}). Update "
            "FREM Studio here, or restore a backup made by this version into another folder; the "
            "store was left as it is."
        ) from error
