"""Pages, pictures and the overview."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

from frem_core.figures.looks import SeriesLook
from frem_core.reproduction import (
    Claim,
    Finding,
    Picture,
    Report,
    Section,
    Verdict,
    write_overview,
    write_report,
)
from frem_core.reproduction.drawing import Panel, draw, marker, nice_ticks

POINTS = pd.DataFrame(
    {
        "series": ["a", "a", "b"],
        "x": [0.1, 0.3, 0.2],
        "y": [0.80, 0.85, 0.82],
        "x_error": [0.01, float("nan"), 0.0],
        "y_error": [0.01, 0.02, float("nan")],
        "on_front": [True, True, False],
    }
)
LOOKS = {
    "a": SeriesLook("A <method>", "#007580", "star"),
    "b": SeriesLook("B", "#921416", "x-open"),
}


def report(verdict: Verdict = Verdict.PARTLY) -> Report:
    picture = Picture("fronts", draw([Panel("t", "x", "y", POINTS)], LOOKS), "A caption.")
    return Report(
        target="sigma",
        title="Scale",
        where="fig:x",
        protocol=("Five seeds.",),
        findings=(Finding(Claim("It holds | always.", "fig:x"), verdict, "3 of 5."),),
        sections=(Section("Crime", "Text.", (pd.DataFrame({"a": ["1"]}),), (picture,)),),
    )


def test_a_page_has_verdict_evidence_protocol_tables_and_pictures(tmp_path: Path) -> None:
    page = write_report(report(), tmp_path)
    text = page.read_text(encoding="utf-8")
    for part in (
        "# Scale",
        "**partly**",
        "3 of 5.",
        "* Five seeds.",
        "| a |",
        "It holds \\| always",
    ):
        assert part in text
    picture = tmp_path / "pictures" / "sigma-fronts.svg"
    assert f"pictures/{picture.name}" in text
    ElementTree.parse(picture)


def test_writing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    first = write_report(report(), tmp_path / "1").read_bytes()
    assert write_report(report(), tmp_path / "2").read_bytes() == first


def test_the_overview_has_one_row_per_claim_and_names_what_is_missing(tmp_path: Path) -> None:
    write_report(report(), tmp_path)
    text = write_overview(tmp_path).read_text(encoding="utf-8")
    assert "judged by the nearest reading of the paper: 1 not tested yet." in text
    assert "With the settings as printed: 1 partly." in text
    assert "[sigma](sigma.md)" in text
    assert "`pareto-adult` (not run yet)" in text
    content = json.loads((tmp_path / "findings" / "sigma.json").read_text(encoding="utf-8"))
    assert content["findings"][0]["verdict"] == "partly"


class TestDrawing:
    def test_is_xml_with_one_marker_per_point_and_legend_entry(self) -> None:
        tree = ElementTree.fromstring(draw([Panel("t", "x", "y", POINTS)], LOOKS))
        shapes = [node for node in tree.iter() if node.tag.endswith("polygon")]
        assert len(shapes) == 3 + 2
        assert "A <method>" in [node.text for node in tree.iter()]

    def test_a_line_joins_the_front_only(self) -> None:
        text = draw([Panel("t", "x", "y", POINTS)], LOOKS)
        assert text.count("<polyline") == 1

    def test_chance_is_a_dashed_line_that_the_axis_reaches(self) -> None:
        beyond = float(POINTS["x"].max()) * 3
        text = draw([Panel("t", "x", "y", POINTS, chance=beyond)], LOOKS)
        (line,) = [
            node
            for node in ElementTree.fromstring(text).iter()
            if "stroke-dasharray" in node.attrib
        ]
        across = float(line.attrib["d"].removeprefix("M").split()[0])
        assert 300 < across < 380  # near the right end of the panel
        assert "stroke-dasharray" not in draw([Panel("t", "x", "y", POINTS)], LOOKS)

    def test_without_points_it_says_so(self) -> None:
        assert "no runs" in draw([Panel("t", "x", "y", POINTS.head(0))], LOOKS)

    def test_a_single_point_has_axes(self) -> None:
        ElementTree.fromstring(draw([Panel("t", "x", "y", POINTS.head(1))], LOOKS))

    def test_a_logarithmic_axis_has_powers_of_ten(self) -> None:
        wide = POINTS.assign(x=[0.01, 0.1, 1.0])
        text = draw([Panel("t", "x", "y", wide, log_x=True)], LOOKS)
        for tick in (">0.01<", ">0.1<", ">1<"):
            assert tick in text

    @pytest.mark.parametrize("symbol", ["circle", "star", "triangle-left", "diamond", "x", "cross"])
    def test_every_symbol_can_be_hollow(self, symbol: str) -> None:
        assert marker(symbol, 1, 2, "#123456") != marker(f"{symbol}-open", 1, 2, "#123456")

    @pytest.mark.parametrize(
        ("low", "high"), [(0.0, 1.0), (-3.0, 2.0), (0.8123, 0.8129), (5, 6000)]
    )
    def test_ticks_lie_inside_and_are_few(self, low: float, high: float) -> None:
        ticks = nice_ticks(low, high)
        assert 2 <= len(ticks) <= 7
        assert low <= ticks[0] < ticks[-1] <= high
