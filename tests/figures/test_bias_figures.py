import re

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from frem_core.audit import (
    box_statistics,
    histogram,
    level_shares,
    outcome_by_group,
    quantile_groups,
    rank_dependence,
)
from frem_core.figures import (
    dependence_bars,
    group_boxes,
    group_shares,
    outcome_along_s,
    sensitive_histogram,
)
from frem_core.figures.looks import SERIES

HOSTILE = "<b>%{x} $a$</b>"
N = 50_000


def _figures() -> dict[str, go.Figure]:
    rng = np.random.default_rng(0)
    s = rng.uniform(size=N)
    x = s + rng.normal(size=N)
    levels = pd.Series(rng.choice([HOSTILE, "b", "c"], size=N))
    groups = quantile_groups(s, 5)
    ranking = rank_dependence(pd.DataFrame({HOSTILE: x, "level": levels}), s)
    return {
        "histogram": sensitive_histogram(histogram(s), sensitive_name=HOSTILE, groups=groups.table),
        "outcome": outcome_along_s(
            outcome_by_group(x, groups),
            sensitive_name=HOSTILE,
            outcome_title=f"mean of {HOSTILE}",
            overall=0.5,
        ),
        "boxes": group_boxes(
            box_statistics(x, groups), feature_name=HOSTILE, sensitive_name=HOSTILE
        ),
        "shares": group_shares(
            level_shares(levels, groups), feature_name=HOSTILE, sensitive_name=HOSTILE
        ),
        "dependence": dependence_bars(ranking, sensitive_name=HOSTILE),
    }


FIGURES = _figures()


@pytest.fixture(params=FIGURES, ids=str)
def figure(request: pytest.FixtureRequest) -> go.Figure:
    return FIGURES[request.param]


def test_axes_are_named(figure: go.Figure) -> None:
    assert figure.layout.xaxis.title.text
    assert figure.layout.yaxis.title.text


def test_names_from_the_table_are_shown_as_text(figure: go.Figure) -> None:
    sent = figure.to_json()
    assert HOSTILE not in sent
    assert "&#60;b&#62;" in sent


def test_only_summaries_are_sent_to_the_browser(figure: go.Figure) -> None:
    assert len(figure.to_json()) < 20_000


def test_a_box_shows_the_quartiles_it_was_given() -> None:
    s = np.arange(1_000.0)
    groups = quantile_groups(s, 4)
    statistics = box_statistics(s**2, groups)
    box = group_boxes(statistics, feature_name="x", sensitive_name="s").data[0]
    assert list(box.median) == statistics["median"].tolist()
    assert list(box.lowerfence) == statistics["lower_whisker"].tolist()
    assert list(box.x) == groups.labels


def test_shares_are_written_into_their_cells_while_there_is_room() -> None:
    cells = FIGURES["shares"].data[0]
    assert cells.texttemplate == "%{z:.0f} %"
    assert cells.z.sum(axis=0) == pytest.approx(100 * np.ones(5))
    s = np.arange(1_000.0)
    shares = level_shares(pd.Series(["a", "b"] * 500), quantile_groups(s, 12))
    crowded = group_shares(shares, feature_name="x", sensitive_name="s").data[0]
    assert crowded.texttemplate is None


def test_series_differ_in_shape_and_not_only_in_colour() -> None:
    assert len({symbol for _, symbol, _ in SERIES}) == len(SERIES)


def _luminance(colour: str) -> float:
    channels = [int(part, 16) / 255 for part in re.findall("..", colour.lstrip("#"))]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("background", ["#FFFFFF", "#0E1518"])
@pytest.mark.parametrize("colour", [colour for colour, _, _ in SERIES])
def test_colours_stand_out_on_both_grounds(colour: str, background: str) -> None:
    lighter, darker = sorted([_luminance(colour), _luminance(background)], reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 3.0


def test_the_strongest_column_is_on_top() -> None:
    axis = FIGURES["dependence"].layout.yaxis
    assert axis.range[0] > axis.range[1]
    assert axis.ticktext[0].startswith("&#60;b")
