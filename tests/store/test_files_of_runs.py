"""Files of runs in a folder, in the database and in a bucket: the same promises everywhere."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from frem_core.store import (
    DamagedFileError,
    RunState,
    Store,
    StoreError,
    UnreachableError,
)
from frem_core.store.schema import contents
from tests.store.buckets import running_bucket
from tests.store.examples import OWNER, add_sweep, new_run, result

Spoil = Callable[[str, bytes | None], None]


@pytest.fixture(params=["folder", "database", "bucket"])
def place(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Store, Store, Spoil]]:
    """A store, the same as another machine with a folder of its own sees it, and a vandal."""
    url = f"sqlite:///{tmp_path / 'common.db'}"

    def opened(setting: str) -> tuple[Store, Store]:
        monkeypatch.setenv("FREM_FILES", setting)
        return Store(url, tmp_path / "engine"), Store(url, tmp_path / "dashboard")

    if request.param == "folder":
        here, there = opened(str(tmp_path / "shared"))

        def spoil(digest: str, content: bytes | None) -> None:
            path = tmp_path / "shared" / digest[:2] / digest
            path.unlink() if content is None else path.write_bytes(content)

        yield here, there, spoil
    elif request.param == "database":
        here, there = opened("database")

        def spoil(digest: str, content: bytes | None) -> None:
            one = contents.c.hash == digest
            change: Any = contents.delete().where(one)
            if content is not None:
                change = update(contents).where(one).values(content=content)
            here._database.write(lambda connection: connection.execute(change))

        yield here, there, spoil
    else:
        with running_bucket("studio") as (address, client):
            here, there = opened(address)

            def spoil(digest: str, content: bytes | None) -> None:
                key: dict[str, Any] = {"Bucket": "studio", "Key": f"runs/{digest[:2]}/{digest}"}
                assert client.get_object(**key)["Body"].read()  # type: ignore[attr-defined]
                if content is None:
                    client.delete_object(**key)  # type: ignore[attr-defined]
                else:
                    client.put_object(Body=content, **key)  # type: ignore[attr-defined]

            yield here, there, spoil
    here.close()
    there.close()


def finished_run(store: Store) -> str:
    add_sweep(store, [new_run(0)])
    [[run]] = store.queue.claim(OWNER, bundles=1)
    store.results.finish(OWNER, run.id, result())
    return run.id


def test_what_one_machine_writes_the_others_read(place: tuple[Store, Store, Spoil]) -> None:
    here, there, _ = place
    run = finished_run(here)
    assert not (there.folder / "artefacts").exists()
    for kind, artefact in here.artefacts.of_run(run).items():
        assert there.artefacts.read(run, kind) == result().files[kind]
        assert artefact.size == len(result().files[kind])
    assert there.kept_bytes()["files of runs"] == sum(map(len, result().files.values()))
    assert there.artefacts.damaged([run]) == {}


@pytest.mark.parametrize(
    ("left", "words"),
    [(None, "is missing"), (b"w", "is cut short"), (b"x" * 500, "holds something else")],
)
def test_lost_cut_and_exchanged_files_are_named_and_made_again(
    place: tuple[Store, Store, Spoil], left: bytes | None, words: str
) -> None:
    here, there, spoil = place
    run = finished_run(here)
    here.runs.write_note(run, "mine")
    [sweep] = here.sweeps.frame()["id"]
    spoil(here.artefacts.of_run(run)["weights"].hash, left)
    with pytest.raises(DamagedFileError, match=rf"weights of run {run[:12]}.*{words}") as caught:
        there.artefacts.read(run, "weights")
    assert caught.value.run == run
    assert list(there.artefacts.damaged([run])) == [run]
    assert there.runs.make_again([run]) == 1
    assert there.runs.make_again([run]) == 0  # it is on its way
    queued = here.runs.get(run)
    assert (queued.state, queued.note, dict(queued.scores)) == (RunState.QUEUED, "mine", {})
    assert list(here.runs.frame(sweep)["id"]) == [run]
    [[claimed]] = here.queue.claim(OWNER, bundles=1)
    here.results.finish(OWNER, claimed.id, result())
    assert there.artefacts.damaged([run]) == {}
    assert there.artefacts.read(run, "weights") == result().files["weights"]


def test_garbage_is_swept_and_what_is_named_stays(place: tuple[Store, Store, Spoil]) -> None:
    here, there, _ = place
    run = finished_run(here)
    there.artefacts.put("weights", b"of a run that never finished")
    assert here.artefacts.sweep_garbage() == 0
    assert here.artefacts.sweep_garbage(young_seconds=-1) == 28
    assert here.artefacts.damaged([run]) == {}
    here.runs.delete([run])
    assert here.artefacts.sweep_garbage(young_seconds=-1) == sum(map(len, result().files.values()))


def test_files_of_an_earlier_setting_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = finished_run(Store(folder=tmp_path))
    monkeypatch.setenv("FREM_FILES", "database")
    store = Store(folder=tmp_path)
    assert store.artefacts.read(run, "weights") == result().files["weights"]


def test_a_bucket_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_bucket("studio") as (address, _):
        monkeypatch.setenv("FREM_FILES", address)
        store = Store(folder=tmp_path)
        run = finished_run(store)
        monkeypatch.setenv("FREM_FILES", "s3://another/runs")
        elsewhere = Store(folder=tmp_path)
        with pytest.raises(DamagedFileError, match="is missing"):
            elsewhere.artefacts.read(run, "weights")
        add_sweep(elsewhere, [new_run(1)])
        [[claimed]] = elsewhere.queue.claim(OWNER, bundles=1)
        with pytest.raises(StoreError, match="s3://another/runs"):
            elsewhere.results.finish(OWNER, claimed.id, result())
        assert elsewhere.runs.get(claimed.id).state == RunState.RUNNING  # it is tried again
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setenv("FREM_FILES", "s3://gone/runs")
    with pytest.raises(UnreachableError, match=r"s3://gone/runs cannot be reached.*FREM_FILES"):
        Store(folder=tmp_path).artefacts.put("weights", b"w")


def test_a_setting_that_names_no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREM_FILES", "databse")
    with pytest.raises(StoreError, match="must be 'database', an address"):
        Store(folder=tmp_path)
    monkeypatch.setenv("FREM_FILES", "nowhere://bucket")
    with pytest.raises(StoreError, match="nowhere://bucket"):
        Store(folder=tmp_path).artefacts.put("weights", b"w")
