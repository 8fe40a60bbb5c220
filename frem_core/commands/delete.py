"""``frem delete``: remove sweeps, runs or kept tables for good."""

import re
from typing import TYPE_CHECKING

import click

from frem_core.console.terminal import harmless, results
from frem_core.words import counted

if TYPE_CHECKING:
    from frem_core.store import Store

_TABLE = re.compile(r"[0-9a-f]{20}")


@click.command()
@click.argument("targets", nargs=-1, metavar="[SWEEP|RUN|TABLE]…")
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(targets: tuple[str, ...], yes: bool) -> None:
    """Delete sweeps with their runs, single runs, or kept tables; asks before each.

    Runs that another sweep holds stay with it. Without a name the kept tables are listed.
    """
    from frem_core.store import open_store

    store = open_store()
    if not targets:
        _list_tables(store)
        return
    for given in targets:
        if _TABLE.fullmatch(given):
            _delete_table(store, given, yes)
        else:
            _delete_runs(store, given, yes)


def _list_tables(store: "Store") -> None:
    tables = store.tables.list()
    if not tables:
        results().print("No table is kept.")
    for table in tables:
        when, size = table.kept_at.strftime("%Y-%m-%d"), table.size / 1e6
        words = (
            f"{table.id}  {table.name}  {counted(table.rows, 'row')}  {size:.1f} MB  kept on {when}"
        )
        results().print(words, markup=False)


def _delete_table(store: "Store", table_id: str, yes: bool) -> None:
    table = store.tables.find(table_id)
    words = f"table '{table.name}' ({counted(table.rows, 'row')}, {table.size / 1e6:.1f} MB)"
    if yes or click.confirm(
        f"Delete the {harmless(words)} for good? Its finished runs keep their scores"
    ):
        store.tables.delete(table_id)
        results().print(f"Deleted the {words}.", markup=False)


def _delete_runs(store: "Store", given: str, yes: bool) -> None:
    from frem_core.console.sweep_targets import find_target

    target = find_target(store, given)
    if not (yes or click.confirm(f"Delete {harmless(target.label)} with its results for good?")):
        return
    if target.kind == "sweep":
        count = store.sweeps.delete(target.id)
        results().print(f"Deleted {target.label} and {counted(count, 'run')}.", markup=False)
    else:
        store.runs.delete([target.id])
        results().print(f"Deleted {target.label}.", markup=False)
