"""What is to be audited, as the address holds it, and how its rows are read."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np
import pandas as pd

from frem_core.audit import AttributesAudit, AuditResult, audit, audit_attributes
from frem_core.datasets.tables.checks import check_known
from frem_core.datasets.tables.read_table import are_per_cent
from frem_core.datasets.tables.sensitive_column import read_sensitive
from frem_core.datasets.tables.target_column import read_judged
from frem_core.errors import DataError
from frem_core.types import Floats
from frem_core.words import counted
from studio.tables import find_table, the_tables

FEWEST_ROWS: Final = 10
"""Rows without gaps that an audit needs."""


@dataclass(frozen=True)
class Rows:
    """Checked rows of one audit."""

    y: Floats | None
    p: Floats
    s: Floats
    weights: Floats | None
    factors: pd.DataFrame | None
    further: pd.DataFrame | None
    z: Floats | None
    notes: tuple[str, ...]


@dataclass(frozen=True)
class AuditOrder:
    """One audit.

    Attributes:
        title: what is judged, for legends.
        prediction: column of predictions.
        sensitive: column of S.
        table: id of a kept table; "" for a run.
        target: column of true outcomes; "" without.
        positive: which class of predictions and outcomes is 1; "" for the one that is meant.
        weight: column of weights; "" without.
        factors: columns in which people may differ.
        further: columns of further sensitive attributes.
        sweep: of a run.
        run: id of a run; "" for a table.
    """

    title: str
    prediction: str
    sensitive: str
    table: str = ""
    target: str = ""
    positive: str = ""
    weight: str = ""
    factors: tuple[str, ...] = field(default_factory=tuple)
    further: tuple[str, ...] = field(default_factory=tuple)
    sweep: str = ""
    run: str = ""

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "AuditOrder":
        """The order that :meth:`to_dict` wrote."""
        columns = {name: tuple(values[name]) for name in ("factors", "further")}
        return cls(**{**values, **columns})

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        return asdict(self)

    def rows(self) -> Rows:
        """Reads the rows; a DataError says what is wrong with them."""
        return _rows_of_run(self) if self.run else _rows_of_table(self)

    def measure(self, rows: Rows, **settings: Any) -> AuditResult:
        """Audits them."""
        return audit(
            rows.y,
            rows.p,
            sensitive_features=rows.s,
            sample_weight=rows.weights,
            factors=rows.factors,
            representation=rows.z,
            prediction_name=self.prediction,
            sensitive_name=self.sensitive,
            notes=rows.notes,
            **settings,
        )

    def measure_all(self, rows: Rows, **settings: Any) -> AttributesAudit | None:
        """Audits all attributes together, where there are several."""
        if rows.further is None:
            return None
        return audit_attributes(
            rows.y,
            rows.p,
            sensitive_features=rows.further.assign(**{self.sensitive: rows.s})[
                [self.sensitive, *self.further]
            ],
            sample_weight=rows.weights,
            factors=rows.factors,
            prediction_name=self.prediction,
            notes=rows.notes,
            **settings,
        )


def _rows_of_table(order: AuditOrder) -> Rows:
    frame = the_tables().load(order.table)
    columns = [order.prediction, order.sensitive, order.target, order.weight]
    columns += [*order.factors, *order.further]
    wanted = list(dict.fromkeys(name for name in columns if name))
    if order.prediction == order.sensitive:
        raise DataError(
            f"'{order.prediction}' is both prediction and sensitive attribute; choose two columns."
        )
    for name in wanted:
        check_known("column", name, list(frame.columns))
    rows = frame[wanted].dropna().reset_index(drop=True)
    if len(rows) < FEWEST_ROWS:
        raise DataError(
            f"{find_table(order.table).name} has only {counted(len(rows), 'row')} with all of "
            f"{', '.join(wanted)}, and an audit needs {FEWEST_ROWS}; choose other columns or "
            "another file."
        )
    dropped = len(frame) - len(rows)
    s, notes = read_sensitive(order.sensitive, rows[order.sensitive], fewest=2)
    if dropped:
        verb = "was" if dropped == 1 else "were"
        notes = (*notes, f"{counted(dropped, 'row')} with missing values {verb} left out.")
    judged = read_judged(
        rows[order.prediction],
        rows[order.target] if order.target else None,
        positive_class=order.positive or None,
        are_per_cent=are_per_cent(frame, order.prediction),
    )
    return Rows(
        y=judged.outcomes,
        p=judged.predictions,
        s=s,
        weights=None if not order.weight else _numbers(order.weight, rows[order.weight]),
        factors=rows[list(order.factors)] if order.factors else None,
        further=rows[list(order.further)] if order.further else None,
        z=None,
        notes=(*notes, *judged.notes),
    )


def _numbers(name: str, column: pd.Series) -> Floats:
    if not pd.api.types.is_numeric_dtype(column.dtype):
        raise DataError(f"The column '{name}' must hold numbers to be a weight.")
    return column.to_numpy(dtype=np.float64)


def _rows_of_run(order: AuditOrder) -> Rows:
    from studio.compare.catalogue import finished_runs
    from studio.compare.compared import outputs_of
    from studio.compare.scales import scales_of

    runs = finished_runs(order.sweep)
    run = runs[runs["id"] == order.run].iloc[0]
    outputs, scales = outputs_of(order.sweep, order.run), scales_of(run)
    return Rows(
        y=scales.p(outputs.y),
        p=scales.p(outputs.p),
        s=scales.s(outputs.s),
        weights=None,
        factors=None,
        further=None,
        z=outputs.z.astype(np.float64),
        notes=("Rows that the model was tested on.",),
    )


def usual_columns(columns: Sequence[str], sample: pd.DataFrame) -> dict[str, str]:
    """A first guess of prediction, sensitive attribute and true outcome from names and types."""
    numeric = [c for c in columns if pd.api.types.is_numeric_dtype(sample[c])]
    words = {
        "prediction": (
            *("score", "prob", "pred", "p_hat", "proba", "y_hat", "decision", "risk"),
            *("entscheid", "vorhersage", "prognose"),
        ),
        "sensitive": ("age", "alter", "income", "bmi", "sensitive", "race", "wealth"),
        "target": ("y_true", "target", "label", "outcome", "actual", "truth"),
    }
    guess: dict[str, str] = {}
    decided = [c for c in columns if c not in numeric and sample[c].nunique() == 2]
    for role, marks in words.items():
        among = columns if role == "target" else numeric or columns
        among = [*numeric, *decided] if role == "prediction" else among
        named = [c for c in among if any(m in c.casefold() for m in marks)]
        free = [c for c in named if c not in guess.values()]
        if free:
            guess[role] = free[0]
    for role in ("sensitive", "prediction"):  # what no name told
        left = [c for c in [*reversed(numeric), *decided, *columns] if c not in guess.values()]
        guess.setdefault(role, left[0] if left else columns[0])
    return guess
