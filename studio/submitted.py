"""Finds the sweep that a page would start, if it was started before."""

from frem_core.datasets import Dataset
from frem_core.errors import FremError
from frem_core.sweeps import SweepSpec, ensure_engine, find_submitted, submit_once
from studio.choice import Choice
from studio.guard import show_error
from studio.loading import load_choice
from studio.store import runs_table, sweeps_table, the_store


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


def start_once(spec: SweepSpec, dataset: Dataset) -> bool:
    """Starts a sweep, or takes up the one that was started before; errors are shown.

    Returns:
        Whether it is under way.
    """
    store = the_store()
    try:
        submit_once(store, spec, dataset)
        ensure_engine(store)
    except FremError as error:
        show_error(error, title="Training was not started")
        return False
    sweeps_table.clear()
    runs_table.clear()
    return True
