"""What a chart is about: runs on one dataset under one notion of fairness."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

import pandas as pd
import streamlit as st

from frem_core.datasets import available_datasets, dataset_card, load_dataset
from frem_core.types import Task
from studio.names import the_sensitive
from studio.store import runs_table, store_of

NOTIONS: Final = {"dp": "demographic parity", "eo": "equal opportunity"}


@dataclass(frozen=True, eq=False)
class Subject:
    """Runs that may stand in one chart.

    Attributes:
        key: short name in the address.
        dataset: the dataset as users call it.
        builtin: its name when it is a built-in one, else "".
        sensitive: what predictions should not follow, in words.
        task: what is predicted.
        notion: ``"dp"`` or ``"eo"``.
        sweeps: the sweeps the runs are from.
        runs: one row per run, each once.
    """

    key: str
    dataset: str
    builtin: str
    sensitive: str
    task: Task
    notion: str
    sweeps: tuple[str, ...]
    runs: pd.DataFrame

    @property
    def version(self) -> tuple[object, ...]:
        """Changes whenever a run is finished: stands for ``runs`` where results are kept."""
        done = self.runs[self.runs["state"] == "done"]
        return (self.key, self.sweeps, len(done), float(done["finished_at"].max()))

    def sweep_of(self, run: str) -> str:
        """The sweep to read a run's files from."""
        found = self.runs.loc[self.runs["id"] == run, "sweep"]
        return str(found.iloc[0]) if len(found) else self.sweeps[0]


def subjects_of(sweeps: Sequence[str]) -> list[Subject]:
    """Sorts the runs of sweeps by dataset and notion; what cannot be compared stays apart."""
    tables = [runs_table(sweep).assign(sweep=sweep) for sweep in sweeps]
    filled = [table for table in tables if len(table)]
    if not filled:
        return []
    runs = pd.concat(filled, ignore_index=True)
    groups = runs.groupby(["dataset", "config.method.fairness"], sort=False)
    return [_subject(str(dataset), str(notion), some) for (dataset, notion), some in groups]


def _subject(dataset: str, notion: str, runs: pd.DataFrame) -> Subject:
    sweeps = tuple(dict.fromkeys(runs["sweep"]))
    name, builtin, sensitive = _about(sweeps[0], dataset)
    return Subject(
        key=f"{dataset[:8]}-{notion}",
        dataset=name,
        builtin=builtin,
        sensitive=sensitive,
        task=cast(Task, runs["config.task"].iloc[0]),
        notion=notion,
        sweeps=sweeps,
        runs=runs.drop_duplicates("id").reset_index(drop=True),
    )


# A dataset is never described anew, so its words can be kept.
@st.cache_data(max_entries=256, show_spinner=False)
def _about(sweep: str, dataset: str) -> tuple[str, str, str]:
    record = store_of(sweep).datasets.get(dataset)
    builtin = str(record.source.get("name") or "")
    if builtin in available_datasets():
        return dataset_card(builtin).title, builtin, the_sensitive(load_dataset(builtin))
    return record.name, "", str(record.source.get("sensitive") or "the sensitive attribute")
