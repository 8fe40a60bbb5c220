"""What an audit looks at: predictions, or recorded outcomes, beside the sensitive attribute."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from frem_core.console.dataset_options import read_with_progress
from frem_core.datasets import Dataset, DatasetSpec
from frem_core.datasets.tables.checks import check_finite, check_known
from frem_core.datasets.tables.read_table import are_per_cent
from frem_core.datasets.tables.sensitive_column import read_sensitive
from frem_core.datasets.tables.target_column import read_judged
from frem_core.errors import ConfigError, DataError
from frem_core.estimators import TablePredictor
from frem_core.types import Floats
from frem_core.words import counted


@dataclass(frozen=True, eq=False)
class Audited:
    """One number per row to be judged.

    Attributes:
        title: what is judged, in words.
        p: (n,) predictions or outcomes, in the target's own units.
        z: (n, m) what EIPM is taken of: a representation, or p itself.
        s: (n,) sensitive attribute in its own units.
        sensitive_name: what it is called.
        y: (n,) true outcomes, where known; classes are 0 and 1.
        weights: (n,) what each row counts, where given.
        factors: columns in which people may legitimately differ, where given.
        attributes: all sensitive attributes where several were given; ``s`` is the first.
        columns: of the file that were read; rows with gaps in them are left out.
        features: the columns behind it, to be ranked, or None.
        notes: what was dropped or converted.
        prediction_name: what predictions are called in sentences and charts; the title by default.
    """

    title: str
    p: Floats
    z: Floats
    s: Floats
    sensitive_name: str
    y: Floats | None = None
    weights: Floats | None = None
    factors: pd.DataFrame | None = None
    attributes: pd.DataFrame | None = None
    columns: tuple[str, ...] = ()
    features: pd.DataFrame | None = None
    notes: tuple[str, ...] = ()
    prediction_name: str = ""

    @property
    def is_column(self) -> bool:
        """Whether ``z`` is one column rather than a representation."""
        return bool(self.z.shape[1] == 1)


def audited_outcome(dataset: Dataset) -> Audited:
    """The recorded outcome of a dataset: what a model would learn to repeat."""
    p = dataset.outcome
    return Audited(
        title=f"recorded outcome '{dataset.target_name}' of {dataset.name}{_class_shown(dataset)}",
        p=p,
        z=p[:, None],
        s=dataset.sensitive,
        sensitive_name=dataset.sensitive_name,
        attributes=_attributes(dataset),
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
    p = predictor.score_from_representation(z)
    title = f"predictions of {predictor.model.method.title} ({folder}) for {dataset.name}"
    if p.ndim == 2:
        p = p[:, 1]
        title += _class_shown(dataset)
    return Audited(
        title=title,
        p=p,
        z=z,
        s=dataset.sensitive,
        sensitive_name=dataset.sensitive_name,
        attributes=_attributes(dataset),
        y=dataset.outcome,
        notes=dataset.notes,
    )


def _attributes(dataset: Dataset) -> pd.DataFrame | None:
    """All sensitive attributes as they were written, where there are several."""
    several = dataset.attributes
    return None if several is None else several.shown(several.values)


def _class_shown(dataset: Dataset) -> str:
    """With more than two classes: which one is looked at, against all others."""
    if dataset.class_names is None or dataset.n_classes == 2:
        return ""
    return f", class {dataset.class_names[1]} against all others"


def audited_column(
    spec: DatasetSpec, prediction: str, *, weight: str | None = None, factors: Sequence[str] = ()
) -> Audited:
    """Predictions that stand in a column of a table, from whatever model.

    Args:
        spec: the table; of the roles of its columns the sensitive one is needed, the target where
            known.
        prediction: the column.
        weight: column of weights, if any.
        factors: columns in which people may legitimately differ.
    """
    file, several, target = spec.path, spec.all_sensitive, spec.target
    if file is None or not several:
        raise ConfigError("--prediction names a column of a file: give a file and --sensitive.")
    frame = read_with_progress(file)
    roles: list[tuple[str, str | None]] = [("prediction", prediction)]
    roles += [("sensitive", name) for name in several]
    roles += [("target", target), ("weight", weight)]
    roles += [("factor", name) for name in factors]
    wanted = [(role, name) for role, name in roles if name is not None]
    for role, name in wanted:
        check_known(role, name, list(frame.columns))
    rows = frame[list(dict.fromkeys(name for _, name in wanted))].dropna().reset_index(drop=True)
    if len(rows) < 10:
        raise DataError(
            f"{file} has only {counted(len(rows), 'row')} with all of {', '.join(rows.columns)}; "
            "give at least 10."
        )
    dropped = len(frame) - len(rows)
    verb = "was" if dropped == 1 else "were"
    left_out = (f"{counted(dropped, 'row')} with missing values {verb} left out.",)
    attributes = rows[list(several)] if len(several) > 1 else None
    sensitive = _first_number(rows, several)
    s, notes = read_sensitive(sensitive, rows[sensitive], fewest=2)
    judged = read_judged(
        rows[prediction],
        None if target is None else rows[target],
        task=spec.task,
        positive_class=spec.positive_class,
        are_per_cent=are_per_cent(frame, prediction),
    )
    p = judged.predictions
    return Audited(
        title=f"column '{prediction}' of {Path(file).name}",
        p=p,
        z=p[:, None],
        s=s,
        sensitive_name=sensitive,
        weights=None if weight is None else _numbers(weight, rows[weight]),
        factors=rows[list(factors)] if factors else None,
        attributes=attributes,
        columns=tuple(map(str, rows.columns)),
        y=judged.outcomes,
        notes=(*notes, *(left_out if dropped else ()), *judged.notes),
        prediction_name=prediction,
    )


def _first_number(rows: pd.DataFrame, names: Sequence[str]) -> str:
    """The attribute that leads: the first number, or simply the first."""
    numbers = [name for name in names if pd.api.types.is_numeric_dtype(rows[name].dtype)]
    return (numbers or list(names))[0]


def _numbers(name: str, column: pd.Series) -> Floats:
    if not pd.api.types.is_numeric_dtype(column.dtype):
        raise DataError(f"The column '{name}' must hold numbers.")
    values = column.to_numpy(dtype=np.float64)
    check_finite(name, values)
    return values
