"""Shows text that came from a table as text: never as markup, never as a formula."""

import re
import unicodedata

import pandas as pd

# Streamlit and Plotly both decode numeric entities *after* looking for markup, so an encoded
# character can neither start HTML, Markdown, LaTeX nor a ``%{…}`` template. A hyphen within a word
# means nothing to them and stays, so that names such as Reg-GDP are read out as they are written.
_PUNCTUATION = re.compile(r"[!-,./:-@\[-`{-~]|(?<!\w)-|-(?!\w)")
# Some replacements (":smile:", "->", "www.…", "http://…", "a@b.c") happen on the decoded text. An
# invisible word joiner between their characters stops them.
_JOINER = "\u2060"
_AFTER_DECODING = re.compile(
    r"(?<=:)(?=[\w+-])|(?<=[<>~-])(?=[>=-])|(?<=@)(?=\w)|(?<=www)(?=\.)|(?<=:)(?=//)"
)
_SPACE = re.compile(r"\s+")
_DIRECTION_CHANGES = {"LRE", "RLE", "LRO", "RLO", "LRI", "RLI", "FSI"}
_LONGEST = 80
# A cell that starts like this is taken for a formula by common spreadsheet programs.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def plain_text(value: object, *, longest: int | None = _LONGEST) -> str:
    """Returns a string that Streamlit's Markdown and Plotly's labels both show literally.

    Line breaks become spaces; control and direction-changing characters become "�"; longer text
    is cut with "…".

    Args:
        value: a column name, a cell, an error message.
        longest: cut beyond this many characters; ``None`` keeps all.

    >>> plain_text("<b>x</b>")
    '&#60;b&#62;x&#60;&#47;b&#62;'
    >>> plain_text("age in years")
    'age in years'
    """
    text = shown_text(value, longest=longest)
    text = _AFTER_DECODING.sub(_JOINER, text)
    return _PUNCTUATION.sub(lambda match: f"&#{ord(match.group())};", text)


def shown_text(value: object, *, longest: int | None = _LONGEST) -> str:
    """The same text without encoding, for places that know no markup (alt texts, file names)."""
    text = _SPACE.sub(" ", str(value)).strip()
    if longest is not None and len(text) > longest:
        text = text[: longest - 1].rstrip() + "…"
    return "".join("�" if _hides_itself(character) else character for character in text)


def _hides_itself(character: str) -> bool:
    # Zero-width joiners belong to some scripts and emoji; only direction changes mislead.
    return (
        unicodedata.category(character) in {"Cc", "Cs"}
        or unicodedata.bidirectional(character) in _DIRECTION_CHANGES
    )


def spreadsheet_csv(table: pd.DataFrame) -> bytes:
    """Returns :func:`harmless_csv` with the byte-order mark that makes Excel read it as UTF-8."""
    return harmless_csv(table).encode("utf-8-sig")


def harmless_csv(table: pd.DataFrame) -> str:
    r"""Returns the table as CSV in which no text cell or header can act as a formula.

    Such text gets a leading apostrophe, which spreadsheet programs show as plain text. Numbers
    stay numbers.

    >>> harmless_csv(pd.DataFrame({"=cmd": ["-1+2"], "n": [-3]}))
    "'=cmd,n\n'-1+2,-3\n"
    """
    safe = table.copy()
    for position, dtype in enumerate(table.dtypes):
        if not pd.api.types.is_numeric_dtype(dtype):
            cells = [_harmless(cell) for cell in table.iloc[:, position]]
            safe.isetitem(position, cells)
    safe.columns = pd.Index([_harmless(str(name)) for name in table.columns])
    return safe.to_csv(index=False, lineterminator="\n")


def _harmless(cell: object) -> object:
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA_STARTS):
        return "'" + cell
    return cell
