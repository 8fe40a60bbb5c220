"""``frem resume``: queue failed and cancelled runs again, and those whose files are lost."""

import click

from frem_core.console.terminal import messages, results
from frem_core.words import counted


@click.command()
@click.argument("targets", nargs=-1, required=True, metavar="SWEEP|RUN…")
def command(targets: tuple[str, ...]) -> None:
    """Train the failed and cancelled runs of sweeps, or single runs, once more.

    So are finished runs with a file that is lost, cut short or exchanged. The others go on from
    their last checkpoint where there is one. The command also starts the engine for runs that wait
    since it was stopped.
    """
    from frem_core.console.sweep_targets import find_target
    from frem_core.store import RunState, open_store
    from frem_core.sweeps import ensure_engine

    store = open_store()
    found = [find_target(store, given) for given in targets]
    for target in found:
        if target.kind == "sweep":
            count = store.sweeps.resume(target.id)
            members = list(store.runs.frame(target.id, [RunState.DONE])["id"])
        else:
            count = store.queue.resume([target.id])
            members = [target.id]
        with messages().status("Checking files"):
            damaged = store.artefacts.damaged(members)
        for words in damaged.values():
            messages().print(words, markup=False, style="yellow")
        count += store.runs.make_again(damaged)
        results().print(f"Queued {counted(count, 'run')} of {target.label} again.", markup=False)
    ensure_engine(store)
