"""From a dataset and a split to the arrays a model is trained on."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frem_core.attributes import Attributes
from frem_core.datasets.dataset import Dataset
from frem_core.datasets.encoding import FeatureEncoding
from frem_core.datasets.graphs.graph import Features, GraphFeatures, NodeFeatures
from frem_core.datasets.scaling import IDENTITY, AttributeScales, MinMax
from frem_core.datasets.splits import Split
from frem_core.errors import DataError
from frem_core.types import Task

# 2 GB as float32; a copy or two of it still fit into an ordinary machine.
MAX_MATRIX_CELLS = 500_000_000


@dataclass(frozen=True, eq=False)
class Part:
    """The rows of one part of a split, encoded.

    Attributes:
        x: (n, d) float32 features; the training rows lie in [0, 1]. For a graph `NodeFeatures`,
            which know the other nodes as well.
        y: (n,) float64 target; 0.0 or 1.0 in classification, or the numbers of more classes.
        s: (n,) float64 sensitive attribute in [0, 1].
        rows: (n,) row numbers in the dataset.
        attributes: all sensitive attributes where there are several, numbers in [0, 1]; else None.
        weight: (n,) how much each row counts in the prediction loss, 1 on average; None when all
            count alike.
        classes: how many there are in a classification.
    """

    x: Features
    y: NDArray[np.float64]
    s: NDArray[np.float64]
    rows: NDArray[np.int64]
    attributes: Attributes | None = None
    weight: NDArray[np.float64] | None = None
    classes: int = 2

    def __len__(self) -> int:
        return len(self.rows)

    def of(self, keep: Any) -> "Part":
        """Some of the rows."""
        attributes = None if self.attributes is None else self.attributes.of(keep)
        weight = None if self.weight is None else self.weight[keep]
        columns = (self.x[keep], self.y[keep], self.s[keep], self.rows[keep])
        return Part(*columns, attributes, weight, self.classes)


@dataclass(frozen=True, eq=False)
class PreparedData:
    """A dataset under a split, encoded and scaled with what the training rows say.

    Attributes:
        train: rows to fit on.
        validation: rows to choose settings on, or None when the split has none.
        test: rows to report on.
        feature_names: names of the d columns of ``x``.
        sensitive_scale: ``sensitive_scale.inverse(part.s)`` is S in its own units (clipped to
            the training range).
        target_scale: ``target_scale.inverse(y)`` is the target in its own units.
        task: ``"classification"`` or ``"regression"``.
        dataset_name: what the dataset is called.
        preset: which built-in dataset this is; empty for any other.
        target_name: what the target is called.
        sensitive_name: what the sensitive attribute is called.
        class_names: (negative, positive) or the names of more classes; None for regression.
        encoding: encodes further rows of the same columns in the same way.
        split: the split this was made with.
        attribute_scales: ranges and levels of all sensitive attributes where there are several.
    """

    train: Part
    validation: Part | None
    test: Part
    feature_names: tuple[str, ...]
    sensitive_scale: MinMax
    target_scale: MinMax
    task: Task
    dataset_name: str
    preset: str
    target_name: str
    sensitive_name: str
    class_names: tuple[str, ...] | None
    encoding: FeatureEncoding
    split: Split
    attribute_scales: AttributeScales | None = None


def prepare(dataset: Dataset, split: Split) -> PreparedData:
    """Encodes and scales a dataset, fitted on the training rows only.

    Categories become 0/1 columns; a category that no training row has is all zero. Missing numbers
    become the training median. Features, the sensitive attribute and a regression target are
    min-max scaled by their training range; S is clipped to [0, 1] afterwards. A target that spans
    [0, 1] by definition (Communities and Crime) stays as it is.

    Args:
        dataset: the table in its own units.
        split: its rows, from `split_dataset`.

    Returns:
        Train, validation and test arrays with the scales needed to go back to own units.

    Raises:
        DataError: the sensitive attribute does not vary in the training rows.
    """
    encoding = FeatureEncoding.fit(dataset.features, split.train, dataset.kinds)
    _check_matrix_size(dataset, encoding)
    sensitive_scale = MinMax.fit(dataset.sensitive[split.train])
    if sensitive_scale.is_constant:
        raise DataError(
            f"The sensitive column '{dataset.sensitive_name}' is {sensitive_scale.low:g} in every "
            "training row; use another seed, more rows or another column."
        )
    target_scale = target_scale_of(dataset, split)
    scales = _attribute_scales(dataset, split)
    several = dataset.attributes
    attributes = None if several is None or scales is None else scales.transform(several)

    whole = _whole_graph(dataset, encoding)

    def part(rows: NDArray[np.int64]) -> Part:
        return Part(
            x=encoding.transform(dataset.features, rows)
            if whole is None
            else NodeFeatures(whole, rows),
            y=target_scale.transform(dataset.target[rows]),
            s=np.clip(sensitive_scale.transform(dataset.sensitive[rows]), 0.0, 1.0),
            rows=rows,
            attributes=None if attributes is None else attributes.of(rows),
            classes=dataset.n_classes,
        )

    return PreparedData(
        train=part(split.train),
        validation=part(split.validation) if len(split.validation) else None,
        test=part(split.test),
        feature_names=encoding.feature_names,
        sensitive_scale=sensitive_scale,
        target_scale=target_scale,
        task=dataset.task,
        dataset_name=dataset.name,
        preset=dataset.preset,
        target_name=dataset.target_name,
        sensitive_name=dataset.sensitive_name,
        class_names=dataset.class_names,
        encoding=encoding,
        split=split,
        attribute_scales=scales,
    )


def _check_matrix_size(dataset: Dataset, encoding: FeatureEncoding) -> None:
    width = len(encoding.feature_names)
    n_rows = dataset.n_rows if dataset.graph is None else dataset.graph.n_nodes
    if n_rows * width > MAX_MATRIX_CELLS:
        widest = sorted(encoding.columns, key=lambda column: len(column.outputs))[-3:]
        names = ", ".join(column.name for column in reversed(widest))
        raise DataError(
            f"'{dataset.name}' becomes a matrix of {n_rows:,} × {width:,} numbers, which "
            f"takes {n_rows * width * 4 / 1e9:.1f} GB. Leave out categories with many "
            f"levels (the widest: {names}) or take a sample of the rows."
        )


def _whole_graph(dataset: Dataset, encoding: FeatureEncoding) -> GraphFeatures | None:
    """Encodes every node, because features travel from test and context nodes to others."""
    graph = dataset.graph
    if graph is None:
        return None
    nodes = encoding.transform(dataset.features)
    if graph.context is not None:
        nodes = np.concatenate([nodes, encoding.transform(graph.context)])
    return GraphFeatures(nodes, graph)


def _attribute_scales(dataset: Dataset, split: Split) -> AttributeScales | None:
    """Ranges of all sensitive attributes in the training rows, where there are several."""
    if dataset.attributes is None:
        return None
    attributes = dataset.attributes.of(split.train)
    for name, column in zip(attributes.names, attributes.values.T, strict=True):
        if column.min() == column.max():
            raise DataError(
                f"The sensitive column '{name}' is the same in every training row; use another "
                "seed, more rows or another column."
            )
    return AttributeScales.fit(attributes)


def target_scale_of(dataset: Dataset, split: Split) -> MinMax:
    """From a target's own units to what models are trained on; labels stay as they are."""
    if dataset.task == "classification" or MinMax.fit(dataset.target) == IDENTITY:
        return IDENTITY
    return MinMax.fit(dataset.target[split.train])
