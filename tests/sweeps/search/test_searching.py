"""A search through the engine, with the engine killed on the way."""

from pathlib import Path

import pytest

from frem_core.errors import ConfigError
from frem_core.store import Store
from frem_core.sweeps import SweepSpec, ensure_engine, submit
from frem_core.sweeps.launch import is_work_left
from frem_core.sweeps.search import open_searches
from tests.sweeps.processes import (
    engine_process,
    finish_sweep,
    kill,
    own_home,
    spec_text,
    wait_until,
    write_table,
)

SEARCH = """
[search]
trainings = 9
side_by_side = 3
[search.ranges]
width = [4, 8]
"""
METHODS = """
[[methods]]
method = "unfair"
"""


def _submit(store: Store, folder: Path) -> str:
    table = write_table(folder / "people.csv")
    text = spec_text(table, methods=METHODS, epochs=2, seeds=1)
    return submit(
        store, SweepSpec.from_toml(text.replace("[[methods]]", SEARCH + "[[methods]]", 1))
    )


def test_a_search_goes_on_after_its_engine_was_killed(tmp_path: Path) -> None:
    with own_home(tmp_path / "home", FREM_WORKERS="1") as store:
        sweep = _submit(store, tmp_path)
        assert [one.missing for one in open_searches(store)] == [6]
        ensure_engine(store)
        wait_until(
            lambda: (store.runs.frame(sweep)["state"] == "done").sum() >= 4, "the first stack"
        )
        engine = engine_process(store)
        assert engine is not None
        kill(engine)
        assert is_work_left(store)
        runs = finish_sweep(store, sweep)
        frem = runs[runs["method"] == "frem"]
        assert len(frem) == 9
        assert (runs["state"] == "done").all()
        assert frem["id"].nunique() == 9
        hidden = {tuple(sizes) for sizes in frem["config.training.hidden"]}
        assert len(hidden) > 1  # later stacks have other widths
        assert frem["validation.hgr"].notna().all()
        assert not open_searches(store)
        again = SweepSpec.from_toml(store.sweeps.spec(sweep))
        assert again.search is not None
        assert again.count() == 10


def test_a_search_cannot_choose_what_is_chosen_already() -> None:
    base = 'name = "x"\nseeds = [0]\n[dataset]\nname = "crime"\n[search]\ntrainings = 4\n'
    with pytest.raises(ConfigError, match="give one value of each"):
        SweepSpec.from_toml(base + '[[methods]]\nmethod = "frem"\ngamma = [0.1, 0.2]\n')
    spec = SweepSpec.from_toml(base + '[[methods]]\nmethod = "frem"\n')
    assert spec.split.validation_size == 0.2  # the test rows must not choose
    assert SweepSpec.from_toml(spec.to_toml()) == spec
    assert spec.count() == 4
