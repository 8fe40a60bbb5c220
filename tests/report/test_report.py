"""Reports: one file, text as text, the same content as JSON."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from frem_core.errors import ConfigError
from frem_core.report import (
    Chart,
    Commands,
    Facts,
    Listing,
    Notice,
    Paragraph,
    Report,
    Section,
    Table,
)

NASTY = "<script>alert(1)</script> & \"quoted\" 'too' </title>"


class _Elements(HTMLParser):
    """Counts elements and collects what readers see, as a browser would read it."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}
        self.text = ""
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self._open):
            self.text += data


def _parsed(html: str) -> _Elements:
    elements = _Elements()
    elements.feed(html)
    return elements


def _full_report(name: str = "age") -> Report:
    table = pd.DataFrame({name: ["a", name], "n": [1, 2_000], "share": [0.25, np.nan]})
    figure = go.Figure(go.Scatter(x=[1, 2], y=[3, 4], name=name.replace("<", "&#60;")))
    return Report(
        title=f"Report about {name}",
        subtitle=name,
        sections=(
            Section(name, (Paragraph(name), Notice(name), Listing((name,)), Facts({name: name}))),
            Section(
                "Numbers",
                (
                    Table(table, caption=name),
                    Commands((f"frem report '{name}'",)),
                    Chart(figure, name, name, table, name),
                    Chart(figure, "Again", "The same once more", table),
                ),
                starts_page=True,
            ),
        ),
        data={"n": np.int64(3), "missing": float("nan"), name: [1.5]},
    )


def test_text_from_outside_stays_text_in_every_block() -> None:
    hostile, harmless = _parsed(_full_report(NASTY).to_html()), _parsed(_full_report().to_html())
    assert hostile.counts == harmless.counts  # no element more than with a harmless name
    assert hostile.text.count(NASTY) == harmless.text.count("age")


def test_plotly_is_there_once_and_the_policy_names_exactly_the_scripts() -> None:
    html = _full_report().to_html()
    assert html.count("plotly.js v") <= 2  # its own banner, not one per chart
    assert len(html) < 5.2e6
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy is not None
    assert policy.group(1).startswith("default-src &#x27;none&#x27;; script-src &#x27;sha256-")
    assert "unsafe-inline" not in policy.group(1).split(";")[1]
    assert not re.search(r'(src|href)\s*=\s*"(https?:)?//', html.split("<script>")[0])


def test_a_report_without_charts_carries_no_script() -> None:
    html = Report("Short", (Section("All", (Paragraph("Nothing to draw."),)),)).to_html()
    assert "<script" not in html
    assert len(html) < 10_000


def test_json_has_the_same_content() -> None:
    values = json.loads(_full_report(NASTY).to_json())
    assert values["format"] == "frem-report/1"
    assert values["data"] == {"n": 3, "missing": None, NASTY: [1.5]}
    kinds = [[block["kind"] for block in section["blocks"]] for section in values["sections"]]
    assert kinds == [
        ["text", "notice", "list", "facts"],
        ["table", "commands", "chart", "chart"],
    ]
    table = values["sections"][1]["blocks"][0]
    assert table["columns"] == [NASTY, "n", "share"]
    assert table["rows"] == [["a", 1, 0.25], [NASTY, 2000, None]]


def test_the_same_report_is_the_same_file() -> None:
    assert _full_report().to_html() == _full_report().to_html()


def test_saving_goes_by_the_ending_and_leaves_nothing_behind(tmp_path: Path) -> None:
    report = _full_report()
    report.save(tmp_path / "r.html")
    report.save(tmp_path / "r.json")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == report.to_html()
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8")) == report.to_dict()
    with pytest.raises(ConfigError, match=r"\.html or \.json"):
        report.save(tmp_path / "r.pdf")
    with pytest.raises(ConfigError, match="cannot be written"):
        report.save(tmp_path / "none" / "r.html")
    assert {path.name for path in tmp_path.iterdir()} == {"r.html", "r.json"}
