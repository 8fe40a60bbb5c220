"""Ways in which a child may go wrong, for every kind of job beside a page."""

from collections.abc import Callable

import pytest

from studio.child_job import ChildJob

KILLED = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
GARBAGE = "print('Segmentation fault: <b>core</b> dumped')"
FAULTS = {
    "killed": (KILLED, "was ended from outside (signal 9)"),
    "garbage": (GARBAGE, "reported something that cannot be read"),
    "foreign error": ("", "an error that was not foreseen (ZeroDivisionError: division by zero)"),
}
EVERY_FAULT = pytest.mark.parametrize("fault", list(FAULTS))


def break_child(
    monkeypatch: pytest.MonkeyPatch, kind: type[ChildJob], fault: str, inner: str
) -> tuple[str, Callable[[], None]]:
    """Lets the children of one kind of job go wrong.

    Args:
        monkeypatch: of the test.
        kind: the kind of job.
        fault: a key of ``FAULTS``.
        inner: what the child's module calls to do its work; a foreign error is raised there.

    Returns:
        What users must be told, and a function that mends the child.
    """
    module, whole = kind.command[1], kind.command
    foreign = (
        f"import {module} as child; from studio.child_job import run_child\n"
        f"child.{inner} = lambda *given, **named: 1 / 0\nrun_child(child.main)"
    )
    code, words = FAULTS[fault]
    monkeypatch.setattr(kind, "command", ("-c", code or foreign))
    return words, lambda: monkeypatch.setattr(kind, "command", whole)
