"""What can be reproduced: one class per experiment of the paper."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

import pandas as pd

from frem_core.library import open_library
from frem_core.registry import Registry
from frem_core.reproduction.readings import READINGS, Reading, both_readings
from frem_core.reproduction.report import Report
from frem_core.reproduction.results import Results, StoredResults, wanted_sweep
from frem_core.reproduction.specs import load_spec
from frem_core.store import Store, copy_finished_runs
from frem_core.sweeps import ensure_engine
from frem_core.sweeps.submission import submit_once

_TARGETS: Registry["Target"] = Registry("target", "frem_core.reproduction.targets")


class Target(ABC):
    """One experiment.

    Attributes:
        name: what users type.
        title: what it is about.
        where: the paper's figures, tables and sections.
        specs: its committed sweeps, most important first; none for simulations.
        has_readings: whether it is judged by two readings of the paper's training settings.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    where: ClassVar[str]
    specs: ClassVar[tuple[str, ...]] = ()
    has_readings: ClassVar[bool] = True

    def wanted_specs(self) -> tuple[str, ...]:
        """The sweeps whose data is there; all of them, unless a target says otherwise."""
        return self.specs

    def read_specs(self) -> tuple[str, ...]:
        """The sweeps whose runs its verdicts rest on, also where others train them."""
        return self.specs

    @abstractmethod
    def report(self, results: Results, *, quick: bool = False) -> Report:
        """Says what the finished runs show; a missing run is never an error.

        Args:
            results: where finished runs come from.
            quick: whether whatever is computed here may be computed roughly.
        """

    def judged(self, store: Store, *, quick: bool = False, printed: Report | None = None) -> Report:
        """The report by the nearest reading of the paper, with the printed one beside it.

        Args:
            store: where finished runs are.
            quick: see `report`.
            printed: what is known already about the settings as printed; by default the runs of
                the store say it.
        """
        if printed is None or not self.has_readings:
            printed = self.report(StoredResults(store, quick=quick), quick=quick)
        if not self.has_readings:
            return printed
        nearest = StoredResults(store, quick=quick, reading="nearest")
        runs = effort(nearest, self.specs)
        shorter = shorter_trainings(nearest, self.read_specs())
        return both_readings(self.report(nearest, quick=quick), printed, runs, shorter)


def register(target: type[Target]) -> type[Target]:
    """Class decorator: makes a target known under its name."""
    _TARGETS.register(target.name)(target())
    return target


def available_targets() -> list[str]:
    """Names of all targets."""
    return list(_TARGETS)


def get_target(name: str) -> Target:
    """Returns a target; an unknown name raises a ConfigError."""
    return _TARGETS.get(name)


def effort(results: Results, specs: tuple[str, ...]) -> tuple[str, ...]:
    """Sentences on runs, seeds and time behind a report."""
    sentences = []
    for spec in specs:
        runs = results.runs(spec)
        expected = results.expected(spec)
        sentences.append(f"{_link(spec)}: {_effort(runs, expected)}")
    return tuple(sentences)


def shorter_trainings(results: Results, specs: tuple[str, ...]) -> dict[str, str]:
    """How long runs were trained where the paper says longer, by the dataset as claims name it."""
    found = {}
    for spec in specs:
        runs, described = results.runs(spec), load_spec(spec)
        papers = described.training["epochs"]
        least = runs["epochs"].min() if "epochs" in runs else papers
        if least < papers:
            name = str(described.dataset.name).title()
            found[name] = f"{least:.0f} epochs instead of the paper's {papers}"
    return found


def _effort(runs: pd.DataFrame, expected: int) -> str:
    if runs.empty:
        return f"0 of {expected} runs are done."
    seeds = runs.groupby("series")["seed"].nunique()
    fewest, most = int(seeds.min()), int(seeds.max())
    count = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    minutes = runs["seconds"].sum() / 60  # unknown of runs that come with the program
    spent = f", {minutes:.0f} minutes of training and evaluation (wall clock, one thread each)"
    state = "all" if len(runs) == expected else f"{len(runs)} of"
    return (
        f"{state} {expected} runs are done, {count} seed{'s' if most != 1 else ''} per series"
        f"{spent if minutes else ''}."
    )


def _link(spec: str) -> str:
    ablation, _, dataset = spec.partition("@")
    if dataset:
        return f"Ablation `{ablation}` on {dataset.title()} (`frem_core/ablations`)"
    return f"[`{spec}.toml`](../../frem_core/reproduction/specs/{spec}.toml)"


def train_target(
    store: Store,
    target: Target,
    *,
    quick: bool = False,
    readings: Sequence[Reading] = tuple(READINGS),
    wait: Callable[[str, str], object],
) -> None:
    """Queues the sweeps of a target, starts the engine and waits for each of them.

    A run that any sweep of the store has finished is not trained again, so a target that was
    interrupted goes on where it stopped. All sweeps are queued before the first is waited for.

    Args:
        store: where results go.
        target: what to train.
        quick: train the quick versions.
        readings: by which readings of the paper, where the target has two.
        wait: is called with the id and the name of each sweep; returns when it has ended.
    """
    queued = []
    for reading in readings if target.has_readings else ("printed",):
        for name in target.wanted_specs():
            spec = wanted_sweep(name, quick=quick, reading=reading)
            queued.append((submit_once(store, spec), spec.name))
    ensure_engine(store)
    for sweep, name in queued:
        wait(sweep, name)


def take_over_examples(store: Store, target: Target) -> int:
    """Counts the target's runs that come with the program as finished; returns how many are new.

    For whoever goes on with a reproduction on another machine, or wants to see its verdicts
    without training.
    """
    wanted = [
        run
        for reading in READINGS
        for spec in target.wanted_specs()
        for run in StoredResults(store, reading=reading).identities(spec)
    ]
    library = open_library()
    try:
        return len(copy_finished_runs(library, store, list(dict.fromkeys(wanted))))
    finally:
        library.close()
