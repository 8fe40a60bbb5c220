"""Sweeps while the store is in trouble, and on another database."""

from pathlib import Path

import pytest

from frem_core.sweeps import SweepSpec, engine_state, ensure_engine, submit
from tests.store.disks import small_disk
from tests.store.postgresql import create_database, running_server
from tests.sweeps.processes import finish_sweep, own_home, spec_text, wait_until, write_table

pytestmark = pytest.mark.slow


def fill(folder: Path) -> Path:
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"\0" * 4096):
                pass
        except OSError:
            pass
    return filler


def test_a_disk_that_fills_up_during_a_sweep_loses_nothing(tmp_path: Path) -> None:
    table = write_table(tmp_path / "people.csv")
    spec = SweepSpec.from_toml(spec_text(table, epochs=300, seeds=3))
    with (
        small_disk(tmp_path / "disk", "40m") as disk,
        own_home(disk / "home", FREM_WORKERS="1") as store,
    ):
        sweep = submit(store, spec)
        ensure_engine(store)
        wait_until(lambda: store.sweeps.frame(sweep)["done"][0] >= 3, "one bundle was done")
        filler = fill(disk)
        wait_until(lambda: "full" in _log(store.folder), "the engine noticed the full disk")
        done = store.sweeps.frame(sweep)["done"][0]
        assert done < 9
        filler.unlink()
        frame = finish_sweep(store, sweep)
        assert set(frame["state"]) == {"done"}
        assert frame["attempts"].max() <= 3
        wait_until(lambda: engine_state(store).message == "", "the engine forgot its complaint")


def _log(folder: Path) -> str:
    return (folder / "engine.log").read_text(errors="replace")


def test_a_sweep_on_postgresql(tmp_path: Path) -> None:
    table = write_table(tmp_path / "people.csv")
    with running_server() as server:
        url = create_database(server, "sweeps")
        with own_home(tmp_path / "home", FREM_STORE=url, FREM_WORKERS="2") as store:
            sweep = submit(store, SweepSpec.from_toml(spec_text(table, epochs=20)))
            ensure_engine(store)
            frame = finish_sweep(store, sweep)
            assert set(frame["state"]) == {"done"}
            assert store.where.startswith("postgresql+psycopg://postgres@")
            assert not (store.folder / "store.db").exists()
            assert len(store.artefacts.read(frame["id"][0], "weights")) > 100
