"""What an audit looks at: predictions, or recorded outcomes, beside the sensitive attribute."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from frem_core.console.chance_levels import EIPM_SETTINGS
from frem_core.console.dataset_options import read_with_progress
from frem_core.datasets import Dataset, DatasetSpec, MinMax
from frem_core.datasets.tables.checks import check_finite, check_known
from frem_core.datasets.tables.sensitive_column import read_sensitive
from frem_core.datasets.tables.target_column import read_target
from frem_core.errors import ConfigError, DataError
from frem_core.estimators import TablePredictor
from frem_core.types import Floats
from frem_core.words import counted


@dataclass(frozen=True, eq=False)
class Audited:
    """One number per row to be judged.

    Attributes:
        title: what is judged, in words.
        p: (n,) predictions or outcomes; outcomes and predictions of models are scaled to [0, 1].
        z: (n, m) what EIPM is taken of: a representation, or p itself.
        s: (n,) sensitive attribute scaled to [0, 1].
        sensitive_name: what it is called.
        y: (n,) true classes 0 and 1, where known: equal opportunity needs them.
        eipm_settings: γ and σ that suit z, and further arguments of ``eipm``.
        features: the columns behind it, to be ranked, or None.
        notes: what was dropped or converted.
    """

    title: str
    p: Floats
    z: Floats
    s: Floats
    sensitive_name: str
    eipm_settings: Mapping[str, Any]
    y: Floats | None = None
    features: pd.DataFrame | None = None
    notes: tuple[str, ...] = ()

    def with_eipm(self, **settings: Any) -> "Audited":
        """The same to be judged, with further settings of EIPM."""
        return replace(self, eipm_settings={**self.eipm_settings, **settings})

    @property
    def is_column(self) -> bool:
        """Whether ``z`` is one column rather than a representation."""
        return bool(self.z.shape[1] == 1)


# A single column has no scale of its own that a σ of 1 would fit.
_OF_A_COLUMN = {**EIPM_SETTINGS, "sigma": "median"}


def audited_outcome(dataset: Dataset) -> Audited:
    """The recorded outcome of a dataset: what a model would learn to repeat."""
    p = MinMax.fit(dataset.target).transform(dataset.target)
    return Audited(
        title=f"recorded outcome '{dataset.target_name}' of {dataset.name}",
        p=p,
        z=p[:, None],
        s=_scaled(dataset.sensitive),
        sensitive_name=dataset.sensitive_name,
        eipm_settings=_OF_A_COLUMN,
        features=dataset.features,
        notes=dataset.notes,
    )


def audited_model(dataset: Dataset, folder: Path) -> Audited:
    """The predictions and representations of a saved model."""
    predictor = TablePredictor.load(folder)
    if predictor.model.task != dataset.task:
        raise ConfigError(
            f"The model in {folder} was trained for {predictor.model.task}; "
            f"'{dataset.name}' is a {dataset.task} dataset."
        )
    z = predictor.transform(dataset.features, graph=dataset.graph)
    return Audited(
        title=f"predictions of {predictor.model.method.title} ({folder}) for {dataset.name}",
        p=predictor.target_scale.transform(predictor.score_from_representation(z)),
        z=z,
        s=_scaled(dataset.sensitive),
        sensitive_name=dataset.sensitive_name,
        eipm_settings=EIPM_SETTINGS,
        y=dataset.target if dataset.task == "classification" else None,
        notes=dataset.notes,
    )


def audited_column(spec: DatasetSpec, prediction: str) -> Audited:
    """Predictions that stand in a column of a table, from whatever model.

    Args:
        spec: the table; of the roles of its columns the sensitive one is needed, the target where
            known.
        prediction: the column.
    """
    file, sensitive, target = spec.path, spec.sensitive, spec.target
    if file is None or sensitive is None:
        raise ConfigError("--prediction names a column of a file: give a file and --sensitive.")
    frame = read_with_progress(file)
    roles = {"prediction": prediction, "sensitive": sensitive, "target": target}
    wanted = {role: name for role, name in roles.items() if name is not None}
    for role, name in wanted.items():
        check_known(role, name, list(frame.columns))
    rows = frame[list(dict.fromkeys(wanted.values()))].dropna().reset_index(drop=True)
    if len(rows) < 10:
        raise DataError(
            f"{file} has only {counted(len(rows), 'row')} with all of {', '.join(rows.columns)}; "
            "give at least 10."
        )
    dropped = len(frame) - len(rows)
    verb = "was" if dropped == 1 else "were"
    left_out = (f"{counted(dropped, 'row')} with missing values {verb} left out.",)
    s, notes = read_sensitive(sensitive, rows[sensitive])
    p = _prediction(prediction, rows[prediction])
    y = None
    if target is not None:
        truth = read_target(target, rows[target], spec.task, spec.positive_class)
        y = truth.values if truth.task == "classification" else None
    return Audited(
        title=f"column '{prediction}' of {Path(file).name}",
        p=p,
        z=p[:, None],
        s=_scaled(s),
        sensitive_name=sensitive,
        eipm_settings=_OF_A_COLUMN,
        y=y,
        notes=(*notes, *(left_out if dropped else ())),
    )


def _prediction(name: str, column: pd.Series) -> Floats:
    """Numbers as they are, or two classes as 0 and 1."""
    if not pd.api.types.is_numeric_dtype(column.dtype):
        return read_target(name, column, "classification", None).values
    values = column.to_numpy(dtype=np.float64)
    check_finite(name, values)
    return values


def _scaled(sensitive: Floats) -> Floats:
    return MinMax.fit(sensitive).transform(sensitive)
