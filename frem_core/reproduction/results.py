"""Finished runs of a target, found by what they are and not by the sweep they came from."""

from typing import Protocol

import pandas as pd

from frem_core.ablations import get_ablation
from frem_core.datasets import Dataset, load_dataset
from frem_core.reproduction.series import tidy_runs
from frem_core.reproduction.specs import load_spec, quick_version
from frem_core.store import Store


class Results(Protocol):
    """What a target's report is made from."""

    store: Store

    def runs(self, spec: str) -> pd.DataFrame:
        """Returns the finished runs of a committed sweep; see `tidy_runs`.

        The series of an ablation are its variants.
        """

    def expected(self, spec: str) -> int:
        """Returns how many runs the sweep has in all."""


class StoredResults:
    """Runs in a store. A sweep that is half done gives half of its runs.

    Args:
        store: where the runs are.
        quick: look for the quick version of the sweeps.
    """

    def __init__(self, store: Store, *, quick: bool = False) -> None:
        self.store = store
        self._quick = quick
        self._wanted: dict[str, list[str]] = {}
        self._datasets: dict[str, Dataset] = {}

    def runs(self, spec: str) -> pd.DataFrame:
        """The finished runs, in the order of the sweep."""
        wanted = self.identities(spec)
        frame = self.store.runs.frame()
        done = frame[(frame["state"] == "done") & frame["id"].isin(wanted)]
        place = {run: number for number, run in enumerate(wanted)}
        ordered = done.sort_values("id", key=lambda ids: ids.map(place))
        ablation, _, dataset = spec.partition("@")
        if not dataset:
            return tidy_runs(ordered)
        return tidy_runs(ordered, get_ablation(ablation).variant_of(ordered))

    def expected(self, spec: str) -> int:
        """The number of runs of the sweep."""
        return len(self.identities(spec))

    def identities(self, spec: str) -> list[str]:
        """The runs of the sweep, finished or not, in its order."""
        if spec not in self._wanted:
            described = quick_version(load_spec(spec)) if self._quick else load_spec(spec)
            name = str(described.dataset.name)
            if name not in self._datasets:
                self._datasets[name] = load_dataset(name)
            expanded = described.expand(self._datasets[name])
            self._wanted[spec] = [run.identity for run in expanded]
        return self._wanted[spec]
