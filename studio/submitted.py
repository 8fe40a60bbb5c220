"""Finds the sweep that a page would start, if it was started before."""

from frem_core.datasets import Dataset
from frem_core.errors import FremError
from frem_core.sweeps import SweepSpec, ensure_engine, find_submitted, submit, submit_once
from studio.choice import Choice
from studio.guard import show_error
from studio.loading import load_choice
from studio.rights import in_my_name
from studio.store import forget_sweeps, sweeps_table, the_store


def submitted_sweep(spec: SweepSpec, choice: Choice) -> str | None:
    """The id of the sweep with exactly this description, or None.

    Most often there is none of that name; then the dataset is not even looked at.

    Args:
        spec: the description.
        choice: the dataset it is about.
    """
    if not (sweeps_table()["name"] == spec.name).any():
        return None
    return find_submitted(the_store(), spec, load_choice(choice))


def queue_sweep(spec: SweepSpec, dataset: Dataset | None = None, *, once: bool = False) -> str:
    """Queues a sweep in the viewer's name, has the engine started and returns the sweep's id.

    Args:
        spec: what to train.
        dataset: its dataset, where it is loaded already.
        once: take up one with exactly this description, if it is there.

    Raises:
        FremError: the viewer may not train (so much), or the sweep cannot be trained.
    """
    store, queue = the_store(), submit_once if once else submit
    sweep = queue(store, spec, dataset, **in_my_name())
    ensure_engine(store)
    forget_sweeps()
    return sweep


def start_once(spec: SweepSpec, dataset: Dataset) -> bool:
    """Starts a sweep, or takes up the one that was started before; errors are shown.

    Returns:
        Whether it is under way.
    """
    try:
        queue_sweep(spec, dataset, once=True)
    except FremError as error:
        show_error(error, title="Training was not started")
        return False
    return True
