"""Reads Parquet files, after a look at how large they say they become."""

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from frem_core.datasets.tables.csv_reader import Progress
from frem_core.datasets.tables.expansion import check_cells
from frem_core.datasets.tables.source import OpenedFile
from frem_core.errors import DataError


def read_parquet(opened: OpenedFile, progress: Progress) -> tuple[pd.DataFrame, list[str]]:
    """Returns the flat columns of a Parquet file and notes on the columns left out."""
    try:
        # Text stays in dictionaries: a long text repeated a million times is kept once.
        names = pq.read_schema(opened.file).names
        opened.file.seek(0)
        file = pq.ParquetFile(opened.file, read_dictionary=names)
        check_cells(opened.name, file.metadata.num_rows, file.metadata.num_columns)
        flat = [field.name for field in file.schema_arrow if _is_flat(field.type)]
        nested = [name for name in names if name not in flat]
        if len(set(flat)) < len(flat):
            raise DataError(f"'{opened.name}' has columns of the same name; rename them.")
        tables = []
        for group in range(file.num_row_groups):
            tables.append(file.read_row_group(group, columns=flat, use_threads=True))
            progress((group + 1) / file.num_row_groups, f"part {group + 1} read")
        table = pa.concat_tables(tables) if tables else file.schema_arrow.empty_table().select(flat)
        frame: pd.DataFrame = table.to_pandas(ignore_metadata=True, split_blocks=True)
    except (pa.ArrowException, OSError, MemoryError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"'{opened.name}' is a damaged or unsupported Parquet file; save it again ({error})."
        ) from error
    notes = [f"Left out, because they hold lists or structures: {', '.join(nested)}."]
    return frame, notes if nested else []


def _is_flat(dtype: pa.DataType) -> bool:
    if pa.types.is_dictionary(dtype):
        dtype = dtype.value_type
    is_bytes = pa.types.is_binary(dtype) or pa.types.is_large_binary(dtype)
    return not (pa.types.is_nested(dtype) or is_bytes or pa.types.is_fixed_size_binary(dtype))
