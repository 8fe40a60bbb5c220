"""A dataset in scikit-learn's clothes."""

from typing import Any

import numpy as np
import pandas as pd

from frem_core.datasets.dataset import Dataset
from frem_core.datasets.encoding import one_hot


def to_bunch(
    dataset: Dataset, *, as_frame: bool = True, return_X_y: bool = False, encode: bool = True
) -> Any:
    """Returns a dataset the way scikit-learn's ``fetch_*`` functions do.

    Numbers stay in their own units: scaling belongs after the split.

    Args:
        dataset: what to return.
        as_frame: pandas objects instead of NumPy arrays.
        return_X_y: only ``(data, target)`` instead of a Bunch; this leaves S out.
        encode: categories as 0/1 columns; otherwise the columns as they are.

    Returns:
        A Bunch with ``data``, ``target``, ``sensitive_features``, ``feature_names``,
        ``target_names`` (classification), ``DESCR`` and, with ``as_frame``, ``frame``; for a graph
        also ``edges`` (E, 2) and ``context``; or the pair ``(data, target)``.
    """
    # Here and not above: scikit-learn takes longer to import than all the rest of this package.
    from sklearn.utils import Bunch

    data = one_hot(dataset.features) if encode else dataset.features.copy()
    dtype = np.int64 if dataset.task == "classification" else np.float64
    target = pd.Series(dataset.target.astype(dtype), index=data.index, name=dataset.target_name)
    sensitive = pd.Series(dataset.sensitive, index=data.index, name=dataset.sensitive_name)
    x, y, s = (
        (data, target, sensitive) if as_frame else (v.to_numpy() for v in (data, target, sensitive))
    )
    if return_X_y:
        return x, y
    bunch = Bunch(
        data=x,
        target=y,
        sensitive_features=s,
        feature_names=[str(name) for name in data.columns],
        target_names=None if dataset.class_names is None else list(dataset.class_names),
        DESCR="\n".join([dataset.description, "", *dataset.notes]),
    )
    if dataset.graph is not None:
        bunch["edges"], bunch["context"] = dataset.graph.edges, dataset.graph.context
    if as_frame:
        bunch["frame"] = pd.concat([data, sensitive, target], axis=1)
    return bunch
