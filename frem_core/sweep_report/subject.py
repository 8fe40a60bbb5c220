"""What a report is about: runs on one dataset under one notion of fairness, read from the store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from frem_core.datasets import Dataset, DatasetSpec, MinMax, column_words, split_dataset
from frem_core.datasets.scaling import IDENTITY
from frem_core.errors import FremError
from frem_core.evaluation import available_scores, get_score
from frem_core.figures import front_points
from frem_core.figures.run_titles import run_titles
from frem_core.limits import limited_score
from frem_core.metrics import Metric
from frem_core.metrics.metric import usual_metric
from frem_core.store import DatasetRecord, Store
from frem_core.sweeps.baselines import earlier_baselines
from frem_core.sweeps.outcome import load_predictions, load_representations
from frem_core.types import Floats, Task


@dataclass(frozen=True, eq=False)
class Outputs:
    """What a run gives for its test rows, in own units where they are known."""

    id: str
    method: str
    title: str
    y: Floats
    p: Floats
    s: Floats
    s_scaled: Floats
    z: np.ndarray


@dataclass(frozen=True, eq=False)
class Subject:
    """Runs that may be compared with each other.

    Attributes:
        store: where everything is read from.
        sweeps: the sweeps the runs are of.
        runs: one row per run, each once.
        record: what the store remembers of the dataset.
        notion: ``"dp"`` or ``"eo"``.
    """

    store: Store
    sweeps: tuple[str, ...]
    runs: pd.DataFrame
    record: DatasetRecord
    notion: str

    @property
    def task(self) -> Task:
        """What is predicted."""
        return cast(Task, self.runs["config.task"].iloc[0])

    @cached_property
    def dataset(self) -> Dataset | None:
        """The dataset, or None when its table is gone."""
        try:
            loaded = DatasetSpec.from_dict(self.record.source).load(self.store.tables)
        except FremError:
            return None
        return replace(loaded, task=self.task)

    @property
    def target(self) -> str:
        """What is predicted, in words."""
        if self.dataset is None:
            return str(self.record.source.get("target") or "the target")
        return _in_sentence(self.dataset.preset, self.dataset.target_name)

    @property
    def sensitive(self) -> str:
        """What predictions should not follow, in words."""
        if self.dataset is None:
            return self.record.sensitive_words
        return _in_sentence(self.dataset.preset, self.dataset.sensitive_name)

    @property
    def prediction(self) -> Metric:
        """The score of prediction that comes first."""
        return usual_metric(self.task)

    @property
    def fairness(self) -> Metric:
        """The score of fairness that comes first: what was limited, or the notion's usual one."""
        asked = limited_score(self.runs.get("config.limit", ()))
        return get_score(asked) if asked else usual_metric(self.notion)

    @property
    def fairness_scores(self) -> list[Metric]:
        """All scores of fairness that runs have, the first one first."""
        known = [get_score(name) for name in available_scores(self.task, "fairness")]
        there = [one for one in known if self._has(f"test.{one.name}")]
        return sorted(there, key=lambda one: one.name != self.fairness.name)

    def _has(self, column: str) -> bool:
        return column in self.runs and bool(self.runs[column].notna().any())

    def points(self, fairness: Metric) -> pd.DataFrame:
        """One row per setting, averaged over seeds."""
        return front_points(self.runs, prediction=self.prediction.name, fairness=fairness.name)

    def outputs(self, names: Sequence[str]) -> list[Outputs]:
        """What these runs give for their test rows; those whose files are gone are left out."""
        found = self.runs[self.runs["id"].isin(names)].set_index("id", drop=False)
        ordered = found.loc[[name for name in names if name in found.index]]
        titles = run_titles(ordered)
        readable = []
        for run, title in zip(ordered.to_dict("records"), titles, strict=True):
            try:
                readable.append(self._read({str(k): v for k, v in run.items()}, title))
            except FremError:
                continue
        return readable

    def _read(self, run: Mapping[str, Any], title: str) -> Outputs:
        table = load_predictions(self.store, run["id"])
        _, z = load_representations(self.store, run["id"])
        target, sensitive = self._scales(run)
        scaled = table["s"].to_numpy()
        return Outputs(
            id=run["id"],
            method=run["method"],
            title=title,
            y=target.inverse(_floats(table["y"])),
            p=target.inverse(_floats(table["p"])),
            s=sensitive.inverse(_floats(scaled)),
            s_scaled=_floats(scaled),
            z=z,
        )

    def _scales(self, run: Mapping[str, Any]) -> tuple[MinMax, MinMax]:
        dataset = self.dataset
        if dataset is None:
            return IDENTITY, IDENTITY
        split = {
            name.removeprefix("config.split."): value
            for name, value in run.items()
            if name.startswith("config.split.")
        }
        train = split_dataset(dataset, **{**split, "seed": int(split["seed"])}).train
        whole = dataset.task == "classification" or MinMax.fit(dataset.target) == IDENTITY
        target = IDENTITY if whole else MinMax.fit(dataset.target[train])
        return target, MinMax.fit(dataset.sensitive[train])


def subjects_of(store: Store, sweeps: Sequence[str]) -> list[Subject]:
    """The runs of sweeps, sorted by dataset and notion: each is a report of its own."""
    tables = [_with_baselines(store, store.runs.frame(sweep)) for sweep in sweeps]
    filled = [table for table in tables if len(table)]
    if not filled:
        return []
    runs = pd.concat(filled, ignore_index=True).drop_duplicates("id", ignore_index=True)
    return [
        Subject(
            store,
            tuple(sweeps),
            some.reset_index(drop=True),
            store.datasets.get(str(dataset)),
            str(notion),
        )
        for (dataset, notion), some in runs.groupby(
            ["dataset", "config.method.fairness"], sort=False
        )
    ]


def _with_baselines(store: Store, runs: pd.DataFrame) -> pd.DataFrame:
    """Runs of earlier versions do not remember what the best constant reaches."""
    found = earlier_baselines(store, runs) if len(runs) else runs
    return runs.combine_first(found) if len(found) else runs


def _in_sentence(preset: str, column: str) -> str:
    words = column_words(preset, column)
    return column if words == column else f"the {words}"


def _floats(values: ArrayLike) -> Floats:
    return np.asarray(values, dtype=np.float64)
