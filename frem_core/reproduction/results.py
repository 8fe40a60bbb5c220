"""Finished runs of a target, found by what they are and not by the sweep they came from."""

from importlib.resources import files
from typing import Protocol

import pandas as pd

from frem_core.ablations import get_ablation
from frem_core.datasets import Dataset, load_dataset
from frem_core.reproduction.readings import Reading, nearest_version
from frem_core.reproduction.series import tidy_runs
from frem_core.reproduction.specs import load_spec, quick_version
from frem_core.store import Store
from frem_core.sweeps import SweepSpec


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
        reading: by which reading of the paper they were trained.
    """

    def __init__(self, store: Store, *, quick: bool = False, reading: Reading = "printed") -> None:
        self.store = store
        self._quick, self._reading = quick, reading
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
        variants = get_ablation(ablation).variant_of(ordered) if dataset else None
        own = tidy_runs(ordered, variants)
        if self._quick or self._reading != "nearest":
            return own
        return with_shipped_runs(own, shipped_runs(spec), load_spec(spec).training["epochs"])

    def expected(self, spec: str) -> int:
        """The number of runs of the sweep."""
        return len(self.identities(spec))

    def identities(self, spec: str) -> list[str]:
        """The runs of the sweep, finished or not, in its order."""
        if spec not in self._wanted:
            described = wanted_sweep(spec, quick=self._quick, reading=self._reading)
            name = str(described.dataset.name)
            if name not in self._datasets:
                self._datasets[name] = load_dataset(name)
            expanded = described.expand(self._datasets[name])
            self._wanted[spec] = [run.identity for run in expanded]
        return self._wanted[spec]


def shipped_runs(spec: str) -> pd.DataFrame:
    """Runs of the nearest reading that come with the program; none for most sweeps.

    `python -m benchmarks front_runs` trains those of all methods, for fewer ``epochs`` than the
    sweep where the table says so, and `frem reproduce` those of ablations;
    `python -m benchmarks nearest_reading` writes the tables.
    """
    table = files("frem_core.reproduction.specs").joinpath(shipped_name(spec))
    if not table.is_file():
        return pd.DataFrame()
    with table.open(encoding="utf-8") as file:
        return pd.read_csv(file)


def shipped_name(spec: str) -> str:
    """The file of `shipped_runs`.

    >>> shipped_name("sigma@crime")
    'sigma_crime_nearest.csv'
    """
    return f"{spec.replace('@', '_')}_nearest.csv"


def with_shipped_runs(own: pd.DataFrame, shipped: pd.DataFrame, epochs: int) -> pd.DataFrame:
    """Adds shipped runs where a store has none.

    Shorter ones are never mixed with others: they stand until a store has as many of its own.

    Args:
        own: tidy runs of the store, trained for as long as the paper says.
        shipped: what `shipped_runs` gives.
        epochs: how long that is.
    """
    if shipped.empty:
        return own
    if (shipped["epochs"] < epochs).any():
        return own if len(own) >= len(shipped) else shipped
    place = ["series", "weight", "seed"]
    known = set(own[place].itertuples(index=False, name=None))
    rows = [row not in known for row in shipped[place].itertuples(index=False, name=None)]
    return pd.concat([own, shipped[rows]], ignore_index=True) if len(own) else shipped


def wanted_sweep(spec: str, *, quick: bool, reading: Reading) -> SweepSpec:
    """The committed sweep as it is trained: by one reading, whole or for a quick look."""
    described = nearest_version(spec) if reading == "nearest" else load_spec(spec)
    return quick_version(described) if quick else described
