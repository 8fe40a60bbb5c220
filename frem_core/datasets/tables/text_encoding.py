"""Guesses the encoding of a text file: byte order mark, UTF-8, then what reads like words."""

import codecs
import re
import unicodedata
from itertools import pairwise

from charset_normalizer import from_bytes

from frem_core.errors import DataError

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What spreadsheets write outside UTF-8, the most frequent first, with the script they are for.
_ONE_BYTE = (
    ("cp1252", "LATIN"),
    ("cp1250", "LATIN"),
    ("cp1254", "LATIN"),
    ("cp1251", "CYRILLIC"),
    ("cp1253", "GREEK"),
)
_EAST_ASIAN = ["cp932", "gb18030", "big5", "cp949"]
_INSIDE_WORDS = "’‘“”„«»–—·…\u00a0\u00adµªº"
_ENOUGH = 0.9
_CONTEXT = 32_768


def find_encoding(name: str, sample: bytes) -> str:
    """Guesses the encoding of a file from its first bytes.

    Raises:
        DataError: it is not text.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if sample.startswith(mark):
            return encoding
    if b"\x00" in sample:
        # Western text in UTF-16 has a zero in every second byte.
        for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
            if sample[offset::2].count(0) > 0.4 * len(sample[offset::2]):
                return encoding
        raise DataError(
            f"'{name}' is not text; save the table as CSV, TSV, Parquet or Excel (.xlsx)."
        )
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError as error:
        return encoding_around(name, error)
    return "utf-8"


def encoding_around(name: str, error: UnicodeDecodeError) -> str:
    """Guesses the encoding of text that turned out not to be UTF-8 at some place."""
    around = error.object[max(error.start - _CONTEXT, 0) : error.start + _CONTEXT]
    shares = {encoding: _share_of_words(around, encoding, script) for encoding, script in _ONE_BYTE}
    best = max(shares, key=lambda encoding: shares[encoding])
    if shares[best] >= _ENOUGH:
        return best
    east_asian = from_bytes(around, cp_isolation=_EAST_ASIAN).best()
    if east_asian is not None:
        return east_asian.encoding
    if shares[best] > 0:
        return best
    raise DataError(f"'{name}' is not text in any encoding known here; save the table as UTF-8.")


def _share_of_words(data: bytes, encoding: str, script: str) -> float:
    """The share of words with other than plain letters that could be words of the script."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return 0.0
    words = {word for word in re.findall(r"[^\s,;|\"]+", text) if not word.isascii()}
    return sum(_is_word(word, script) for word in words) / max(len(words), 1)


def _is_word(word: str, script: str) -> bool:
    letters = [letter for letter in word if letter.isalpha() and letter not in _INSIDE_WORDS]
    plain = sum(letter.isascii() for letter in letters)
    # Latin words mix plain and accented letters; words of other scripts have no plain ones.
    if script == "LATIN" and not plain and len(letters) > 2:
        return False
    if script != "LATIN" and plain:
        return False
    if any(not unicodedata.name(letter, "").startswith((script, "LATIN")) for letter in letters):
        return False
    return not any(_clash(*pair) for pair in pairwise(word))


def _clash(left: str, right: str) -> bool:
    """Tells that two neighbours hardly stand together: ``dŸ``, or ``³a``."""
    if not right.isascii() and left.islower() and right.isupper():
        return True
    is_symbol = not (left.isascii() or left.isalpha() or left in _INSIDE_WORDS)
    return is_symbol and right.islower()
