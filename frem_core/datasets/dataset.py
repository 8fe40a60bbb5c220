"""A dataset: features, a target and one continuous sensitive attribute, with the story of each."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.datasets.fingerprint import content_fingerprint
from frem_core.datasets.graphs.graph import Graph
from frem_core.errors import DataError
from frem_core.types import Floats, Task


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table made ready for learning, still in its own units.

    Encoding and scaling come later (`frem_core.datasets.prepare`), because they are fitted on the
    training rows of a split. The arrays are read-only; treat ``features`` the same way.

    Attributes:
        name: short name, e.g. ``"adult"``.
        features: the feature columns in their own units (n rows): numbers, or categories.
        target: (n,) float64; 0.0 and 1.0 for classification.
        sensitive: (n,) float64 in its own units (years, per cent, …).
        task: ``"classification"`` (two classes) or ``"regression"``.
        target_name: what the target is called.
        sensitive_name: what the sensitive attribute is called.
        class_names: (negative, positive) for classification, else None.
        notes: sentences that say what was dropped, filled or converted, and why.
        description: what the data is about.
        folds: (n,) bool, True for the training rows of the ``"paper_table"`` split, or None.
        graph: the graph whose first nodes are the rows, or None for a table.
        preset: which built-in dataset this is, so that settings and words made for it are used;
            empty for every other table, whatever it is called.
    """

    name: str
    features: pd.DataFrame
    target: Floats
    sensitive: Floats
    task: Task
    target_name: str
    sensitive_name: str
    class_names: tuple[str, str] | None = None
    notes: tuple[str, ...] = ()
    description: str = ""
    folds: NDArray[np.bool_] | None = None
    graph: Graph | None = None
    preset: str = ""

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
        self._check_task()
        self._check_folds()
        self._check_graph()

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.features)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the content that training sees; the same in every process.

        Names, notes and description do not count: two tables with the same numbers train the same.
        """
        arrays = (self.target, self.sensitive)
        return content_fingerprint(self.task, self.features, arrays, self.folds, self.graph)

    def _check_task(self) -> None:
        if self.task not in ("classification", "regression"):
            raise DataError(f"The task is 'classification' or 'regression', not '{self.task}'.")
        if self.task == "classification" and not np.isin(self.target, (0.0, 1.0)).all():
            raise DataError(f"The classes of '{self.name}' must be coded 0.0 and 1.0.")

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
