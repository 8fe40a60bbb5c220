"""What the person in front of a page may do with sweeps and tables, and how much of it."""

import threading
import weakref
from typing import Final, Protocol, TypedDict

from streamlit.runtime.scriptrunner import get_script_run_ctx

from frem_core.errors import ConfigError
from frem_core.settings import size as size_limit
from frem_core.settings import whole_number
from studio.people import JOBS, NotAllowedError, Person, the_person
from studio.store import is_example, sweeps_table, the_store
from studio.tables import forget_owners, the_tables

UPLOADS: Final = "FREM_QUOTA_UPLOADS"
RUNS: Final = "FREM_QUOTA_RUNS"


def check_author() -> Person:
    """Returns the person when they may bring tables and train.

    Raises:
        NotAllowedError: they only look.
    """
    person = the_person()
    if not person.is_author:
        raise NotAllowedError(
            f"{person.name} may look at results, not bring tables or train. The administrator "
            "makes authors (FREM_AUTHORS)."
        )
    return person


def may_author() -> bool:
    """Whether the viewer may bring tables and train."""
    return the_person().is_author


def queued_by(sweep: str) -> str | None:
    """Who queued a sweep; None when nobody said so."""
    sweeps = sweeps_table()
    found = sweeps.loc[sweeps["id"] == sweep, "queued_by"]
    return None if found.empty or found.isna().any() else str(found.item())


def may_change(sweep: str) -> bool:
    """Whether the viewer may cancel, resume, annotate and delete a sweep: their own only."""
    person = the_person()
    if is_example(sweep) or person.is_administrator:
        return person.is_administrator
    return person.is_author and queued_by(sweep) == person.name


def check_change(sweep: str) -> None:
    """Refuses to change what is not the viewer's.

    Raises:
        NotAllowedError: the sweep belongs to somebody else.
    """
    if not may_change(sweep):
        whose = queued_by(sweep)
        raise NotAllowedError(
            f"This sweep was queued by {whose or 'nobody in particular'}; only they and "
            "administrators may change or delete it."
        )


def my_name() -> str | None:
    """What belongs to the viewer belongs to this name; None where nobody has to log in."""
    return the_person().name


def take_upload(table_id: str, size: int) -> None:
    """Notes that a table, which is about to be kept, is the viewer's.

    Raises:
        NotAllowedError: they only look, or their tables would take more than their share.
        ConfigError: the share is not a size.
    """
    name = check_author().name
    if name is None:
        return
    _check_room(name, size)
    the_store().own_table(table_id, name)
    forget_owners()


def _check_room(name: str, size: int) -> None:
    most = size_limit(UPLOADS)
    if most is None:
        return
    own = the_store().owners.tables_of(name)
    used = sum(table.size for table in the_tables().list() if table.id in own)
    if used + size > most:
        raise NotAllowedError(
            f"Your tables take {used / 1e6:.1f} MB of the {most / 1e6:.1f} MB that everybody may "
            f"keep here, and this file has {size / 1e6:.1f} MB. Delete a table first, or ask the "
            "administrator."
        )


def most_runs() -> int | None:
    """How many runs one person may have waiting or under way; None is no limit."""
    return None if my_name() is None else whole_number(RUNS)


class _Name(TypedDict):
    queued_by: str | None
    most_unfinished: int | None


def in_my_name() -> _Name:
    """Says, to whoever queues a sweep, for whom and how much they may have.

    Raises:
        NotAllowedError: the viewer may not train.
    """
    return {"queued_by": check_author().name, "most_unfinished": most_runs()}


class Job(Protocol):
    """What is counted."""

    @property
    def what(self) -> str:
        """The work in words."""

    person: str | None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""

    def __hash__(self) -> int: ...


_under_way: Final[weakref.WeakSet["Job"]] = weakref.WeakSet()
_places: Final = threading.Lock()


def take_place(job: Job) -> str:
    """Counts a job as its viewer's; returns why there is no place for it, or ""."""
    if get_script_run_ctx(suppress_warning=True) is None or (name := my_name()) is None:
        return ""
    try:
        most = whole_number(JOBS, least=1)
    except ConfigError as error:
        return f"{job.what} was not started: {error}"
    if most is None:
        return ""
    with _places:
        others = [one for one in _under_way if one.person == name and not one.is_over]
        if len([one for one in others if one is not job]) >= most:
            return (
                f"{job.what} was not started: {most} pieces of work of yours are under way, as "
                "many as everybody may have at once. Try again when one of them is done."
            )
        job.person = name
        _under_way.add(job)
    return ""
