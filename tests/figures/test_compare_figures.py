"""Figures that put runs side by side."""

from html import unescape

import numpy as np
import plotly.graph_objects as go
import pytest

from frem_core.audit import box_statistics, conditional_mean, dimension_boxes, quantile_groups
from frem_core.eipm import eipm_profile
from frem_core.figures import plain_text
from frem_core.figures.looks import DARK_GROUND, contrast, run_looks
from frem_core.figures.predictions import conditional_mean_curves, prediction_boxes
from frem_core.figures.representations import ipm_profile_figure, representation_boxes
from frem_core.figures.thin_data import shade_thin_data, thin_stretches

HOSTILE = "<b>%{x} $a$</b>"
RNG = np.random.default_rng(0)
N = 2_000
S = RNG.beta(2, 5, N)
P = [S + RNG.normal(size=N), RNG.normal(size=N), RNG.normal(size=N)]
GROUPS = quantile_groups(S, 5)
LOOKS = run_looks([("unfair", "Unfair"), ("frem", "FREM, λ 0.1"), ("frem", HOSTILE)])


def _figures() -> dict[str, go.Figure]:
    names = {"sensitive_name": HOSTILE}
    curves = [(look, conditional_mean(p, S)) for look, p in zip(LOOKS, P, strict=True)]
    boxes = [(look, box_statistics(p, GROUPS)) for look, p in zip(LOOKS, P, strict=True)]
    z = RNG.normal(size=(N, 4)) + S[:, None]
    dimensions = dimension_boxes(z, GROUPS, [3, 0, 1], standardise=True)
    profile = eipm_profile(z[:300], S[:300], gamma=0.05)
    return {
        "curves": conditional_mean_curves(
            curves, prediction_title=HOSTILE, outcome=curves[0][1], **names
        ),
        "boxes": prediction_boxes(boxes, prediction_title=HOSTILE, **names),
        "dimensions": representation_boxes(
            [(look, dimensions) for look in LOOKS], value_title="own spread", **names
        ),
        "profile": ipm_profile_figure([(look, profile) for look in LOOKS], **names),
    }


FIGURES = _figures()


@pytest.fixture(params=FIGURES, ids=str)
def figure(request: pytest.FixtureRequest) -> go.Figure:
    return FIGURES[request.param]


def test_names_are_text_and_only_summaries_are_sent(figure: go.Figure) -> None:
    sent = figure.to_json()
    assert HOSTILE not in sent
    assert "&#60;b&#62;" in sent
    assert len(sent) < 60_000


def test_every_run_is_named(figure: go.Figure) -> None:
    named = [trace.name for trace in figure.data if trace.showlegend is not False]
    assert list(dict.fromkeys(name for name in named if name != "true outcome")) == [
        look.text for look in LOOKS
    ]


def test_long_titles_wrap_in_the_legend_and_are_whole_in_the_hover_text() -> None:
    title = "FREM, ΔHGR along <b>income</b> of the household ≤ 50 % of unfair (λ 2.13)"
    [look] = run_looks([("frem", title)])
    curve = conditional_mean_curves(
        [(look, conditional_mean(P[0], S))], sensitive_name="s", prediction_title="p"
    ).data[-1]
    lines = curve.name.split("<br>")
    assert len(lines) == 2
    assert max(len(unescape(line)) for line in lines) <= 32
    assert lines[1].endswith(" …")
    assert curve.hovertemplate.endswith(f"<extra>{plain_text(title)}</extra>")
    boxes = prediction_boxes(
        [(look, box_statistics(P[0], GROUPS))], sensitive_name="s", prediction_title="p"
    )
    assert boxes.layout.hoverlabel.namelength == -1  # else Plotly cuts it after 15 characters


def test_axes_state_what_is_fair() -> None:
    for name in ("curves", "boxes", "profile"):
        assert "fair" in FIGURES[name].layout.yaxis.title.text
    small = FIGURES["dimensions"].layout
    assert small.yaxis.title.text == "Unfair<br>own spread"
    assert unescape(small.yaxis4.title.text) == "FREM, λ 0.1<br>own spread"


def test_runs_of_one_method_differ_in_dash_and_marker_and_not_only_in_colour() -> None:
    assert len({look.dash for look in LOOKS}) == 3
    assert LOOKS[1].symbol != LOOKS[2].symbol
    assert LOOKS[1].colour == LOOKS[2].colour == "#007580"


def test_dark_ground_gets_lighter_shades() -> None:
    for look in run_looks([("unfair", "a"), ("mmd", "b"), ("laftr", "c")], dark=True):
        assert contrast(look.colour, DARK_GROUND) >= 3.0


def test_small_charts_are_one_row_per_run_in_the_order_of_the_dimensions() -> None:
    figure = FIGURES["dimensions"]
    assert len(figure.data) == 9
    titles = [note.text for note in figure.layout.annotations if "between" in (note.text or "")]
    assert [title.split("<br>")[0] for title in titles[:3]] == [
        *("dimension 4", "dimension 1", "dimension 2"),
    ]


def test_a_band_encloses_its_line() -> None:
    band, line = FIGURES["curves"].data[0], FIGURES["curves"].data[4]
    half = len(line.x)
    high, low = np.array(band.y[:half]), np.array(band.y[half:])[::-1]
    assert (high >= line.y).mean() > 0.95
    assert (low <= line.y).mean() > 0.95


def test_thin_stretches_reach_half_way_to_where_there_is_enough() -> None:
    s = [0.0, 1.0, 2.0, 3.0, 4.0]
    assert thin_stretches(s, [5, 100, 100, 5, 100]) == [(0.0, 0.5), (2.5, 3.5)]
    assert thin_stretches(s, [100] * 5) == []
    assert thin_stretches(s, [1] * 5) == [(0.0, 4.0)]
    assert thin_stretches([], []) == []


def test_the_widest_thin_stretch_says_so_once() -> None:
    figure = shade_thin_data(go.Figure(), [0.0, 1.0, 2.0, 5.0], [5, 100, 100, 5])
    assert len(figure.layout.shapes) == 2
    assert [note.text for note in figure.layout.annotations if note.text] == [
        "too little data here",
    ]
