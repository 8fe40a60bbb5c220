"""What an ablation is: a question, the variants that answer it, and the sweep that trains them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
import pandas as pd

from frem_core.datasets import DatasetSpec
from frem_core.datasets.splits import DEFAULT_SEEDS
from frem_core.errors import ConfigError, did_you_mean
from frem_core.methods import get_method
from frem_core.methods.named_forms import PAPERS_FAIRNESS_WEIGHTS, PAPERS_FORM
from frem_core.registry import Registry
from frem_core.sweeps.method_spec import PRESET, MethodSpec
from frem_core.sweeps.spec import SweepSpec
from frem_core.training import suggested_fairness_weights

PAPERS_WEIGHT_DECAY: Final = 0.01
Reading = Literal["fronts", "train_vs_test", "mi_stability"]


@dataclass(frozen=True)
class Effort:
    """How thoroughly an ablation is trained.

    Attributes:
        name: in addresses and on the command line.
        title: the same in words.
        epochs: of every run.
        seeds: one split and one start each.
        weights: fairness weights of every variant; None for all that suit the dataset.
    """

    name: str
    title: str
    epochs: int
    seeds: tuple[int, ...]
    weights: int | None


EFFORTS: Final[Mapping[str, Effort]] = {
    "quick": Effort("quick", "Quick look", epochs=50, seeds=(0, 1, 2), weights=5),
    "paper": Effort("paper", "As in the paper", epochs=200, seeds=DEFAULT_SEEDS, weights=None),
}


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One curve of an ablation.

    Attributes:
        name: short, unique within the ablation.
        title: in legends and tables.
        method: registered name of the method.
        settings: what is set; the rest stays at the method's defaults.
        colour: as #rrggbb.
        symbol: Plotly's name of the marker.
        fairness_weights: λ by built-in dataset, where those of the method do not fit.
        weight_scale: factor on the fairness weights.
        in_paper: whether the paper's claim is about it.
    """

    name: str
    title: str
    method: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    colour: str
    symbol: str
    fairness_weights: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    weight_scale: float = 1.0
    in_paper: bool = True

    @classmethod
    def of_method(cls, method: str, **settings: Any) -> "Variant":
        """A method under its own name and look."""
        kind = get_method(method)
        return cls(
            name=method,
            title=kind.title,
            method=method,
            settings=settings,
            colour=kind.colour,
            symbol=kind.symbol,
        )

    @classmethod
    def of_papers_frem(cls, settings: Mapping[str, Any], **description: Any) -> "Variant":
        """FREM with the paper's form of the penalty, which an ablation of the paper is about."""
        kind = get_method("frem")
        look = {"name": "frem", "title": kind.title, "colour": kind.colour, "symbol": kind.symbol}
        return cls(
            method="frem",
            settings={**settings, **PAPERS_FORM},
            fairness_weights=PAPERS_FAIRNESS_WEIGHTS,
            **{**look, **description},
        )

    def weights(self, preset: str, most: int | None) -> tuple[float, ...]:
        """Fairness weights to train: those that suit the dataset, thinned out evenly."""
        kind = get_method(self.method)
        known = self.fairness_weights.get(preset) or suggested_fairness_weights(kind, preset)
        if most is not None and most < len(known):
            # The middle one alone; otherwise from the first to the last.
            ends = [(len(known) - 1) / 2] if most == 1 else np.linspace(0, len(known) - 1, most)
            known = tuple(known[round(float(place))] for place in ends)
        return tuple(float(f"{weight * self.weight_scale:.3g}") for weight in known)

    def matches(self, runs: pd.DataFrame) -> "pd.Series[bool]":
        """Tells which runs of a run table belong to this variant."""
        found = runs["method"] == self.method
        for name, value in self.settings.items():
            column = runs.get(f"config.method.{name}")
            found &= False if column is None else column.map(lambda one, v=value: one == v)
        return found.astype(bool)


@dataclass(frozen=True, kw_only=True)
class Ablation:
    """A question about FREM that a sweep over a few variants answers.

    Attributes:
        name: in addresses and on the command line, e.g. ``"kernels-s"``.
        title: the same in words.
        question: as a reader would ask it.
        claim: what the paper found.
        source: where the paper says so.
        variants: what is compared; the first is what the others are compared with.
        reading: what to look at: fronts on test rows, fronts on train and test rows, or the
            bootstrap of MI(Ŷ, S).
        with_unfair: whether a model without fairness is trained beside them.
        weights: fairness weights of every variant, where the effort's number does not fit.
        seeds: seeds, where the effort's do not fit.
    """

    name: str
    title: str
    question: str
    claim: str
    source: str
    variants: tuple[Variant, ...]
    reading: Reading = "fronts"
    with_unfair: bool = True
    weights: int | None = None
    seeds: tuple[int, ...] | None = None

    @property
    def all_variants(self) -> tuple[Variant, ...]:
        """The variants and, where it is trained, the model without fairness."""
        return (*self.variants, Variant.of_method("unfair")) if self.with_unfair else self.variants

    def spec(self, dataset: DatasetSpec, *, effort: str = "quick", label: str = "") -> SweepSpec:
        """Returns the sweep that answers the question on a dataset.

        Args:
            dataset: any dataset.
            effort: ``"quick"`` or ``"paper"``.
            label: what to call the dataset in the sweep's name; its own name by default.

        Example:
            >>> get_ablation("sigma").spec(DatasetSpec(name="crime")).count()
            63
        """
        thoroughness = _effort(effort)
        called = label or dataset.name or dataset.path or str(dataset.table)
        most = self.weights if self.weights is not None else thoroughness.weights
        return SweepSpec(
            name=f"{self.title}, {called} ({thoroughness.title.lower()})",
            dataset=dataset,
            methods=tuple(
                MethodSpec(
                    method=variant.method,
                    fairness_weights=variant.weights(dataset.preset, most)
                    if get_method(variant.method).uses_fairness_weight
                    else PRESET,
                    settings={name: (value,) for name, value in variant.settings.items()},
                )
                for variant in self.all_variants
            ),
            seeds=self.seeds or thoroughness.seeds,
            training={"epochs": thoroughness.epochs, "weight_decay": PAPERS_WEIGHT_DECAY},
        )

    def variant_of(self, runs: pd.DataFrame) -> "pd.Series[Any]":
        """Returns the name of each run's variant; missing for runs of none."""
        names: pd.Series[Any] = pd.Series(None, index=runs.index, dtype="object")
        for variant in self.all_variants:
            names[variant.matches(runs)] = variant.name
        return names


_ABLATIONS: Registry[Ablation] = Registry("ablation", "frem_core.ablations")


def register_ablation(ablation: Ablation) -> Ablation:
    """Makes an ablation known to dashboard and command line."""
    return _ABLATIONS.register(ablation.name)(ablation)


def available_ablations() -> list[str]:
    """Names of all ablations, sorted.

    >>> available_ablations()
    ['kernels-s', 'kernels-z', 'mi-stability', 'mmd-bins', 'sigma', 'train-vs-test']
    """
    return list(_ABLATIONS)


def get_ablation(name: str) -> Ablation:
    """Returns an ablation; an unknown name raises a ConfigError."""
    return _ABLATIONS.get(name)


def _effort(name: str) -> Effort:
    if name not in EFFORTS:
        raise ConfigError(
            f"effort = {name!r} must be {' or '.join(map(repr, EFFORTS))}."
            + did_you_mean(str(name), EFFORTS)
        )
    return EFFORTS[name]
