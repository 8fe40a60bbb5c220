"""A dataset: features, a target and one continuous sensitive attribute, with the story of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.attributes import Attributes
from frem_core.datasets.fingerprint import content_fingerprint
from frem_core.datasets.graphs.graph import Graph
from frem_core.errors import DataError
from frem_core.types import ColumnKind, Floats, Task


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table made ready for learning, still in its own units.

    Encoding and scaling come later (`frem_core.datasets.prepare`), because they are fitted on the
    training rows of a split. The arrays are read-only; treat ``features`` the same way.

    Attributes:
        name: short name, e.g. ``"adult"``.
        features: the feature columns in their own units (n rows): numbers, or categories.
        target: (n,) float64; 0.0 and 1.0 for classification, or 0.0, 1.0, 2.0, … for more classes.
        sensitive: (n,) float64 in its own units (years, per cent, …).
        task: ``"classification"`` or ``"regression"``.
        target_name: what the target is called.
        sensitive_name: what the sensitive attribute is called.
        class_names: (negative, positive) for classification, else None. Of more than two classes
            the second is the one that charts show against all others.
        notes: sentences that say what was dropped, filled or converted, and why.
        description: what the data is about.
        folds: (n,) bool, True for the training rows of the ``"paper_table"`` split, or None.
        graph: the graph whose first nodes are the rows, or None for a table.
        attributes: where there are several sensitive attributes, all of them in the order in which
            they were given, ``sensitive`` among them; else None.
        preset: which built-in dataset this is, so that settings and words made for it are used;
            empty for every other table, whatever it is called.
        kinds: feature columns that became numbers, by what they were before; a model asks new
            rows for the same.
    """

    name: str
    features: pd.DataFrame
    target: Floats
    sensitive: Floats
    task: Task
    target_name: str
    sensitive_name: str
    class_names: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()
    description: str = ""
    folds: NDArray[np.bool_] | None = None
    graph: Graph | None = None
    preset: str = ""
    attributes: Attributes | None = None
    kinds: Mapping[str, ColumnKind] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = pd.Index([str(name) for name in self.features.columns], dtype="str")
        if not names.is_unique:
            raise DataError(f"'{self.name}' has two features of the same name; rename them.")
        object.__setattr__(self, "features", self.features.set_axis(names, axis=1))
        n_rows = len(self.features)
        for role, column in (("target", self.target), ("sensitive", self.sensitive)):
            values = np.array(column, dtype=np.float64)
            if values.shape != (n_rows,):
                raise DataError(
                    f"The {role} of '{self.name}' has shape {values.shape}; "
                    f"with {n_rows} rows of features it must be ({n_rows},)."
                )
            if not np.isfinite(values).all():
                raise DataError(
                    f"The {role} of '{self.name}' has missing or infinite values; drop those rows."
                )
            values.flags.writeable = False
            object.__setattr__(self, role, values)
        if self.attributes is not None and len(self.attributes) != n_rows:
            raise DataError(
                f"The sensitive attributes of '{self.name}' have {len(self.attributes):,} rows; "
                f"its features have {n_rows:,}."
            )
        self._check_task()
        self._check_folds()
        self._check_graph()

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.features)

    @property
    def n_classes(self) -> int:
        """How many classes the target of a classification has."""
        return 2 if self.class_names is None else len(self.class_names)

    @property
    def outcome(self) -> Floats:
        """What means and charts are about: the target, or class 1 against all others."""
        if self.task == "regression" or self.n_classes == 2:
            return self.target
        return np.asarray(self.target == 1.0, dtype=np.float64)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the content that training sees; the same in every process.

        Names, notes and description do not count: two tables with the same numbers train the same.
        """
        arrays = (self.target, self.sensitive)
        alone = content_fingerprint(self.task, self.features, arrays, self.folds, self.graph)
        if self.attributes is None:
            return alone
        several = self.attributes.shown(self.attributes.values).set_axis(
            range(len(self.attributes.names)), axis=1
        )
        return content_fingerprint(alone, several, (), None)

    def _check_task(self) -> None:
        if self.task not in ("classification", "regression"):
            raise DataError(f"The task is 'classification' or 'regression', not '{self.task}'.")
        known = range(self.n_classes)
        if self.task == "classification" and not np.isin(self.target, known).all():
            codes = [f"{code}.0" for code in known]
            raise DataError(
                f"The classes of '{self.name}' must be coded {', '.join(codes[:-1])} and "
                f"{codes[-1]}."
            )

    def _check_graph(self) -> None:
        if self.graph is None:
            return
        known = self.n_rows + self.graph.n_context
        if self.graph.n_nodes != known:
            raise DataError(
                f"The graph of '{self.name}' has {self.graph.n_nodes:,} nodes; with "
                f"{self.n_rows:,} rows and {self.graph.n_context:,} context nodes it must have "
                f"{known:,}."
            )
        context = self.graph.context
        if context is not None and list(context.columns) != list(self.features.columns):
            raise DataError(f"The context nodes of '{self.name}' have other columns than its rows.")

    def _check_folds(self) -> None:
        if self.folds is None:
            return
        folds = np.array(self.folds, dtype=np.bool_)
        if folds.shape != (self.n_rows,):
            raise DataError(
                f"The folds of '{self.name}' have shape {folds.shape}, not ({self.n_rows},)."
            )
        folds.flags.writeable = False
        object.__setattr__(self, "folds", folds)
