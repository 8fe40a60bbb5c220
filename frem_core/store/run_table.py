"""Rows of runs as one flat table: a column per setting and per score."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sqlalchemy import ColumnElement

from frem_core.store.schema import runs

_PLAIN = (
    "id",
    "dataset",
    "method",
    "seed",
    "state",
    "epoch",
    "epochs",
    "attempts",
    "stage",
    "error",
    "queued_at",
    "started_at",
    "finished_at",
)
_NESTED = ("config", "scores", "facts", "timings")


def run_table_columns() -> list[ColumnElement[Any]]:
    """The columns that :func:`run_table` expects, followed by the note."""
    return [runs.c[name] for name in (*_PLAIN, *_NESTED)]


def run_table(rows: Sequence[Any]) -> pd.DataFrame:
    """Flattens runs into one row each.

    Columns: the plain ones (``id, dataset, method, seed, state, epoch, …, note``), then every
    setting as ``config.<path>``, every score as ``<split>.<score>`` (``test.hgr``), every other
    outcome as ``facts.<path>`` and every timing as ``seconds.<stage>``. What a run does not have
    is missing: None in the plain columns, NaN elsewhere.
    """
    columns = list(zip(*rows, strict=True)) or [()] * (len(_PLAIN) + len(_NESTED) + 1)
    table: dict[str, Any] = dict(zip(_PLAIN, columns, strict=False))
    table["note"] = [note or "" for note in columns[-1]]
    for times in ("queued_at", "started_at", "finished_at"):
        table[times] = np.array(table[times], dtype=float)
    config, scores, facts, timings = columns[len(_PLAIN) : len(_PLAIN) + len(_NESTED)]
    table |= _flat(config, "config.") | _flat(scores, "") | _flat(facts, "facts.")
    table |= _flat(timings, "seconds.")
    return pd.DataFrame(table)


def _flat(texts: Sequence[str | None], prefix: str) -> dict[str, Any]:
    """Reads JSON objects and returns their leaves column by column."""
    # One document is parsed several times faster than thousands of small ones.
    objects = json.loads("[" + ",".join(text or "{}" for text in texts) + "]")
    columns: dict[str, list[Any]] = {}
    for index, value in enumerate(objects):
        _collect(value, prefix, index, len(objects), columns)
    return {name: _numbers_if_possible(values) for name, values in columns.items()}


def _collect(
    value: Mapping[str, Any], prefix: str, index: int, size: int, columns: dict[str, list[Any]]
) -> None:
    for key, inner in value.items():
        name = prefix + key
        if isinstance(inner, dict):
            _collect(inner, name + ".", index, size, columns)
            continue
        if name not in columns:
            columns[name] = [None] * size
        columns[name][index] = inner


def _numbers_if_possible(values: list[Any]) -> Any:
    kinds = {type(value) for value in values}
    if kinds <= {float, int, type(None)} and kinds != {int}:
        return np.array([np.nan if value is None else value for value in values], dtype=float)
    return values
