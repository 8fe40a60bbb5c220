import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frem_core.figures import plain_text, shown_text

HOSTILE = [
    "<script>alert(1)</script>",
    "<b>bold</b>",
    "**bold** _it_ `code` [a](http://x.y) ![i](http://x.y/z.png)",
    "$x^2$ $$\\frac{1}{2}$$",
    ":red[x] :material/home: :smile: :streamlit:",
    "%{x} %{customdata[0]} ${y}",
    "# heading",
    "1. item",
    "    indented code",
    "a -> b <- c -- d >= e",
    "www.example.org me@example.org https://example.org",
    "=cmd|' /C calc'!A0",
    "&lt;b&gt; &amp;",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_markup_character_is_left_and_decoding_gives_the_text_back(text: str) -> None:
    encoded = plain_text(text)
    without_entities = re.sub(r"&#\d+;", "", encoded)
    assert not re.search(r"[!-,./:-@\[-`{-~]|(?<!\w)-|-(?!\w)", without_entities)
    decoded = html.unescape(encoded).replace("\u2060", "")
    assert decoded == re.sub(r"\s+", " ", text).strip()


@pytest.mark.parametrize("text", [":smile:", ":material/home:", "a -> b", "www.x.org", "a@b.org"])
def test_replacements_on_decoded_text_are_stopped(text: str) -> None:
    assert text not in html.unescape(plain_text(text))


def test_names_of_methods_are_read_out_as_they_are_written() -> None:
    """Screen readers get the encoded text, so what needs no encoding has none."""
    for name in ("Reg-GDP", "sIPM-LFR", "Nadaraya–Watson"):
        assert plain_text(name) == name


def test_control_and_direction_characters_are_made_visible() -> None:
    assert shown_text("a\x00b\u202ecod") == "a�b�cod"
    assert plain_text("two\nlines\tand\r\nmore") == "two lines and more"


def test_long_text_is_cut_before_it_is_encoded() -> None:
    assert plain_text("<" * 100, longest=5) == "&#60;" * 4 + "…"
    assert shown_text("x" * 100, longest=None) == "x" * 100


@given(st.text(max_size=40), st.text(max_size=40))
def test_different_texts_stay_different(first: str, second: str) -> None:
    if shown_text(first) != shown_text(second) and "\u2060" not in first + second:
        assert plain_text(first) != plain_text(second)


@pytest.mark.parametrize("address", ["https://example.org", "http://a.b/c", "ftp://x.y"])
def test_an_address_is_no_link_after_decoding(address: str) -> None:
    decoded = html.unescape(plain_text(f"see {address}"))
    assert "://" not in decoded
    assert decoded.replace("\u2060", "") == f"see {address}"
