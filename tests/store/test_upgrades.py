"""From every schema there was, with data in it, to the newest; and never back."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from frem_core.store import NewerStoreError, RunState, Store
from frem_core.store.database import Database
from frem_core.store.migrate import HEAD, _run_alembic
from frem_core.store.sqlite_file import APPLICATION_ID
from frem_core.sweeps import RunConfig
from tests.store.examples import CRIME, finish_all
from tests.store.postgresql import create_database

# Written by release 0.1.0: six trained runs on Crime. Release 0.2.0 has the newest schema.
RELEASE_0_1_0 = Path(__file__).parent / "assets" / "version_2.db.gz"
EARLIER = [f"{number:04}" for number in range(1, int(HEAD))]


def old_store(url: str, version: str) -> None:
    """A store as an earlier program left it: a finished run with a curve and a file, one queued."""
    database = Database(url)

    def make(connection: Connection) -> None:
        _run_alembic(connection, url, version)
        if database.is_sqlite:
            connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")
        _insert(
            connection,
            "datasets",
            hash=CRIME.hash,
            name="crime",
            description="Crime",
            source='{"name": "crime"}',
            rows=10,
            features=2,
            added_at=1.0,
        )
        _insert(connection, "sweeps", id="s" * 16, name="old", spec='name = "old"', created_at=1.0)
        for number, state in enumerate(("running", "queued")):
            _insert(
                connection,
                "runs",
                id=str(number) * 64,
                bundle=str(number) * 64,
                dataset=CRIME.hash,
                method="frem",
                seed=number,
                config=json.dumps({"seed": number}),
                state=state,
                queued_at=1.0,
                position=number,
                epoch=0,
                epochs=2,
                attempts=1,
                deaths=0,
                death_epoch=-1,
                cancel_requested=False,
                scores='{"test": {"hgr": 0.25}}' if state == "running" else None,
            )
            _insert(connection, "sweep_runs", sweep="s" * 16, run=str(number) * 64, position=number)
        _insert(connection, "artefacts", run="0" * 64, kind="weights", hash="a" * 64, size=3)
        if version > "0001":
            _insert(connection, "notes", run="0" * 64, text="of old", written_at=1.0)
        connection.execute(text(f"UPDATE runs SET state = 'done' WHERE id = '{'0' * 64}'"))

    database.write(make)
    database.close()


def _insert(connection: Connection, table: str, **values: object) -> None:
    names = ", ".join(f'"{name}"' for name in values)
    places = ", ".join(f":{name}" for name in values)
    connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({places})"), values)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    def make(name: str) -> str:
        if request.param == "sqlite":
            return f"sqlite:///{tmp_path / name}.db"
        return create_database(request.getfixturevalue("postgresql_server"), f"old_{name}")

    return make


@pytest.mark.parametrize("version", EARLIER)
def test_every_earlier_schema_is_brought_up_to_date(
    version: str, address: Callable[[str], str], tmp_path: Path
) -> None:
    url = address(f"up{version}")
    old_store(url, version)
    store = Store(url, tmp_path / "home")
    frame = store.runs.frame("s" * 16)
    assert list(frame["state"]) == [RunState.DONE, RunState.QUEUED]
    assert frame["test.hgr"][0] == 0.25
    assert store.artefacts.of_run("0" * 64)["weights"].size == 3
    assert store.runs.get("0" * 64).note == ("of old" if version > "0001" else "")
    assert finish_all(store) == ["1" * 64]
    assert store.artefacts.damaged(["1" * 64]) == {}
    store.close()


def test_a_store_of_the_first_release_is_brought_up_to_date(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_bytes(gzip.decompress(RELEASE_0_1_0.read_bytes()))
    store = Store(folder=tmp_path)
    frame = store.runs.frame(store.sweeps.find("of 0.1.0"))
    assert list(frame["state"]) == [RunState.DONE] * 6
    assert frame["test.mae"].between(0.1, 0.3).all()
    for run in frame["id"]:
        assert RunConfig.from_dict(store.runs.get(run).config).identity == run
        assert len(store.runs.history(run)) == 3
        assert len(store.artefacts.of_run(run)) == 4
    assert store.queue.unfinished() == 0
    store.close()


def test_a_newer_schema_is_refused_and_left_alone(
    address: Callable[[str], str], tmp_path: Path
) -> None:
    url = address("newer")
    Store(url, tmp_path / "home").close()
    database = Database(url)
    database.write(lambda one: one.execute(text("UPDATE alembic_version SET version_num='0099'")))
    with pytest.raises(NewerStoreError, match=r"newer version of FREM Studio.*left as it is"):
        Store(url, tmp_path / "home")
    query = text("SELECT version_num FROM alembic_version")
    assert database.read(lambda one: one.execute(query).scalar()) == "0099"
    database.close()
