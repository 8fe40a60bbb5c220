"""What estimators save: safetensors and JSON, checked before anything is believed."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from frem_core.datasets import AttributeScales, FeatureEncoding, MinMax
from frem_core.datasets.encoding import CategoryColumn, NumberColumn
from frem_core.errors import DataError
from frem_core.networks.own import MakeNetwork
from frem_core.training import TrainedModel
from frem_core.training.autoencoder import TrainedAutoencoder
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
    write_model(predictor.model, table_description(predictor), folder)


def write_model(
    model: TrainedModel | TrainedAutoencoder, description: dict[str, Any], folder: Path
) -> None:
    """Writes a model's two files, and its way in and out with their checksums.

    Raises:
        DataError: the folder cannot be written.
    """
    try:
        model.save(folder)
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
        **_way_in(predictor.encoding, predictor.named_columns),
        "sensitive_scale": [predictor.sensitive_scale.low, predictor.sensitive_scale.high],
        "target_scale": [predictor.target_scale.low, predictor.target_scale.high],
        "classes": _classes_to_json(predictor.classes),
    } | _scales_to_json(predictor.attribute_scales)


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
    attributes = _read_table(folder, _attributes)
    model = TrainedModel.load(folder, encoder=make_encoder)
    _check_together(folder, model, attributes)
    return {"model": model, **attributes}


def write_representation(
    model: TrainedAutoencoder, encoding: FeatureEncoding, named_columns: bool, folder: Path
) -> None:
    """Writes a representation without a target as `write_folder` writes a predictor."""
    write_model(model, _way_in(encoding, named_columns), folder)


def read_representation(folder: Path) -> tuple[TrainedAutoencoder, FeatureEncoding, bool]:
    """Returns what `write_representation` was given; raises as `read_folder` does."""
    found = _read_table(folder, _way_in_from_json)
    model = TrainedAutoencoder.load(folder)
    _check_inputs(folder, model, found["encoding"])
    return model, found["encoding"], found["named_columns"]


def _read_table(folder: Path, read: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    try:
        description = json.loads((folder / TABLE).read_text(encoding="utf-8"))
        attributes = read(description)
        _check_unchanged(folder, description["checksums"])
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise DataError(
            f"{folder} does not hold a saved model that this version can read ({_why(error)}). "
            "Give the folder that save() or 'frem train --save' wrote."
        ) from error
    return attributes


def _check_unchanged(folder: Path, checksums: dict[str, str]) -> None:
    for name in MODEL_FILES:
        if _checksum(folder / name) != checksums[name]:
            raise ValueError(f"{name} was changed after it was saved")


def _way_in(encoding: FeatureEncoding, named_columns: bool) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "columns": [_column_to_json(column) for column in encoding.columns],
        "named_columns": named_columns,
    }


def _way_in_from_json(description: dict[str, Any]) -> dict[str, Any]:
    if description["format"] != FORMAT:
        raise ValueError(f"its format is {description['format']!r}, not {FORMAT}")
    return {
        "encoding": FeatureEncoding(tuple(_column_from_json(c) for c in description["columns"])),
        "named_columns": bool(description["named_columns"]),
    }


def _attributes(description: dict[str, Any]) -> dict[str, Any]:
    return {
        **_way_in_from_json(description),
        "sensitive_scale": _scale(description["sensitive_scale"]),
        "target_scale": _scale(description["target_scale"]),
        "classes": _classes_from_json(description["classes"]),
        "attribute_scales": _scales_from_json(description.get("attributes")),
    }


def _check_together(folder: Path, model: TrainedModel, attributes: dict[str, Any]) -> None:
    _check_inputs(folder, model, attributes["encoding"])
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


def _check_inputs(
    folder: Path, model: TrainedModel | TrainedAutoencoder, encoding: FeatureEncoding
) -> None:
    inputs = len(encoding.feature_names)
    if inputs != model.inputs:
        raise DataError(
            f"The files in {folder} do not belong together: the model has {model.inputs} inputs, "
            f"its table {inputs}. Save the model again."
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


def _scales_to_json(scales: AttributeScales | None) -> dict[str, Any]:
    """Several sensitive attributes; nothing where there is one."""
    if scales is None:
        return {}
    entries = [
        {"name": name, "levels": list(levels or ())}
        if scale is None
        else {"name": name, "scale": [scale.low, scale.high]}
        for name, scale, levels in zip(scales.names, scales.ranges, scales.levels, strict=True)
    ]
    return {"attributes": entries}


def _scales_from_json(entries: list[dict[str, Any]] | None) -> AttributeScales | None:
    if entries is None:
        return None
    ranges = tuple(_scale(one["scale"]) if "scale" in one else None for one in entries)
    if not any(ranges):
        raise ValueError("none of its sensitive attributes is a number")
    return AttributeScales(
        tuple(str(one["name"]) for one in entries),
        ranges,
        tuple(None if "scale" in one else tuple(map(str, one["levels"])) for one in entries),
    )


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
