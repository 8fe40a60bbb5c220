"""Who queued a sweep, whose a table is, and from whom it is hidden; on every database."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from frem_core.store import Store
from frem_core.sweeps import SweepSpec, submit
from tests.store.examples import CRIME, add_sweep, new_run

TABLE = "a" * 20
EDGES = "b" * 20
CLINIC = replace(CRIME, hash="d" * 64, source={"table": TABLE, "edge_table": EDGES})


def sweep_about_tables(store: Store, queued_by: str | None = "ann") -> str:
    run = replace(new_run(1), dataset=CLINIC.hash)
    return store.sweeps.add("clinic", "", [run], [CLINIC], queued_by=queued_by)


def test_a_sweep_says_who_queued_it_also_after_opening_again(
    open_again: Callable[[], Store],
) -> None:
    store = open_again()
    sweep_about_tables(store)
    add_sweep(store, [new_run(2)])
    frame = open_again().sweeps.frame().set_index("name")
    assert frame.loc["clinic", "queued_by"] == "ann"
    assert pd.isna(frame.loc["example", "queued_by"])
    assert list(frame["priority"]) == [0, 0]


def test_priority_is_kept(store: Store) -> None:
    sweep = add_sweep(store, [new_run(0)])
    store.sweeps.prefer(sweep, 3)
    assert store.sweeps.frame(sweep)["priority"].item() == 3


def test_what_nobody_owns_is_everybodys(store: Store) -> None:
    sweep_about_tables(store)
    assert store.owners.hidden_tables("bob") == set()
    assert store.owners.hidden_sweeps("bob") == set()


@pytest.mark.parametrize("table", [TABLE, EDGES])
def test_a_table_hides_the_sweeps_about_it_until_it_is_shared(store: Store, table: str) -> None:
    sweep = sweep_about_tables(store)
    add_sweep(store, [new_run(2)])
    store.owners.add(table, "ann")
    assert store.owners.hidden_tables("ann") == set()
    assert store.owners.hidden_sweeps("ann") == set()
    assert store.owners.hidden_tables("bob") == {table}
    assert store.owners.hidden_sweeps("bob") == {sweep}
    store.owners.share(table, "ann", with_all=True)
    assert store.owners.hidden_sweeps("bob") == set()
    store.owners.share(table, "ann", with_all=False)
    assert store.owners.hidden_sweeps("bob") == {sweep}


def test_two_people_may_own_the_same_file_and_one_may_forget_it(store: Store) -> None:
    sweep = sweep_about_tables(store)
    store.owners.add(TABLE, "ann")
    store.owners.add(TABLE, "bob")
    store.owners.add(TABLE, "bob")
    assert store.owners.of(TABLE) == {"ann": False, "bob": False}
    assert not store.owners.forget(TABLE, "ann")  # bob keeps it
    assert store.owners.tables_of("ann") == set()
    assert store.owners.tables_of("bob") == {TABLE}
    assert store.owners.forget(TABLE, "bob")
    # The file may go now; what was trained on it stays hidden from others.
    assert store.owners.hidden_sweeps("carl") == {sweep}
    assert store.owners.hidden_sweeps("ann") == set()


def test_deleting_a_sweep_forgets_what_it_was_about(store: Store) -> None:
    sweep = sweep_about_tables(store)
    store.owners.add(TABLE, "ann")
    store.sweeps.delete(sweep)
    assert store.owners.hidden_sweeps("bob") == set()


def test_a_file_given_with_a_name_is_private_from_the_first_moment(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    rows = "\n".join(f"{n % 7},{n % 2},{n}" for n in range(80))
    file.write_text(f"x,y,s\n{rows}\n")
    spec = SweepSpec.from_toml(
        f'name = "own"\n[dataset]\npath = "{file}"\ntarget = "y"\nsensitive = "s"\n'
        '[[methods]]\nmethod = "unfair"\n[training]\nepochs = 1\n'
    )
    store = Store(folder=tmp_path / "home")
    sweep = submit(store, spec, queued_by="ann")
    (table,) = store.tables.list()
    assert store.owners.hidden_tables("bob") == {table.id}
    assert store.owners.hidden_sweeps("bob") == {sweep}
    # A table that was everybody's before stays so, whoever gives it again.
    common = Store(folder=tmp_path / "other")
    submit(common, spec)
    submit(common, spec, queued_by="ann")
    assert common.owners.hidden_tables("bob") == set()
    store.close()
    common.close()
