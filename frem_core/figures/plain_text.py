"""Shows text that came from a table as text, never as markup."""

import re
import unicodedata

# Streamlit and Plotly both decode numeric entities *after* looking for markup, so an encoded
# character can neither start HTML, Markdown, LaTeX nor a ``%{…}`` template.
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
# Some replacements (":smile:", "->", "www.…", "a@b.c") happen on the decoded text. An invisible
# word joiner between their characters stops them.
_JOINER = "\u2060"
_AFTER_DECODING = re.compile(r"(?<=:)(?=[\w+-])|(?<=[<>~-])(?=[>=-])|(?<=@)(?=\w)|(?<=www)(?=\.)")
_SPACE = re.compile(r"\s+")
_DIRECTION_CHANGES = {"LRE", "RLE", "LRO", "RLO", "LRI", "RLI", "FSI"}
_LONGEST = 80


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
