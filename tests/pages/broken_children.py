"""Ways in which a child may go wrong, for every kind of job beside a page."""

from collections.abc import Iterator

import pytest

from frem_core.figures import plain_text
from studio.child_job import ChildJob

KILLED = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
GARBAGE = "print('Segmentation fault: <b>core</b> dumped')"
FAULTS = {
    "killed": (KILLED, "was ended from outside (signal 9)"),
    "garbage": (GARBAGE, "reported something that cannot be read"),
    "foreign error": ("", "an error that was not foreseen (ZeroDivisionError: division by zero)"),
}


def every_fault(monkeypatch: pytest.MonkeyPatch, kind: type[ChildJob], inner: str) -> Iterator[str]:
    """Lets the children of one kind of job go wrong in one way after the other, then mends them.

    Args:
        monkeypatch: of the test.
        kind: the kind of job.
        inner: what the child's module calls to do its work; a foreign error is raised there.

    Yields:
        What users must be told of a child that is started now.
    """
    module, whole = kind.command[1], kind.command
    foreign = (
        f"import {module} as child; from studio.child import run_child\n"
        f"child.{inner} = lambda *given, **named: 1 / 0\nrun_child(child.main)"
    )
    for code, words in FAULTS.values():
        monkeypatch.setattr(kind, "command", ("-c", code or foreign))
        yield plain_text(words, longest=None)
    monkeypatch.setattr(kind, "command", whole)
