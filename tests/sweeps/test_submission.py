from collections.abc import Iterator
from pathlib import Path

import pytest

from frem_core.store import RunState, Store
from frem_core.sweeps import SweepSpec, find_submitted, submit, submit_once

SPEC = """
name = "Crime, a first look"
seeds = [0]
[dataset]
name = "crime"
[training]
epochs = 2
[[methods]]
method = "frem"
fairness_weights = [0.1, 0.3]
[[methods]]
method = "unfair"
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(folder=tmp_path)
    yield opened
    opened.close()


def test_the_same_description_is_one_sweep(store: Store) -> None:
    spec = SweepSpec.from_toml(SPEC)
    assert find_submitted(store, spec) is None
    sweep = submit_once(store, spec)
    assert submit_once(store, spec) == sweep
    assert find_submitted(store, spec) == sweep
    assert len(store.sweeps.frame()) == 1
    assert submit(store, spec) != sweep


def test_another_description_of_the_same_name_is_another_sweep(store: Store) -> None:
    sweep = submit_once(store, SweepSpec.from_toml(SPEC))
    longer = SweepSpec.from_toml(SPEC.replace("epochs = 2", "epochs = 3"))
    assert find_submitted(store, longer) is None
    assert submit_once(store, longer) != sweep


def test_what_was_cancelled_is_queued_again(store: Store) -> None:
    spec = SweepSpec.from_toml(SPEC)
    sweep = submit_once(store, spec)
    store.sweeps.cancel(sweep)
    assert set(store.runs.frame(sweep)["state"]) == {RunState.CANCELLED}
    assert find_submitted(store, spec) == sweep
    assert set(store.runs.frame(sweep)["state"]) == {RunState.CANCELLED}
    assert submit_once(store, spec) == sweep
    assert set(store.runs.frame(sweep)["state"]) == {RunState.QUEUED}
