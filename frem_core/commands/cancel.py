"""``frem cancel``: stop a sweep or single runs."""

import click

from frem_core.console.terminal import results


@click.command()
@click.argument("targets", nargs=-1, required=True, metavar="SWEEP|RUN…")
def command(targets: tuple[str, ...]) -> None:
    """Stop sweeps or runs, by id or name; finished runs stay, and `frem resume` goes on.

    Runs that another sweep waits for are trained on when a sweep is cancelled.
    """
    from frem_core.console.sweep_targets import find_target
    from frem_core.store import open_store

    store = open_store()
    found = [find_target(store, given) for given in targets]
    for target in found:
        if target.kind == "sweep":
            store.sweeps.cancel(target.id)
        else:
            store.queue.cancel([target.id])
        results().print(f"Cancelled {target.label}.", markup=False)
