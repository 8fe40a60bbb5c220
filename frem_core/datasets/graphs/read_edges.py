"""Reads an edge list of any form: text, Parquet, a sparse matrix, a table or an array."""

import io
import zipfile
import zlib
from math import ceil
from typing import Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from scipy import sparse

from frem_core.datasets.graphs.edge_text import (
    CutLine,
    check_cut_line,
    check_edge_count,
    edge_limit,
    read_edge_text,
)
from frem_core.datasets.tables.source import FileSource, OpenedFile, open_source
from frem_core.errors import DataError

MAX_EDGE_BYTES = 16 * 1024**3
COLUMNS = ["source", "target"]
# What the readers of Parquet and of packed matrices raise when bytes are not what they should be.
_DAMAGE = (
    pa.ArrowException,
    zipfile.BadZipFile,
    zlib.error,
    OSError,
    EOFError,
    MemoryError,
    RuntimeError,
    ArithmeticError,
    LookupError,
    TypeError,
    ValueError,
)
EdgeSource = FileSource | pd.DataFrame | NDArray[Any] | sparse.sparray | sparse.spmatrix


def read_edges(
    source: EdgeSource,
    *,
    max_edges: int | None = None,
    partial_last_line: CutLine = "refuse",
) -> pd.DataFrame:
    """Reads who is joined to whom, before node ids are looked up.

    Args:
        source: a text file of two ids a line (tab, comma, semicolon or space between them, with or
            without a header, lines that start with ``#`` or ``%`` left out), a Parquet file, a
            SciPy ``.npz`` matrix, a DataFrame, an (E, 2) array or a sparse matrix. Of more than
            two columns the first two count.
        max_edges: refuse more; by default what half of the free memory holds.
        partial_last_line: ``"refuse"`` a text file whose last line is cut off, or ``"skip"`` it.

    Returns:
        Columns ``source`` and ``target``, one row an edge: node ids, or row numbers for a matrix.

    Raises:
        DataError: the file cannot be read, is no edge list, or is too long.
    """
    check_cut_line(partial_last_line)
    limit = edge_limit(max_edges)
    if isinstance(source, pd.DataFrame):
        return _two_columns(source, "edges", limit)
    if sparse.issparse(source):
        return _of_matrix(source, "edges", limit)
    if isinstance(source, np.ndarray):
        if source.ndim != 2 or source.shape[1] != 2:
            raise DataError(f"An array of edges has the shape (edges, 2), not {source.shape}.")
        return _two_columns(pd.DataFrame(source), "edges", limit)
    with open_source(cast(FileSource, source), MAX_EDGE_BYTES) as opened:
        start = opened.head(4)
        if start == b"PK\x03\x04":
            return _of_matrix(_load_npz(opened, limit), opened.name, limit)
        if start == b"PAR1":
            return _of_parquet(opened, limit)
        return read_edge_text(opened, limit, partial_last_line)


def is_matrix(source: Any) -> bool:
    """Whether the edges are a sparse matrix or a SciPy file of one: nodes are row numbers."""
    if sparse.issparse(source):
        return True
    return str(getattr(source, "name", source)).endswith(".npz")


def _two_columns(frame: pd.DataFrame, name: str, limit: int) -> pd.DataFrame:
    if frame.shape[1] < 2:
        raise DataError(f"'{name}' has {frame.shape[1]} column; an edge list needs two of ids.")
    check_edge_count(name, len(frame), limit)
    edges = frame.iloc[:, :2].reset_index(drop=True).set_axis(COLUMNS, axis=1)
    missing = edges.isna().any(axis=1).to_numpy()
    if missing.any():
        raise DataError(
            f"{int(missing.sum()):,} rows of '{name}' lack an id, the first is row "
            f"{int(np.flatnonzero(missing)[0]) + 1}; fill or remove them."
        )
    return edges


def _of_parquet(opened: OpenedFile, limit: int) -> pd.DataFrame:
    try:
        file = pq.ParquetFile(opened.file)
        check_edge_count(opened.name, file.metadata.num_rows, limit)
        table = file.read(columns=file.schema_arrow.names[:2])
        frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
    except DataError:
        raise
    except _DAMAGE as error:
        raise DataError(
            f"'{opened.name}' is a damaged Parquet file; save it again ({error})."
        ) from error
    return _two_columns(frame, opened.name, limit)


def _load_npz(opened: OpenedFile, limit: int) -> Any:
    content = io.BytesIO(opened.file.read())
    try:
        unpacked = sum(entry.file_size for entry in zipfile.ZipFile(content).infolist())
        # At most 64 bytes an edge: two entries of two indices and a value. So what is refused
        # here, before it is unpacked, is certainly too long.
        check_edge_count(opened.name, unpacked // 64, limit)
        matrix: Any = sparse.load_npz(content)
        if hasattr(matrix, "check_format"):  # entries of a damaged file may lie outside
            matrix.check_format(full_check=True)
        return matrix.tocoo()
    except DataError:
        raise
    except _DAMAGE as error:
        raise DataError(
            f"'{opened.name}' holds no sparse matrix ({error}); write one with "
            "scipy.sparse.save_npz, or give a text file of two ids a line."
        ) from error


def _of_matrix(matrix: Any, name: str, limit: int) -> pd.DataFrame:
    if matrix.shape[0] != matrix.shape[1]:
        raise DataError(f"The matrix '{name}' has shape {matrix.shape}; adjacency is square.")
    check_edge_count(name, ceil(matrix.nnz / 2), limit)  # each edge stands there twice
    entries = matrix.tocoo()
    joined = entries.data != 0
    rows = (entries.row[joined], entries.col[joined])
    return pd.DataFrame(dict(zip(COLUMNS, rows, strict=True))).astype(np.int64)
