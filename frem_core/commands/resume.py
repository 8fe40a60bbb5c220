"""``frem resume``: queue failed and cancelled runs again."""

import click

from frem_core.console.terminal import results
from frem_core.words import counted


@click.command()
@click.argument("targets", nargs=-1, required=True, metavar="SWEEP|RUN…")
def command(targets: tuple[str, ...]) -> None:
    """Train the failed and cancelled runs of sweeps, or single runs, once more.

    They go on from their last checkpoint where there is one. The command also starts the engine
    for runs that wait since it was stopped.
    """
    from frem_core.console.sweep_targets import find_target
    from frem_core.store import open_store
    from frem_core.sweeps import ensure_engine

    store = open_store()
    found = [find_target(store, given) for given in targets]
    for target in found:
        if target.kind == "sweep":
            count = store.sweeps.resume(target.id)
        else:
            count = store.queue.resume([target.id])
        results().print(f"Queued {counted(count, 'run')} of {target.label} again.", markup=False)
    ensure_engine(store)
