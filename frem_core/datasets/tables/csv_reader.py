"""Reads text tables of any size: every cell as text first, types are found afterwards."""

import codecs
import re
from collections.abc import Callable
from dataclasses import replace

import pyarrow as pa
import pyarrow.csv as pa_csv

from frem_core.datasets.tables.expansion import BoundedStream, check_cells, check_packed_cells
from frem_core.datasets.tables.file_kind import check_text_start
from frem_core.datasets.tables.source import OpenedFile
from frem_core.datasets.tables.text_encoding import encoding_around
from frem_core.datasets.tables.text_format import text_format
from frem_core.errors import DataError
from frem_core.words import counted

Progress = Callable[[float, str], None]

_SAMPLE_BYTES = 256 * 1024
_BLOCK_BYTES = 8 * 1024**2


class CsvReader:
    """Reads one delimited text file, packed by gzip or not.

    Args:
        opened: the file.
        packed: whether it is packed by gzip.
        max_bytes: limit for the unpacked size.
        encoding: the codec; guessed when None.
        separator: the character between cells; guessed when None.
        decimal: the decimal mark; guessed when None.
    """

    def __init__(
        self,
        opened: OpenedFile,
        *,
        packed: bool,
        max_bytes: int,
        encoding: str | None = None,
        separator: str | None = None,
        decimal: str | None = None,
    ) -> None:
        self._opened = opened
        self._packed = packed
        self._max_bytes = max_bytes
        sample = self._sample()
        check_text_start(opened.name, sample)
        self.format = text_format(
            opened.name, sample, encoding=encoding, separator=separator, decimal=decimal
        )
        check_cells(opened.name, 0, len(self.format.names))

    def read(self, progress: Progress) -> pa.Table:
        """Returns a table of text columns called 0, 1, …; the names are in ``format.names``."""
        try:
            return self._read(progress)
        except UnicodeError:
            # The sample was plain, the rest is not: guess again from the place that failed.
            self.format = replace(self.format, encoding=self._encoding_of_the_rest())
        try:
            return self._read(progress)
        except UnicodeError as error:
            raise DataError(
                f"'{self._opened.name}' is not written in {self.format.encoding} throughout; "
                "save the table as UTF-8."
            ) from error

    def _read(self, progress: Progress) -> pa.Table:
        layout = self.format
        columns = [str(position) for position in range(len(layout.names))]
        bad_rows: list[pa_csv.InvalidRow] = []

        def note_bad_row(row: pa_csv.InvalidRow) -> str:
            bad_rows.append(row)
            return "error"

        stream = self._stream()
        batches = []
        n_rows = 0
        try:
            reader = pa_csv.open_csv(
                pa.PythonFile(stream, mode="r"),
                read_options=pa_csv.ReadOptions(
                    use_threads=False,  # so that bad rows come with their number
                    block_size=_BLOCK_BYTES,
                    column_names=columns,
                    skip_rows=layout.lines_before_header,
                    skip_rows_after_names=1,
                    encoding=layout.encoding,
                ),
                parse_options=pa_csv.ParseOptions(
                    delimiter=layout.separator,
                    newlines_in_values=True,
                    invalid_row_handler=note_bad_row,
                ),
                convert_options=pa_csv.ConvertOptions(
                    column_types=dict.fromkeys(columns, pa.string()), strings_can_be_null=False
                ),
            )
            for batch in reader:
                batches.append(batch)
                n_rows += batch.num_rows
                check_cells(self._opened.name, n_rows, len(columns))
                if self._packed:
                    check_packed_cells(self._opened, n_rows * len(columns))
                progress(stream.fraction, f"{n_rows:,} rows read")
        except (pa.ArrowException, ValueError, TypeError) as error:
            raise self._explained(error, bad_rows) from error
        return pa.Table.from_batches(batches, pa.schema([(name, pa.string()) for name in columns]))

    def _explained(self, error: Exception, bad_rows: list[pa_csv.InvalidRow]) -> Exception:
        if isinstance(error, DataError):
            return error
        if isinstance(error, UnicodeError) or "invalid UTF8" in str(error):
            return UnicodeError(str(error))
        name, separator = self._opened.name, self.format.separator
        if bad_rows:
            row = bad_rows[0]
            return DataError(
                f"Row {row.number} of '{name}' has {counted(row.actual_columns, 'cell')}, the "
                f"header row has {row.expected_columns} (separator {separator!r}). Remove lines "
                "above the header and totals below the table, quote text that holds the "
                "separator, or name another separator."
            )
        if re.search("straddling|block", str(error)):
            return DataError(
                f"A row of '{name}' does not end; look for a quotation mark that is never closed."
            )
        return DataError(f"'{name}' cannot be read as a table of text: {error}")

    def _stream(self) -> BoundedStream:
        return BoundedStream(self._opened, self._max_bytes, packed=self._packed)

    def _sample(self) -> bytes:
        stream = self._stream()
        sample = b""
        while len(sample) < _SAMPLE_BYTES and (more := stream.read(_SAMPLE_BYTES - len(sample))):
            sample += more
        if not sample.strip():
            raise DataError(f"'{self._opened.name}' is empty; save the table again.")
        return sample

    def _encoding_of_the_rest(self) -> str:
        stream, decoder = self._stream(), codecs.getincrementaldecoder("utf-8")()
        try:
            while block := stream.read(_BLOCK_BYTES):
                decoder.decode(block)
        except UnicodeDecodeError as error:
            return encoding_around(self._opened.name, error)
        return self.format.encoding
