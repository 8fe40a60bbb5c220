"""The files a run leaves in the store: its model, its test predictions and representations."""

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

from frem_core.datasets import Part
from frem_core.store import Store, StoreError
from frem_core.training import TrainedModel

_MODEL_FILES = {"weights": "model.safetensors", "model": "model.json"}
_LIBRARIES = ("frem-studio", "torch", "numpy", "scipy", "scikit-learn", "pandas")


def packed_files(model: TrainedModel, test: Part) -> dict[str, bytes]:
    """Returns the files of a finished run by kind; equal runs give equal bytes.

    ``weights`` and ``model`` are what `TrainedModel.save` writes; ``predictions`` holds row,
    target, sensitive value and prediction of every test row, ``representations`` their Z.
    """
    with TemporaryDirectory() as folder:
        model.save(folder)
        files = {kind: (Path(folder) / name).read_bytes() for kind, name in _MODEL_FILES.items()}
    z = model.transform(test.x)
    p = model.predict_from_representation(z)
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


def load_predictions(store: Store, run: str) -> pd.DataFrame:
    """Returns one row per test row of a finished run: row, y, s and p.

    ``y`` and ``s`` are scaled as in training; ``row`` is the row number in the dataset.
    """
    return pd.DataFrame(_arrays(store, run, "predictions"))


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
