"""Results that come with the program, so that there is something to look at before training.

They are read like any store, and cannot be changed:

    library = open_library()
    library.sweeps.frame()                    # one row per example
    load_model(library, run)                  # frem_core.sweeps; for the runs that have files
    about_example(sweep).command              # how it was made
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from frem_core.errors import ConfigError
from frem_core.store import Store, open_store_to_read
from frem_core.store.read_only import ReadOnlyStore
from frem_core.words import counted

__all__ = [
    "FOLDER",
    "Example",
    "about_example",
    "available_examples",
    "open_library",
    "open_store_with",
]

FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Example:
    """How a sweep of the library was made.

    Attributes:
        command: what trains it again.
        runs: how many of its runs are here.
        expected: how many the whole sweep has.
        seeds: how many seeds it covers.
        made: the day it was made, YYYY-MM-DD.
    """

    command: str
    runs: int
    expected: int
    seeds: int
    made: str

    @property
    def sentence(self) -> str:
        """What a reader should know before believing it."""
        runs = counted(self.expected, "run")
        if self.runs != self.expected:
            runs = f"{self.runs:,} of {runs}"
        return (
            f"An example that comes with FREM Studio: {runs} over {counted(self.seeds, 'seed')} "
            f"with the paper's settings, made on {self.made} by `{self.command}`."
        )


def open_library() -> ReadOnlyStore:
    """Opens the library; it has the same parts as a user's store and refuses every change."""
    return ReadOnlyStore(FOLDER)


@lru_cache(maxsize=1)
def available_examples() -> dict[str, Example]:
    """How each sweep of the library was made, by its id."""
    content = json.loads((FOLDER / "about.json").read_text(encoding="utf-8"))
    return {sweep: Example(**facts) for sweep, facts in content.items()}


def open_store_with(sweep: str) -> Store:
    """Opens what holds a sweep: the library for one of its examples, else the user's store."""
    return open_library() if sweep in available_examples() else open_store_to_read()


def about_example(sweep: str) -> Example:
    """Returns how an example was made; an unknown one raises a ConfigError."""
    known = available_examples()
    if sweep not in known:
        raise ConfigError(f"'{sweep}' is not an example; there are {', '.join(known)}.")
    return known[sweep]
