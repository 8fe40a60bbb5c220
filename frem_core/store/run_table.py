"""Rows of runs as one flat table: a column per setting and per score."""

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow.json import ReadOptions, read_json
from sqlalchemy import ColumnElement

from frem_core.store.schema import runs

_PLAIN = (
    "id",
    "dataset",
    "method",
    "seed",
    "bundle",
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
    return _with_earlier_settings(_with_found_weights(pd.DataFrame(table)))


def _with_found_weights(table: pd.DataFrame) -> pd.DataFrame:
    """Writes the fairness weight that training found where a setting would stand."""
    weight, found = "config.fairness_weight", "facts.fairness_weight"
    if found in table:
        table[weight] = table[found] if weight not in table else table[weight].fillna(table[found])
    elif weight not in table and {"config.limit", "config.relative_weight"} & set(table.columns):
        table[weight] = np.nan
    return table


def _with_earlier_settings(table: pd.DataFrame) -> pd.DataFrame:
    """Writes out settings that are left out of configurations because they came later."""
    from frem_core.methods import METHODS  # the networks behind them take a second to load

    for method, rows in table.groupby("method").groups.items():
        known = str(method) in METHODS
        parameters = METHODS.get(str(method)).parameters() if known else {}
        for name, parameter in parameters.items():
            if parameter.before is not None:
                column = f"config.method.{name}"
                if column not in table:
                    table[column] = pd.Series(None, index=table.index, dtype=object)
                missing = rows[table.loc[rows, column].isna()]
                table.loc[missing, column] = parameter.before
    return table


def _flat(texts: Sequence[str | None], prefix: str) -> dict[str, Any]:
    """Reads JSON objects and returns their leaves column by column."""
    documents = [text or "{}" for text in texts]
    try:
        leaves = _leaves_by_arrow(documents)
    except pa.ArrowInvalid:  # a setting is a number in one run and a word in another
        leaves = _leaves_by_json(documents)
    return {prefix + name: values for name, values in leaves.items()}


def _leaves_by_arrow(documents: Sequence[str]) -> dict[str, Any]:
    """Several times faster than Python's own reader, which matters for thousands of runs."""
    lines = "\n".join(documents).encode()
    if not lines.replace(b"{}", b"").strip():
        return {}
    table = read_json(
        io.BytesIO(lines), ReadOptions(use_threads=False, block_size=max(len(lines), 1 << 20))
    )
    while any(pa.types.is_struct(field.type) for field in table.schema):
        table = table.flatten()
    if any(pa.types.is_temporal(field.type) for field in table.schema):
        raise pa.ArrowInvalid("a text that looks like a time must stay a text")
    return {
        name: _values(column)
        for name, column in zip(table.column_names, table.columns, strict=True)
    }


def _values(column: pa.ChunkedArray) -> Any:
    if pa.types.is_null(column.type):  # a score that no run has
        return np.full(len(column), np.nan)
    return column.to_pylist() if pa.types.is_list(column.type) else column.to_pandas()


def _leaves_by_json(documents: Sequence[str]) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {}
    for index, document in enumerate(documents):
        for name, value in _leaves(json.loads(document)):
            if name not in columns:
                columns[name] = [None] * len(documents)
            columns[name][index] = value
    return {name: pd.Series(values) for name, values in columns.items()}


def _leaves(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from _leaves(inner, f"{prefix}{key}.")
        else:
            yield prefix + key, inner
