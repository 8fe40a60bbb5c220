"""A trained model together with its way in and out: rows of a table to predictions."""

from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from frem_core.datasets import (
    AttributeScales,
    FeatureEncoding,
    Graph,
    GraphFeatures,
    MinMax,
    NodeFeatures,
    PreparedData,
)
from frem_core.estimators.folder import read_folder, write_folder
from frem_core.estimators.sensitive import ONLY
from frem_core.networks import ENCODERS, Encoder, Inputs, StackedLinear, check_reads
from frem_core.networks.own import MakeNetwork
from frem_core.training import TrainedModel
from frem_core.training.model import probabilities
from frem_core.types import Floats

ROWS_AT_ONCE = 8192


@dataclass(frozen=True, eq=False)
class TablePredictor:
    """Encodes feature columns as in training and gives predictions in the target's own units.

    Tables may hold more columns and in any order: those of the training are found by name. The
    sensitive attribute is not needed. Any method's model fits in; `save` and `load` use safetensors
    and JSON, so a folder from elsewhere cannot execute code.

    Attributes:
        model: the trained networks.
        encoding: turns feature columns into the model's inputs.
        sensitive_scale: the training range of the sensitive attribute, in its own units.
        target_scale: from the model's [0, 1] to the target's own units.
        classes: the labels, (negative, positive) or more than two, for classification, else None.
        named_columns: False when the rows came without column names (a NumPy array).
        attribute_scales: ranges and levels of all sensitive attributes where there were several.

    Example:
        >>> from frem_core.datasets import load_dataset, prepare, split_dataset
        >>> from frem_core.methods import get_method
        >>> from frem_core.training import TrainingConfig, train
        >>> adult = load_dataset("adult")
        >>> data = prepare(adult, split_dataset(adult))
        >>> (model,) = train(data.train, task=data.task, method=get_method("unfair")(),
        ...                  config=TrainingConfig(epochs=1))
        >>> sorted(set(TablePredictor.of(data, model).predict(adult.features[:500])))
        ['<=50K', '>50K']
    """

    model: TrainedModel
    encoding: FeatureEncoding
    sensitive_scale: MinMax
    target_scale: MinMax
    classes: NDArray[Any] | None = None
    named_columns: bool = True
    attribute_scales: AttributeScales | None = None

    @classmethod
    def of(cls, data: PreparedData, model: TrainedModel) -> "TablePredictor":
        """Joins a model with the preparation of the data it was trained on."""
        return cls(
            model=model,
            encoding=data.encoding,
            sensitive_scale=data.sensitive_scale,
            target_scale=data.target_scale,
            classes=None if data.class_names is None else np.array(data.class_names, dtype=object),
            attribute_scales=data.attribute_scales,
        )

    @property
    def scales(self) -> AttributeScales:
        """Ranges and levels of the sensitive attributes, also where there is one."""
        if self.attribute_scales is not None:
            return self.attribute_scales
        return AttributeScales((ONLY,), (self.sensitive_scale,), (None,))

    def transform(self, features: pd.DataFrame, *, graph: Graph | None = None) -> Floats:
        """Returns the representations Z, (n, m).

        Args:
            features: the rows.
            graph: the graph over them, which a graph network needs.
        """
        encoder, _ = self._networks
        x = self._inputs(features, graph)
        rows = torch.arange(len(features)).unsqueeze(0)
        at_once = len(features) or 1 if x.adjacency is not None else ROWS_AT_ONCE
        with torch.inference_mode():
            parts = torch.split(rows, at_once, dim=1)
            blocks = [encoder(x, part)[0].numpy() for part in parts]
        return np.concatenate(blocks) if blocks else np.empty((0, encoder.representation_size))

    def _inputs(self, features: pd.DataFrame, graph: Graph | None) -> Inputs:
        # Brings scikit-learn, which whoever only trains and writes models has no use for.
        from frem_core.estimators.features import readable_columns

        nodes = self.encoding.transform(readable_columns(features, self.encoding))
        reads_edges = ENCODERS.get(self.model.config.encoder).needs_graph
        if graph is None or not reads_edges:
            check_reads(self.model.config.encoder, graph=False)
            return Inputs(torch.from_numpy(nodes).double())
        if graph.context is not None:
            others = self.encoding.transform(readable_columns(graph.context, self.encoding))
            nodes = np.concatenate([nodes, others])
        whole = GraphFeatures(nodes, graph)
        return self.model.encoder.read(NodeFeatures(whole, np.arange(len(features)))).double()

    def score(self, features: pd.DataFrame, *, graph: Graph | None = None) -> Floats:
        """Returns (n,): the probability of the positive class, or the target in its own units.

        With more than two classes: the probability of each, (n, classes).
        """
        return self.score_from_representation(self.transform(features, graph=graph))

    def score_from_representation(self, z: Floats) -> Floats:
        """Returns what `score` does, from what `transform` gave."""
        _, head = self._networks
        with torch.inference_mode():
            predicted = probabilities(head(torch.from_numpy(z).unsqueeze(0)))
        return self.target_scale.inverse(predicted)

    def predict(self, features: pd.DataFrame, *, graph: Graph | None = None) -> NDArray[Any]:
        """Returns (n,): class labels, or the target in its own units."""
        return self.labels_of(self.score(features, graph=graph))

    def labels_of(self, scores: Floats) -> NDArray[Any]:
        """Returns what `predict` does, from what `score` gave."""
        if self.classes is None:
            return scores
        chosen = scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0.5).astype(np.intp)
        labels: NDArray[Any] = self.classes[chosen]
        return labels

    @cached_property
    def _networks(self) -> tuple[Encoder, StackedLinear]:
        """Encoder and head in float64.

        In float32 a row's last digits depend on the rows beside it; here a person gets the same
        prediction alone and in any company.
        """
        return deepcopy(self.model.encoder).double(), deepcopy(self.model.head).double()

    def save(self, directory: Path | str) -> None:
        """Writes model.safetensors, model.json and table.json into a folder."""
        write_folder(self, Path(directory))

    @classmethod
    def load(cls, directory: Path | str, *, encoder: MakeNetwork | None = None) -> "TablePredictor":
        """Reads what `save` wrote; a foreign, damaged or mixed-up folder raises a DataError.

        Args:
            directory: the folder.
            encoder: what made the encoder, for a model with a user's own network.
        """
        return cls(**read_folder(Path(directory), encoder))
