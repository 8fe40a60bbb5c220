"""The files a run leaves in the store: its model, its test predictions and representations."""

import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from frem_core.datasets import PreparedData
from frem_core.estimators.folder import read_description, table_description
from frem_core.estimators.table_predictor import TablePredictor
from frem_core.store import Store, StoreError
from frem_core.training import TrainedModel
from frem_core.types import Floats

_MODEL_FILES = {"weights": "model.safetensors", "model": "model.json"}
_LIBRARIES = ("frem-studio", "torch", "numpy", "scipy", "scikit-learn", "pandas")


def packed_files(
    model: TrainedModel, data: PreparedData, outputs: tuple[Floats, Floats]
) -> dict[str, bytes]:
    """Returns the files of a finished run by kind; equal runs give equal bytes.

    ``weights`` and ``model`` are what `TrainedModel.save` writes; ``encoder`` says how columns
    become inputs, so that the model can be taken home when the table is gone; ``predictions``
    holds row, target, sensitive value and prediction of every test row, ``representations`` their
    Z.

    Args:
        model: the trained model.
        data: what it was trained and tested on.
        outputs: what the model makes of the test rows: Z (n, m) and predictions (n,), or with
            more than two classes (n, classes).
    """
    test = data.test
    with TemporaryDirectory() as folder:
        model.save(folder)
        files = {kind: (Path(folder) / name).read_bytes() for kind, name in _MODEL_FILES.items()}
    way = table_description(TablePredictor.of(data, model))
    files["encoder"] = json.dumps(way, separators=(",", ":"), allow_nan=False).encode()
    z, p = outputs
    files["predictions"] = save(
        {"row": test.rows, "y": test.y, "s": test.s, "p": np.ascontiguousarray(p)}
    )
    files["representations"] = save({"row": test.rows, "z": np.ascontiguousarray(z)})
    return files


def library_versions() -> dict[str, str]:
    """Returns the versions of the libraries that a result depends on."""
    return {name: version(name) for name in _LIBRARIES}


def load_model(store: Store, run: str) -> TrainedModel:
    """Returns the trained model of a finished run."""
    with TemporaryDirectory() as folder:
        for kind, name in _MODEL_FILES.items():
            (Path(folder) / name).write_bytes(store.artefacts.read(run, kind))
        return TrainedModel.load(folder)


def load_predictor(store: Store, run: str) -> TablePredictor | None:
    """Returns the model of a finished run with its way in and out.

    None when the run is of before the way in and out was kept.

    Raises:
        StoreError: files of the run are missing or damaged.
    """
    if "encoder" not in store.artefacts.of_run(run):
        return None
    try:
        description = json.loads(store.artefacts.read(run, "encoder"))
    except ValueError as error:
        raise StoreError(f"The encoder of run {run[:12]} cannot be read ({error}).") from error
    return TablePredictor(model=load_model(store, run), **read_description(description))


def load_outcomes(store: Store, run: str) -> Mapping[str, NDArray[Any]]:
    """Returns row, y, s and p of the test rows of a finished run.

    ``y`` and ``s`` are scaled as in training; ``row`` is the row number in the dataset. With more
    than two classes y holds their numbers and p (n, classes) the probability of each.
    """
    return _arrays(store, run, "predictions")


def load_predictions(store: Store, run: str, *, of_class: int = 1) -> pd.DataFrame:
    """Returns the same as a table with one prediction per row.

    Args:
        store: where the run's files are.
        run: its id.
        of_class: with more than two classes, the one that is looked at against all others: y is 1
            in its rows and p its probability.
    """
    arrays = load_outcomes(store, run)
    if arrays["p"].ndim == 1:
        return pd.DataFrame(arrays)
    one = {"y": (arrays["y"] == of_class).astype(np.float64), "p": arrays["p"][:, of_class]}
    return pd.DataFrame({"row": arrays["row"], "s": arrays["s"], **one})


def load_representations(store: Store, run: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Returns the test rows (n,) of a finished run and their representations (n, m)."""
    arrays = _arrays(store, run, "representations")
    return arrays["row"], arrays["z"]


def _arrays(store: Store, run: str, kind: str) -> Mapping[str, NDArray[Any]]:
    try:
        arrays: Mapping[str, NDArray[Any]] = load(store.artefacts.read(run, kind))
    except SafetensorError as error:
        raise StoreError(f"The {kind} of run {run[:12]} cannot be read ({error}).") from error
    return arrays
