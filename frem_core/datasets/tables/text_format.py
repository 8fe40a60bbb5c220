"""Finds out how a text table is written: encoding, separator, decimal mark, column names."""

import codecs
import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from frem_core.datasets.tables.text_encoding import find_encoding
from frem_core.errors import DataError

SEPARATORS = (",", ";", "\t", "|")
_SAMPLE_ROWS = 200
_DECIMAL_COMMA = re.compile(r"[+-]?(\d+|\d{1,3}([. ]\d{3})+),\d+")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+")
_DECIMAL_POINT = re.compile(r"[+-]?\d*\.(\d{1,2}|\d{4,})")


@dataclass(frozen=True)
class TextFormat:
    """How a text table is written.

    Attributes:
        encoding: name of the codec.
        separator: the character between cells.
        decimal: ``"."`` or ``","``.
        names: the cells of the header row.
        lines_before_header: lines to pass over: Excel's ``sep=;`` and blank ones.
    """

    encoding: str
    separator: str
    decimal: str
    names: tuple[str, ...]
    lines_before_header: int


def text_format(
    name: str,
    sample: bytes,
    *,
    encoding: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
) -> TextFormat:
    """Looks at the first bytes of a text table; given values are taken as they are."""
    encoding = encoding or find_encoding(name, sample)
    text = _decode(name, sample, encoding)
    hint = re.match(r"(?:sep=(.)(?:\r\n|\n|\r))?(?:\r\n|\n|\r)*", text)
    assert hint is not None  # every part of the pattern may be absent
    lines_before = len(hint[0].splitlines())
    separator, text = separator or hint[1], text[hint.end() :]
    separator = separator or _find_separator(text)
    rows = _rows(text, separator)
    if not rows:
        raise DataError(f"'{name}' has no rows; save the table again.")
    decimal = decimal or _find_decimal(separator, rows[1:])
    return TextFormat(encoding, separator, decimal, tuple(rows[0]), lines_before)


def _decode(name: str, sample: bytes, encoding: str) -> str:
    try:
        # An incremental decoder forgives a character cut off by the end of the sample.
        text = codecs.getincrementaldecoder(encoding)().decode(sample)
    except LookupError as error:
        raise DataError(f"There is no encoding called '{encoding}'; try 'utf-8'.") from error
    except (UnicodeError, ValueError) as error:
        raise DataError(
            f"'{name}' is not written in {encoding}; leave the encoding out to have it guessed, "
            "or save the table as UTF-8."
        ) from error
    return text.removeprefix("\ufeff")


def _rows(text: str, separator: str) -> list[list[str]]:
    """The first rows of the sample, without empty ones."""
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            if row:
                rows.append(row)
            if len(rows) > _SAMPLE_ROWS:
                break
    except (csv.Error, TypeError, ValueError) as error:
        raise DataError(
            f"The table cannot be read with the separator {separator!r}: {error}."
        ) from error
    return rows


def _find_separator(text: str) -> str:
    """The separator that gives most rows the header's number of cells, more cells if tied."""
    best, best_score = SEPARATORS[0], (0.0, 1)
    for separator in SEPARATORS:
        widths = [len(row) for row in _rows(text, separator)]
        # The sample may end in the middle of the last row.
        complete = widths[:-1] if len(widths) > 2 else widths
        if not complete or complete[0] < 2:
            continue
        agreeing = sum(width == complete[0] for width in complete) / len(complete)
        if (agreeing, complete[0]) > best_score:
            best, best_score = separator, (agreeing, complete[0])
    return best


def _find_decimal(separator: str, rows: Sequence[Sequence[str]]) -> str:
    if separator == ",":
        return "."
    cells = [cell.strip().rstrip("% ").strip() for row in rows for cell in row]
    if any(_DECIMAL_POINT.fullmatch(cell) for cell in cells):
        return "."
    commas = [cell for cell in cells if _DECIMAL_COMMA.fullmatch(cell)]
    # "1,234" is undecided by itself; semicolons come from places that write a decimal comma.
    telling = [cell for cell in commas if not _THOUSANDS.fullmatch(cell)]
    return "," if telling or (commas and separator == ";") else "."
