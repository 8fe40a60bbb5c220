"""Trains what a target needs and is not trained yet."""

from collections.abc import Callable

from frem_core.library import open_library
from frem_core.reproduction.results import StoredResults
from frem_core.reproduction.specs import load_spec, quick_version
from frem_core.reproduction.target import Target
from frem_core.store import Store, copy_finished_runs
from frem_core.sweeps import ensure_engine
from frem_core.sweeps.submission import submit_once


def train_target(
    store: Store,
    target: Target,
    *,
    quick: bool = False,
    wait: Callable[[str, str], object],
) -> None:
    """Queues the sweeps of a target, starts the engine and waits for each of them.

    A run that any sweep of the store has finished is not trained again, so a target that was
    interrupted goes on where it stopped. All sweeps are queued before the first is waited for.

    Args:
        store: where results go.
        target: what to train.
        quick: train the quick versions.
        wait: is called with the id and the name of each sweep; returns when it has ended.
    """
    queued = []
    for name in target.wanted_specs():
        spec = quick_version(load_spec(name)) if quick else load_spec(name)
        queued.append((submit_once(store, spec), spec.name))
    ensure_engine(store)
    for sweep, name in queued:
        wait(sweep, name)


def take_over_examples(store: Store, target: Target) -> int:
    """Counts the target's runs that come with the program as finished; returns how many are new.

    For whoever goes on with a reproduction on another machine, or wants to see its verdicts
    without training.
    """
    results = StoredResults(store)
    wanted = [run for spec in target.wanted_specs() for run in results.identities(spec)]
    library = open_library()
    try:
        return len(copy_finished_runs(library, store, list(dict.fromkeys(wanted))))
    finally:
        library.close()
