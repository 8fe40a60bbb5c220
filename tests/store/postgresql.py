"""Starts a real PostgreSQL server for tests, as an ordinary user, on a private socket."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest


def find_program(name: str) -> str | None:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    search = os.pathsep.join([*map(str, folders), os.environ.get("PATH", "")])
    return shutil.which(name, path=search)


@contextmanager
def running_server() -> Iterator[str]:
    """Yields the address of a new server without its database name; ends it afterwards."""
    initdb, postgres = find_program("initdb"), find_program("postgres")
    if not initdb or not postgres:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    # PostgreSQL refuses to run as root; Debian's package brings a user of its own.
    user = "postgres" if os.getuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="frem-postgresql-"))
    if user:
        shutil.chown(folder, user)
    data = folder / "data"
    start = [postgres, "-D", str(data), "-k", str(folder), "-c", "listen_addresses=", "-F"]
    try:
        subprocess.run(
            [initdb, "-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync"],
            check=True,
            capture_output=True,
            user=user,
            cwd=folder,
        )
        with (
            (folder / "log").open("wb") as log,
            subprocess.Popen(start, user=user, cwd=folder, stdout=log, stderr=log) as server,
        ):
            try:
                _wait_until_ready(folder, server)
                yield str(folder)
            finally:
                server.send_signal(signal.SIGINT)
                server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait_until_ready(folder: Path, server: "subprocess.Popen[bytes]") -> None:
    while True:
        try:
            psycopg.connect(host=str(folder), user="postgres").close()
            return
        except psycopg.OperationalError:
            if server.poll() is not None:
                raise RuntimeError((folder / "log").read_text()) from None
            time.sleep(0.05)


def create_database(socket_folder: str, name: str) -> str:
    """Creates a database of its own for a test and returns its SQLAlchemy address.

    A schema, to be exact: as separate as a database for all that stores do, and made at once.
    """
    with psycopg.connect(host=socket_folder, user="postgres", autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{name}"')
    options = quote(f'-csearch_path="{name}"')
    return f"postgresql+psycopg://postgres@/postgres?host={socket_folder}&options={options}"
