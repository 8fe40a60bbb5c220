"""Health in numbers, metrics and logs: true to the store, and silent about data and secrets."""

import asyncio
import json
import logging
import os
import subprocess
import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from starlette.applications import Starlette

from frem_core.commands.status import command
from frem_core.logs import JsonFormatter
from frem_core.store import Store, database
from frem_core.store.timing import note_query, query_name, slow_queries
from frem_core.watching import health_of
from frem_core.watching.metrics import metrics_text
from studio.server import METRICS_TOKEN, ROUTES
from tests.store.examples import CRIME, OWNER, new_run, result


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(folder=tmp_path / "home")
    store.sweeps.add("one", "", [new_run(n) for n in range(4)], [CRIME], queued_by="ann")
    ((run,),) = store.queue.claim(OWNER, bundles=1)
    store.results.finish(OWNER, run.id, result())
    store.queue.claim(OWNER, bundles=1)
    return store


def test_health_counts_what_is_in_the_store(store: Store) -> None:
    health = health_of(store)
    assert health.queue == {"queued": 2, "running": 1, "done": 1, "failed": 0, "cancelled": 0}
    assert health.waiting_by_person == {"ann": 3}
    assert not health.engine.is_running
    assert health.free_bytes > 0
    store.close()


def test_metrics_name_nobody(store: Store) -> None:
    text = metrics_text(health_of(store)).decode()
    assert 'frem_runs{state="queued"} 2.0' in text
    assert "frem_engine_up 0.0" in text
    assert "ann" not in text.replace("cancelled", "")
    store.close()


def test_status_prints_the_same_as_json(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREM_HOME", str(store.folder))
    answer = json.loads(CliRunner().invoke(command, ["--json"]).output)
    assert answer["queue"]["queued"] == 2
    assert answer["sweeps"][0]["queued_by"] == "ann"
    assert {"engine", "store", "kept_bytes", "free_bytes", "faults", "slow_queries"} <= set(answer)
    store.close()


def test_status_is_json_also_where_no_store_can_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FREM_HOME", str(tmp_path))
    monkeypatch.setenv("FREM_STORE", "postgresql+psycopg://frem:x7@127.0.0.1:9/frem")
    answer = CliRunner().invoke(command, ["--json"])
    assert answer.exit_code == 2
    [fault] = json.loads(answer.output)["faults"]
    assert fault["kind"] == "database"
    assert "Check that the database runs" in fault["sentence"]
    assert "x7" not in answer.output


def test_a_database_elsewhere_needs_no_folder_to_be_watched(store: Store, tmp_path: Path) -> None:
    far = Store(store.url, tmp_path / "not made yet")
    assert health_of(far).free_bytes > 0
    far.close()
    store.close()


def metrics(token: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(Starlette(routes=list(ROUTES)))
        async with httpx.AsyncClient(transport=transport, base_url="http://studio") as client:
            return await client.get("/metrics", headers={"authorization": f"Bearer {token}"})

    with ThreadPoolExecutor() as beside:  # a browser of an earlier test holds this thread's loop
        return beside.submit(asyncio.run, ask()).result()


def test_metrics_are_for_those_who_know_the_token(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FREM_HOME", str(store.folder))
    assert metrics("").status_code == 404
    monkeypatch.setenv(METRICS_TOKEN, "s3cret")
    assert metrics("").status_code == 404
    assert metrics("wrong").status_code == 404
    answer = metrics("s3cret")
    assert answer.status_code == 200
    assert "frem_disk_free_bytes" in answer.text
    store.close()


def test_a_slow_question_is_named_in_words_and_not_by_places_in_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(database, "note_query", lambda name, seconds: asked.append(name))
    store = Store(folder=tmp_path / "home")
    store.runs.frame()
    store.runs.make_again([])
    store._database.read_steadily(lambda connection: None)
    store.close()
    assert {"migrate", "runs: frame", "runs: make again"} <= set(asked)
    assert not [name for name in asked if set("<>_.") & set(name)]


def test_questions_without_a_name_of_their_own_are_named_too() -> None:
    assert query_name(partial(partial(note_query, "x"), 1.0)) == "slow: note query"
    assert query_name(lambda: None).startswith("test watching: test questions without")


def test_slow_questions_are_remembered_by_name_only(monkeypatch: pytest.MonkeyPatch) -> None:
    # Empty: on a busy machine other tests' transactions take long, too.
    monkeypatch.setattr("frem_core.store.timing.slow._recent", deque())
    note_query("Runs.frame", 0.001)
    note_query("Runs.frame", 3.0)
    assert slow_queries()[0].name == "Runs.frame"
    assert slow_queries()[0].seconds == 3.0
    assert all(one.seconds > 0.1 for one in slow_queries())


def test_json_logs_hold_neither_passwords_nor_cells() -> None:
    try:
        float("Mrs. Miller, 44")
    except ValueError as error:
        caught = (type(error), error, error.__traceback__)
    record = logging.LogRecord(
        "frem", logging.ERROR, "", 0, "%s lost", ("postgresql://frem:x7@db/frem",), caught
    )
    entry = json.loads(JsonFormatter().format(record))
    assert entry["message"] == "postgresql://frem:***@db/frem lost"
    assert entry["error"] == "ValueError"
    assert "Miller" not in json.dumps(entry)


def test_whatever_a_process_writes_is_json() -> None:
    """Dask has handlers of its own, and Python prints what nobody caught."""
    program = """
import logging, distributed
from frem_core.logs import set_up_logs
set_up_logs()
logging.getLogger("frem_core.sweeps").info("an engine")
try:
    float("Mrs. Miller, 44")
except ValueError:
    logging.getLogger("distributed.client").exception("a scheduler")
float("Mrs. Miller, 45")
"""
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"FREM_LOG": "json"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    entries = [json.loads(line) for line in ended.stderr.splitlines()]
    assert [one["message"] for one in entries] == ["an engine", "a scheduler", "Ended by an error"]
    assert [one.get("error") for one in entries] == [None, "ValueError", "ValueError"]
    assert "Miller" not in ended.stderr
