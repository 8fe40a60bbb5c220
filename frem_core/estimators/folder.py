"""A saved predictor on disk: safetensors and JSON, checked before anything is believed."""

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from frem_core.datasets import FeatureEncoding, MinMax
from frem_core.datasets.encoding import CategoryColumn, NumberColumn
from frem_core.errors import DataError
from frem_core.networks.own import MakeNetwork
from frem_core.training import TrainedModel
from frem_core.types import COLUMN_KINDS

if TYPE_CHECKING:
    from frem_core.estimators.table_predictor import TablePredictor

FORMAT = 1
TABLE = "table.json"
MODEL_FILES = ("model.safetensors", "model.json")


def write_folder(predictor: "TablePredictor", folder: Path) -> None:
    """Writes the model's two files, then table.json with their checksums.

    Raises:
        DataError: the class labels cannot be written as JSON, or the folder cannot be written.
    """
    description = table_description(predictor)
    try:
        predictor.model.save(folder)
        # Last, with checksums: a folder whose saving was interrupted is not taken for a whole one.
        description["checksums"] = {name: _checksum(folder / name) for name in MODEL_FILES}
        text = json.dumps(description, indent=1, allow_nan=False)
        (folder / TABLE).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise DataError(
            f"The model cannot be saved in {folder} ({error.strerror}); choose another folder."
        ) from error


def table_description(predictor: "TablePredictor") -> dict[str, Any]:
    """The way in and out as plain values: what ``table.json`` holds beside the checksums.

    Raises:
        DataError: the class labels cannot be written as JSON.
    """
    return {
        "format": FORMAT,
        "columns": [_column_to_json(column) for column in predictor.encoding.columns],
        "named_columns": predictor.named_columns,
        "sensitive_scale": [predictor.sensitive_scale.low, predictor.sensitive_scale.high],
        "target_scale": [predictor.target_scale.low, predictor.target_scale.high],
        "classes": _classes_to_json(predictor.classes),
    }


def read_description(description: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a `TablePredictor`, except its model, from what `table_description` gave.

    Raises:
        DataError: it is damaged or of another version.
    """
    try:
        return _attributes(description)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"The encoder of the model's columns cannot be read ({error}).") from error


def read_folder(folder: Path, make_encoder: MakeNetwork | None = None) -> dict[str, Any]:
    """Returns the attributes of a `TablePredictor`.

    Args:
        folder: what `write_folder` wrote.
        make_encoder: what made the encoder, for a model with a user's own network.

    Raises:
        DataError: the folder is missing, foreign or damaged, or its files do not belong together.
    """
    try:
        description = json.loads((folder / TABLE).read_text(encoding="utf-8"))
        attributes = _attributes(description)
        _check_unchanged(folder, description["checksums"])
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise DataError(
            f"{folder} does not hold a saved model that this version can read ({_why(error)}). "
            "Give the folder that save() or 'frem train --save' wrote."
        ) from error
    model = TrainedModel.load(folder, encoder=make_encoder)
    _check_together(folder, model, attributes)
    return {"model": model, **attributes}


def _check_unchanged(folder: Path, checksums: dict[str, str]) -> None:
    for name in MODEL_FILES:
        if _checksum(folder / name) != checksums[name]:
            raise ValueError(f"{name} was changed after it was saved")


def _attributes(description: dict[str, Any]) -> dict[str, Any]:
    if description["format"] != FORMAT:
        raise ValueError(f"its format is {description['format']!r}, not {FORMAT}")
    return {
        "encoding": FeatureEncoding(tuple(_column_from_json(c) for c in description["columns"])),
        "named_columns": bool(description["named_columns"]),
        "sensitive_scale": _scale(description["sensitive_scale"]),
        "target_scale": _scale(description["target_scale"]),
        "classes": _classes_from_json(description["classes"]),
    }


def _check_together(folder: Path, model: TrainedModel, attributes: dict[str, Any]) -> None:
    inputs = len(attributes["encoding"].feature_names)
    if inputs != model.inputs:
        raise DataError(
            f"The files in {folder} do not belong together: the model has {model.inputs} inputs, "
            f"its table {inputs}. Save the model again."
        )
    if (attributes["classes"] is not None) != (model.task == "classification"):
        raise DataError(
            f"The files in {folder} do not belong together: a {model.task} model "
            f"{'with' if attributes['classes'] is not None else 'without'} classes."
        )
    classes = attributes["classes"]
    outputs = model.head.bias.shape[-1]
    if classes is not None and outputs != (1 if len(classes) == 2 else len(classes)):
        raise DataError(
            f"The files in {folder} do not belong together: {len(classes)} classes and a model "
            f"with {outputs} outputs."
        )


def _column_to_json(column: NumberColumn | CategoryColumn) -> dict[str, Any]:
    if isinstance(column, CategoryColumn):
        return {"name": column.name, "levels": list(column.levels), "seen": list(column.seen)}
    return {
        "name": column.name,
        "median": column.median,
        "scale": [column.scale.low, column.scale.high],
        "kind": column.kind,
    }


def _column_from_json(entry: dict[str, Any]) -> NumberColumn | CategoryColumn:
    name = str(entry["name"])
    if "levels" not in entry:
        kind = entry.get("kind", "number")  # folders of before know numbers only
        if kind not in COLUMN_KINDS:
            raise ValueError(f"column '{name}' is of an unknown kind, {kind!r}")
        return NumberColumn(name, _finite(entry["median"]), _scale(entry["scale"]), kind)
    levels, seen = entry["levels"], entry["seen"]
    if len(levels) != len(seen):
        raise ValueError(f"column '{name}' has {len(levels)} levels but {len(seen)} marks")
    return CategoryColumn(name, tuple(map(str, levels)), tuple(map(bool, seen)))


def _scale(ends: list[Any]) -> MinMax:
    low, high = (_finite(end) for end in ends)
    return MinMax(low, high)


def _finite(value: Any) -> float:
    number = float(value)
    if not np.isfinite(number):
        raise ValueError(f"{value!r} is not a finite number")
    return number


def _classes_to_json(classes: NDArray[Any] | None) -> dict[str, Any] | None:
    if classes is None:
        return None
    values = classes.tolist()
    if not all(isinstance(value, bool | int | float | str) for value in values):
        raise DataError(
            f"The class labels {values} cannot be saved; use numbers, true/false or text."
        )
    return {"dtype": classes.dtype.str, "values": values}


def _classes_from_json(entry: dict[str, Any] | None) -> NDArray[Any] | None:
    if entry is None:
        return None
    dtype, values = np.dtype(entry["dtype"]), entry["values"]
    if dtype.kind not in "biufUO" or len(values) < 2:
        raise ValueError(f"{values!r} are not class labels")
    return np.array(values, dtype=dtype)


def _checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _why(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return f"{Path(str(error.filename)).name} is missing"
    return f"it lacks {error}" if isinstance(error, KeyError) else str(error)
