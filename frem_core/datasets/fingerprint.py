"""One number that names the content of a dataset, the same in every process."""

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from frem_core.datasets.graphs.graph import Graph

# Change this when the way of hashing changes: old run identifiers must not match new ones.
_FORMAT = "frem-dataset-2"


def content_fingerprint(
    task: str,
    features: pd.DataFrame,
    arrays: Sequence[NDArray[np.float64]],
    folds: NDArray[np.bool_] | None,
    graph: Graph | None = None,
) -> str:
    """Returns the SHA-256 (hex) of task, features, target, sensitive, folds and graph."""
    digest = hashlib.sha256()
    _add_texts(digest, [_FORMAT, task, str(len(features))])
    for position, name in enumerate(features.columns):
        _add_texts(digest, [str(name)])
        _add_column(digest, features.iloc[:, position])
    for array in arrays:
        digest.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
    if folds is not None:
        digest.update(np.packbits(folds).tobytes())
    if graph is not None:
        _add_texts(digest, ["graph", str(graph.n_nodes)])
        digest.update(np.ascontiguousarray(graph.edges, dtype="<i8").tobytes())
        if graph.context is not None:
            for position in range(graph.context.shape[1]):
                _add_column(digest, graph.context.iloc[:, position])
    return digest.hexdigest()


def _add_column(digest: "hashlib._Hash", column: pd.Series) -> None:
    if pd.api.types.is_numeric_dtype(column.dtype):
        values = column.to_numpy(dtype="<f8", na_value=np.nan)
        values = values + 0.0  # a copy in which −0.0 is 0.0
        values[np.isnan(values)] = np.nan  # one bit pattern for every missing value
        digest.update(b"number")
        digest.update(values.tobytes())
        return
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, levels = column.cat.codes.to_numpy(), column.cat.categories
    else:
        codes, levels = pd.factorize(column)
    # Levels count besides the rows: a level without rows still is a column of the encoding.
    _add_texts(digest, ["levels", *(str(level) for level in levels)])
    digest.update(np.ascontiguousarray(codes, dtype="<i4").tobytes())


def _add_texts(digest: "hashlib._Hash", texts: Iterable[str]) -> None:
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(f"{len(data)}:".encode())  # lengths keep ("ab", "c") apart from ("a", "bc")
        digest.update(data)
