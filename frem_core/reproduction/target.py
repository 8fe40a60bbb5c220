"""What can be reproduced: one class per experiment of the paper."""

from abc import ABC, abstractmethod
from typing import ClassVar

import pandas as pd

from frem_core.registry import Registry
from frem_core.reproduction.report import Report
from frem_core.reproduction.results import Results

_TARGETS: Registry["Target"] = Registry("target", "frem_core.reproduction.targets")


class Target(ABC):
    """One experiment.

    Attributes:
        name: what users type.
        title: what it is about.
        where: the paper's figures, tables and sections.
        specs: its committed sweeps, most important first; none for simulations.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    where: ClassVar[str]
    specs: ClassVar[tuple[str, ...]] = ()

    def wanted_specs(self) -> tuple[str, ...]:
        """The sweeps whose data is there; all of them, unless a target says otherwise."""
        return self.specs

    @abstractmethod
    def report(self, results: Results, *, quick: bool = False) -> Report:
        """Says what the finished runs show; a missing run is never an error.

        Args:
            results: where finished runs come from.
            quick: whether whatever is computed here may be computed roughly.
        """


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


def _effort(runs: pd.DataFrame, expected: int) -> str:
    if runs.empty:
        return f"0 of {expected} runs are done."
    seeds = runs.groupby("series")["seed"].nunique()
    fewest, most = int(seeds.min()), int(seeds.max())
    count = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    minutes = runs["seconds"].sum() / 60
    state = "all" if len(runs) == expected else f"{len(runs)} of"
    return (
        f"{state} {expected} runs are done, {count} seed{'s' if most != 1 else ''} per series, "
        f"{minutes:.0f} minutes of training and evaluation (wall clock, one thread each)."
    )


def _link(spec: str) -> str:
    ablation, _, dataset = spec.partition("@")
    if dataset:
        return f"Ablation `{ablation}` on {dataset.title()} (`frem_core/ablations`)"
    return f"[`{spec}.toml`](../../frem_core/reproduction/specs/{spec}.toml)"
