"""A sweep as a user describes it, in a TOML file or a form, and the runs it stands for."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import tomli_w

from frem_core.datasets import Dataset, DatasetSpec, split_dataset
from frem_core.datasets.splits import DEFAULT_SEEDS
from frem_core.errors import ConfigError
from frem_core.home import data_home
from frem_core.limits import Limit
from frem_core.methods import Method, get_method
from frem_core.methods.frem import Frem
from frem_core.networks import check_reads
from frem_core.sections import check_keys, choice, seeds, table, text
from frem_core.store.tables import Tables
from frem_core.sweeps.method_spec import MethodSpec
from frem_core.sweeps.protocol import GammaPolicy, SplitSpec
from frem_core.sweeps.run_config import RunConfig
from frem_core.sweeps.search.next_stack import next_stack
from frem_core.sweeps.search.search_spec import WEIGHT, SearchSpec
from frem_core.training import Member, TrainingConfig, suggested_config

_TOP = "The sweep"
_VALIDATION = 0.2


@dataclass(frozen=True, kw_only=True)
class SweepSpec:
    """A grid of trainings on one dataset, to be compared with each other.

    Attributes:
        name: what to call it.
        dataset: the data.
        methods: each with its fairness weights and grids.
        seeds: every setting is trained once with each.
        fairness: ``"dp"`` (demographic parity) or ``"eo"`` (equal opportunity), for all methods.
        split: which rows are tested on.
        gamma: how FREM's bandwidth is found.
        training: settings of `TrainingConfig` that differ from what suits the dataset.
        search: how it chooses its settings itself; None trains the grid.

    Example:
        >>> spec = SweepSpec.from_toml('''
        ... name = "Crime, a first look"
        ... seeds = [0, 1]
        ... [dataset]
        ... name = "crime"
        ... [training]
        ... epochs = 20
        ... [[methods]]
        ... method = "frem"
        ... fairness_weights = [0.03, 0.1, 0.3]
        ... gamma = [0.05, 0.1]
        ... [[methods]]
        ... method = "unfair"
        ... ''')
        >>> spec.count()
        14
        >>> SweepSpec.from_toml(spec.to_toml()) == spec
        True
    """

    name: str
    dataset: DatasetSpec
    methods: tuple[MethodSpec, ...]
    seeds: tuple[int, ...] = DEFAULT_SEEDS
    fairness: str = "dp"
    split: SplitSpec = field(default_factory=SplitSpec)
    gamma: GammaPolicy = field(default_factory=GammaPolicy)
    training: Mapping[str, Any] = field(default_factory=dict)
    search: SearchSpec | None = None

    def __post_init__(self) -> None:
        text(_TOP, "name", self.name)
        self.dataset.check()
        object.__setattr__(self, "seeds", seeds(_TOP, self.seeds))
        choice(_TOP, "fairness", self.fairness, ("dp", "eo"))
        if not self.methods:
            raise ConfigError("The sweep has no method; add a section [[methods]].")
        if self.search is not None:
            self._check_search()
        checked = TrainingConfig.from_dict(self.training).to_dict()
        object.__setattr__(self, "training", {key: checked[key] for key in self.training})
        for one in self.methods:
            one.methods(self.fairness)  # checks that each has a form for this notion
            if self.gamma.validates and "gamma" in one.settings:
                raise ConfigError(
                    "[gamma] says that γ is chosen by validation, and a method gives gamma "
                    "itself; leave out one of them."
                )
            if self.gamma.validates and one.limits and issubclass(get_method(one.method), Frem):
                raise ConfigError(
                    "[gamma] compares bandwidths at one fairness weight, and limits find that "
                    "weight; give gamma in [[methods]], or fairness weights instead of limits."
                )

    def _check_search(self) -> None:
        if self.gamma.validates:
            raise ConfigError("[search] chooses γ itself; leave out policy in [gamma].")
        for one in self.methods:
            if any(len(values) > 1 for values in one.settings.values()):
                raise ConfigError("[search] chooses settings itself; give one value of each.")
            if one.limits:
                raise ConfigError("[search] has its own limit, at_most; leave out limits.")
        if self.split.validation_size == 0:  # the test rows must not choose
            object.__setattr__(self, "split", replace(self.split, validation_size=_VALIDATION))

    def count(self) -> int:
        """Returns how many runs the sweep stands for; the dataset is not loaded."""
        return sum(self._settings_of(one) for one in self.methods) * len(self.seeds)

    def _settings_of(self, one: MethodSpec) -> int:
        if self.search is not None and get_method(one.method).uses_fairness_weight:
            return self.search.trainings
        return len(one.aims()) * prod(len(values) for values in one.settings.values())

    def expand(self, dataset: Dataset | None = None) -> list[RunConfig]:
        """Returns the runs, each of them once; of a search those it begins with.

        Args:
            dataset: the dataset of the spec, where the caller has loaded it already.

        Raises:
            ConfigError: a method cannot be used for the dataset's task.
        """
        data = dataset if dataset is not None else self.dataset.load(Tables(data_home() / "tables"))
        training = self._training_for(data)
        runs: dict[str, RunConfig] = {}
        for one in self.methods:
            aims = self._first_aims(one)
            for method, seed, aim in product(one.methods(self.fairness), self.seeds, aims):
                method.check_task(data.task)
                run = self._run(data, method, training, seed, aim)
                runs.setdefault(run.identity, run)
        return list(runs.values())

    def _first_aims(self, one: MethodSpec) -> list[dict[str, Any]]:
        aims = one.aims()
        if self.search is None or not get_method(one.method).uses_fairness_weight:
            return aims
        kind = "weight" if "weight" in aims[0] else "relative_weight"
        space = self.search.space([aim[kind] for aim in aims if kind in aim], {})
        return [{kind: settings[WEIGHT]} for settings in next_stack(self.search, space, {}, [])]

    def resolved(self, dataset: Dataset) -> "SweepSpec":
        """Returns the same sweep with presets and defaults written out, to be replayed later."""
        methods = tuple(one.resolved() for one in self.methods)
        training = self._training_for(dataset).to_dict()
        return replace(self, methods=methods, training=training)

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, in the order of the TOML file."""
        values: dict[str, Any] = {
            "name": self.name,
            "fairness": self.fairness,
            "seeds": list(self.seeds),
            "dataset": self.dataset.to_dict(),
            "split": self.split.to_dict(),
            "gamma": self.gamma.to_dict(),
        }
        if self.training:
            values["training"] = dict(self.training)
        if self.search is not None:
            values["search"] = self.search.to_dict()
        return values | {"methods": [one.to_dict() for one in self.methods]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], folder: Path | None = None) -> "SweepSpec":
        """Reads plain values; a relative path of a table is one from ``folder``."""
        check_keys(_TOP, values, (one.name for one in fields(cls)))
        for key in ("name", "dataset", "methods"):
            if key not in values:
                raise ConfigError(f"The sweep has no {key}; see `frem sweep --help` for one.")
        methods = values["methods"]
        if not isinstance(methods, list | tuple):
            raise ConfigError("Methods are given as sections [[methods]], with two brackets.")
        settings = dict(values)
        settings["dataset"] = DatasetSpec.from_dict(table("dataset", values["dataset"]), folder)
        settings["methods"] = tuple(
            MethodSpec.from_dict(table("[[methods]]", one)) for one in methods
        )
        if "split" in values:
            settings["split"] = SplitSpec.from_dict(table("split", values["split"]))
        if "gamma" in values:
            settings["gamma"] = GammaPolicy.from_dict(table("gamma", values["gamma"]))
        if "search" in values:
            settings["search"] = SearchSpec.from_dict(table("search", values["search"]))
        if "training" in values:
            settings["training"] = table("training", values["training"])
        return cls(**settings)

    def to_toml(self) -> str:
        """Returns the sweep as TOML that `from_toml` reads back as an equal object."""
        return tomli_w.dumps(self.to_dict())

    @classmethod
    def from_toml(cls, content: str, folder: Path | None = None) -> "SweepSpec":
        """Reads a sweep from TOML; a mistake raises a ConfigError that says what is allowed."""
        try:
            values = tomllib.loads(content)
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"This is not TOML: {error}.") from error
        except RecursionError as error:
            raise ConfigError(
                "This is no sweep: brackets stand within brackets more often than can be read."
            ) from error
        return cls.from_dict(values, folder)

    def _training_for(self, data: Dataset) -> TrainingConfig:
        split = self.split.of_seed(self.seeds[0])
        rows = len(split_dataset(data, **split).train)
        graph = data.graph is not None
        config = suggested_config(self.dataset.preset, rows, graph=graph, **self.training)
        check_reads(config.encoder, graph=graph)
        return config

    def _run(
        self,
        data: Dataset,
        method: Method,
        training: TrainingConfig,
        seed: int,
        aim: Mapping[str, Any],
    ) -> RunConfig:
        chooses = self.gamma.validates and isinstance(method, Frem)
        limit: Limit | None = aim.get("limit")
        if limit is not None:
            limit.check_task(data.task)
            limit.check_attributes(data.attributes, data.sensitive_name)
        return RunConfig(
            dataset=data.fingerprint,
            task=data.task,
            split=self.split.of_seed(seed),
            method=method,
            training=training,
            member=Member(fairness_weight=aim.get("weight", 0.0), seed=seed),
            relative_weight=aim.get("relative_weight"),
            limit=limit,
            gamma_candidates=self.gamma.candidates if chooses else None,
        )
