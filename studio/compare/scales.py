"""From scaled numbers back to the units people know, as far as the dataset is still there."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike, NDArray

from frem_core.attributes import Attributes
from frem_core.datasets import Dataset, split_dataset
from frem_core.datasets.scaling import IDENTITY, MinMax
from frem_core.errors import FremError
from frem_core.sweeps import DatasetSpec
from studio.store import store_of
from studio.words import sensitive_title, target_title, the_sensitive

_SPLIT = "config.split."


@dataclass(frozen=True)
class Scales:
    """Names and units of the data a run was tested on.

    Attributes:
        dataset: name of the dataset.
        sensitive: S within a sentence.
        sensitive_axis: S as an axis names it.
        target: name of what is predicted.
        positive_class: name of the positive class in classification, else None.
        sensitive_scale: leads from [0, 1] back to S in its own units.
        target_scale: the same for predictions of a regression.
        known: False when the dataset is gone; then everything stays scaled.
        attributes: of all rows of the dataset, in their own units, where there are several.
        classes: names of all classes of a classification.
    """

    dataset: str
    sensitive: str
    sensitive_axis: str
    target: str
    positive_class: str | None
    sensitive_scale: MinMax
    target_scale: MinMax
    known: bool = True
    attributes: Attributes | None = None
    classes: tuple[str, ...] = ()

    def s(self, values: ArrayLike) -> NDArray[np.float64]:
        """Sensitive values in their own units."""
        return self.sensitive_scale.inverse(np.asarray(values, np.float64))

    def p(self, values: ArrayLike) -> NDArray[np.float64]:
        """Predictions in the target's own units."""
        return self.target_scale.inverse(np.asarray(values, np.float64))

    @property
    def prediction_title(self) -> str:
        """What the predictions are, for an axis."""
        if self.positive_class is not None:
            return f"predicted probability of {self.target} {self.positive_class}"
        return f"predicted {self.target}"

    @property
    def sensitive_title(self) -> str:
        """What S is, for an axis."""
        return self.sensitive_axis if self.known else f"{self.sensitive_axis}, scaled to 0–1"


def scales_of(run: pd.Series) -> Scales:
    """The names and units for a run; a dataset that is gone leaves scaled values."""
    split = {name.removeprefix(_SPLIT): run[name] for name in map(str, run.index) if _SPLIT in name}
    split["seed"] = int(split["seed"])
    key = (str(run["sweep"]), str(run["dataset"]), str(run["config.task"]))
    try:
        return _scales(*key, tuple(sorted(split.items())))
    except FremError:
        return _without_dataset(*key[:2])


@st.cache_data(max_entries=64, show_spinner="Looking up the units of the dataset …")
def _scales(
    sweep: str, fingerprint: str, task: str, split: tuple[tuple[str, object], ...]
) -> Scales:
    dataset = replace(_load_dataset_of(sweep, fingerprint), task=task)  # type: ignore[arg-type]
    train = split_dataset(dataset, **dict(split)).train  # type: ignore[arg-type]
    whole = dataset.task == "classification" or MinMax.fit(dataset.target) == IDENTITY
    return Scales(
        dataset=dataset.name,
        sensitive=the_sensitive(dataset),
        sensitive_axis=sensitive_title(dataset),
        target=target_title(dataset),
        positive_class=None if dataset.class_names is None else dataset.class_names[1],
        sensitive_scale=MinMax.fit(dataset.sensitive[train]),
        target_scale=IDENTITY if whole else MinMax.fit(dataset.target[train]),
        attributes=dataset.attributes,
        classes=dataset.class_names or (),
    )


def _without_dataset(sweep: str, fingerprint: str) -> Scales:
    record = store_of(sweep).datasets.get(fingerprint)
    sensitive = record.source.get("sensitive")
    if isinstance(sensitive, list):
        sensitive = sensitive[0]
    return Scales(
        dataset=record.name,
        sensitive=str(sensitive or "the sensitive attribute"),
        sensitive_axis=str(sensitive or "sensitive attribute"),
        target=str(record.source.get("target", "outcome")),
        positive_class=None,
        sensitive_scale=IDENTITY,
        target_scale=IDENTITY,
        known=False,
    )


@st.cache_resource(max_entries=2, ttl="2h", show_spinner="Loading the dataset …")
def _load_dataset_of(sweep: str, fingerprint: str) -> Dataset:
    """The dataset of a run; shared, so nobody may change it."""
    store = store_of(sweep)
    source = store.datasets.get(fingerprint).source
    return DatasetSpec.from_dict(source).load(store.tables)
