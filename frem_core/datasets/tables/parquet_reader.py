"""Reads Parquet files, after a look at how large they say they become."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from frem_core.datasets.tables.csv_reader import Progress
from frem_core.datasets.tables.expansion import check_cells
from frem_core.datasets.tables.source import OpenedFile, size_text
from frem_core.errors import DataError

_MOST_TEXT_BYTES = 512 * 1024**2


def read_parquet(
    opened: OpenedFile, max_bytes: int, progress: Progress
) -> tuple[pd.DataFrame, list[str]]:
    """Returns the flat columns of a Parquet file and notes on the columns left out."""
    try:
        schema = pq.read_schema(opened.file)
        opened.file.seek(0)
        texts = [field.name for field in schema if _is_text(field.type)]
        # Text is read as dictionaries: one repeated a million times is kept once.
        file = pq.ParquetFile(opened.file, read_dictionary=texts)
        _check_size(opened.name, file.metadata, max_bytes)
        flat = [field.name for field in schema if _is_flat(field.type)]
        if len(set(flat)) < len(flat):
            raise DataError(f"'{opened.name}' has columns of the same name; rename them.")
        tables = []
        for group in range(file.num_row_groups):
            tables.append(file.read_row_group(group, columns=flat))
            progress((group + 1) / file.num_row_groups, f"part {group + 1} read")
        table = pa.concat_tables(tables) if tables else schema.empty_table().select(flat)
        frame: pd.DataFrame = _plain_texts(table, texts).to_pandas(ignore_metadata=True)
    except (pa.ArrowException, OSError, MemoryError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"'{opened.name}' is a damaged or unsupported Parquet file; save it again ({error})."
        ) from error
    nested = [name for name in schema.names if name not in flat]
    notes = [f"Left out, because they hold lists, structures or bytes: {', '.join(nested)}."]
    return frame, notes if nested else []


def _check_size(name: str, metadata: pq.FileMetaData, max_bytes: int) -> None:
    check_cells(name, metadata.num_rows, metadata.num_columns)
    n_bytes = sum(
        metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups)
    )
    if n_bytes > max_bytes:
        raise DataError(
            f"'{name}' unpacks to {size_text(n_bytes)}; the limit is {size_text(max_bytes)}. "
            "Take a sample of its rows, or raise max_bytes."
        )


def _plain_texts(table: pa.Table, texts: list[str]) -> pa.Table:
    """Unpacks dictionaries to texts; where that would be huge the column stays categories."""
    for name in texts:
        column = table.column(name)
        if pa.types.is_dictionary(column.type) and _unpacked_bytes(column) < _MOST_TEXT_BYTES:
            position = table.schema.get_field_index(name)
            table = table.set_column(position, name, column.cast(column.type.value_type))
    return table


def _unpacked_bytes(column: pa.ChunkedArray) -> int:
    total = 0
    for chunk in column.chunks:
        lengths = pc.binary_length(chunk.dictionary).to_numpy(zero_copy_only=False)
        counts = np.bincount(chunk.indices.drop_null().to_numpy(), minlength=len(lengths))
        total += int(counts @ lengths)
    return total


def _is_text(dtype: pa.DataType) -> bool:
    return bool(pa.types.is_string(dtype) or pa.types.is_large_string(dtype))


def _is_flat(dtype: pa.DataType) -> bool:
    if pa.types.is_dictionary(dtype):
        dtype = dtype.value_type
    is_bytes = pa.types.is_binary(dtype) or pa.types.is_large_binary(dtype)
    return not (pa.types.is_nested(dtype) or is_bytes or pa.types.is_fixed_size_binary(dtype))
