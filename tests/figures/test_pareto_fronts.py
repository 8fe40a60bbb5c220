import numpy as np
import pandas as pd
import pytest

from frem_core.figures import SeriesLook, front_points, method_looks, pareto_fronts_figure
from frem_core.figures.looks import DARK_GROUND, LIGHT_GROUND, contrast, readable
from frem_core.figures.run_titles import run_names, setting_columns
from frem_core.methods import available_methods, get_method
from frem_core.paper import paper_points

TITLES = {"prediction_title": "Accuracy (higher is better)", "fairness_title": "HGR (lower)"}
COLUMNS = {"prediction": "prediction", "fairness": "fairness"}


def runs(rows, **more):
    """Runs as the store gives them: method, weight, seed, MAE, HGR."""
    table = pd.DataFrame(rows, columns=["method", "weight", "seed", "test.mae", "test.hgr"])
    return table.assign(
        id=[f"{number:012x}".ljust(64, "0") for number in range(len(table))],
        state="done",
        **{
            "config.fairness_weight": table.pop("weight"),
            "config.seed": table["seed"],
            "config.split.seed": table["seed"],
            "config.dataset": "d",
            "config.method.method": table["method"],
            **more,
        },
    )


FOUR = runs(
    [
        ("frem", 0.1, 0, 0.10, 0.30),
        ("frem", 0.1, 1, 0.14, 0.34),
        ("frem", 1.0, 0, 0.20, 0.10),
        ("frem", 2.0, 0, 0.30, 0.20),
        ("unfair", 0.0, 0, 0.05, 0.60),
    ]
)


def traces(figure, name=None):
    return [trace for trace in figure.data if name is None or trace.name == name]


def test_seeds_of_a_limit_are_one_point_although_each_found_its_own_weight():
    rows = [
        ("frem", 0.4, 0, 0.10, 0.30),
        ("frem", 0.6, 1, 0.14, 0.34),
        ("frem", 3.0, 0, 0.2, 0.1),
        ("frem", 0.1, 0, 0.1, 0.5),
    ]
    table = runs(rows, **{"config.limit": ["hgr=50%", "hgr=50%", "hgr=20%", None]})
    points = front_points(table, prediction="mae", fairness="hgr").set_index("words")
    half = points.loc["50 % of the unfair model's ΔHGR (fairness weight (λ) 0.5)"]
    assert half["seeds"] == 2
    assert half["fairness"] == pytest.approx(0.32)
    assert "fairness weight (λ) 0.1" in points.index
    names = run_names(table)
    assert next(iter(names.values())) == "FREM, ΔHGR ≤ 50 % of unfair, seed 0"


def test_points_are_means_over_seeds_and_fronts_are_those_by_hand():
    points = front_points(FOUR, prediction="mae", fairness="hgr").set_index(
        ["method", "fairness_weight"]
    )
    first = points.loc[("frem", 0.1)]
    assert first["prediction"] == pytest.approx(0.88)  # shown as 1 − MAE
    assert first["fairness"] == pytest.approx(0.32)
    assert first["prediction.se"] == pytest.approx(0.02)  # half the distance of two seeds
    assert first["fairness.se"] == pytest.approx(0.02)
    assert first["seeds"] == 2
    assert first["runs"] == ("0" * 64, "000000000001".ljust(64, "0"))
    # λ = 2 is worse than λ = 1 in both scores.
    assert points["on_front"].tolist() == [True, True, False, True]
    assert np.isnan(points.loc[("frem", 1.0), "fairness.se"])


def test_words_tell_settings_apart():
    table = runs(
        [("frem", 0.1, 0, 0.1, 0.3), ("frem", 0.1, 0, 0.1, 0.2), ("unfair", 0, 0, 0.1, 0.5)],
        **{
            "config.method.gamma": [0.05, 0.1, np.nan],
            "config.training.hidden": [[50, 50]] * 3,
            "config.training.epochs": 200,
        },
    )
    assert setting_columns(table.drop(columns="config.training.hidden")) == [
        "config.fairness_weight",
        "config.method.gamma",
    ]
    words = front_points(table, prediction="mae", fairness="hgr")["words"].tolist()
    assert words == [
        "fairness weight (λ) 0.1, bandwidth on the sensitive attribute (γ) 0.05",
        "fairness weight (λ) 0.1, bandwidth on the sensitive attribute (γ) 0.1",
        "",
    ]


def test_frem_comes_first_and_what_it_is_compared_to_last():
    rows = [(name, 0.1, 0, 0.1, 0.3) for name in ("unfair", "adv", "reg_gdp", "frem")]
    points = front_points(runs(rows), prediction="mae", fairness="hgr")
    assert points["method"].tolist() == ["frem", "adv", "reg_gdp", "unfair"]
    own = dict(zip(runs(rows)["method"], runs(rows)["id"], strict=True))
    assert points["runs"].tolist() == [(own[name],) for name in points["method"]]


def test_unfinished_runs_scores_that_nobody_has_and_repeated_rows_do_not_count():
    table = FOUR.assign(state=["done", "running", "failed", "done", "cancelled"])
    assert len(front_points(table, prediction="mae", fairness="hgr")) == 2
    assert front_points(FOUR, prediction="mae", fairness="gdp").empty
    assert front_points(FOUR.iloc[:0], prediction="mae", fairness="hgr").empty
    twice = pd.concat([FOUR, FOUR])
    assert front_points(twice, prediction="mae", fairness="hgr")["seeds"].tolist() == [2, 1, 1, 1]


def test_lines_join_the_front_and_dominated_points_are_faint():
    points = front_points(FOUR, prediction="mae", fairness="hgr")
    figure = pareto_fronts_figure(points, **COLUMNS, **TITLES)
    frem = traces(figure, "FREM")
    front = next(trace for trace in frem if trace.showlegend)
    faint = next(trace for trace in frem if not trace.showlegend)
    assert list(front.x) == pytest.approx([0.10, 0.32])  # from fair to unfair
    assert list(front.y) == pytest.approx([0.80, 0.88])
    assert front.mode == "lines+markers"
    assert list(front.error_x.array) == pytest.approx([0.0, 0.02])
    assert list(faint.x) == pytest.approx([0.20])
    assert faint.mode == "markers"
    assert faint.opacity < 0.5
    assert {trace.marker.symbol for trace in frem} == {"star"}
    assert front.customdata[1][0] == points["point"].iloc[0]
    assert "better" in figure.layout.yaxis.title.text


def test_the_first_series_leads_the_legend_and_lies_on_top():
    points = front_points(FOUR, prediction="mae", fairness="hgr")
    figure = pareto_fronts_figure(points, **COLUMNS, **TITLES)
    assert figure.data[-1].name == "FREM"
    ranks = {trace.name: trace.legendrank for trace in figure.data}
    assert ranks == {"FREM": 1, "Unfair": 2}


def test_every_method_looks_as_it_declares():
    looks = method_looks(available_methods())
    assert {look.colour for look in looks.values()} == {
        get_method(name).colour for name in available_methods()
    }
    assert len({look.symbol for look in looks.values()}) == len(looks)


def test_the_papers_points_are_hollow_and_named_as_such():
    points = front_points(FOUR, prediction="mae", fairness="hgr")
    paper = paper_points("crime", "mae", "hgr")
    figure = pareto_fronts_figure(points, **COLUMNS, **TITLES, paper=paper)
    hollow = [trace for trace in figure.data if trace.marker.symbol.endswith("-open")]
    assert sum(len(trace.x) for trace in hollow) == 11
    named = [trace.name for trace in hollow if trace.showlegend]
    assert named[0] == "hollow: printed in the paper"  # once, for the methods of the chart
    assert len(named) == len(set(named))
    assert all("paper" in name for name in named)


def test_chance_limits_and_marks():
    points = front_points(FOUR, prediction="mae", fairness="hgr")
    figure = pareto_fronts_figure(
        points,
        **COLUMNS,
        **TITLES,
        noise_floor=0.13,
        at_most=0.25,
        at_least=0.7,
        marked=[points["point"].iloc[1]],
    )
    band, at_most, at_least = figure.layout.shapes
    assert (band.x0, band.x1) == (0, 0.13)
    assert (at_most.x0, at_most.x1) == (0.25, 0.25)
    assert (at_least.y0, at_least.y1) == (0.7, 0.7)
    ring = traces(figure, "best within the limits")[0]
    assert list(ring.x) == pytest.approx([0.10])


def test_series_need_not_be_methods_and_text_stays_text():
    table = pd.DataFrame(
        {
            "kernel": ["a", "b"],
            "accuracy": [0.9, 0.8],
            "hgr": [0.3, np.nan],
            "on_front": True,
            "words": ["<b>x</b>", "$y$"],
        }
    )
    looks = {"a": SeriesLook("<i>RBF</i>", "#007580", "star")}
    figure = pareto_fronts_figure(
        table, prediction="accuracy", fairness="hgr", series="kernel", looks=looks, **TITLES
    )
    assert len(figure.data) == 1  # b has no score
    assert "<" not in figure.data[0].name + figure.data[0].customdata[0][1]


@pytest.mark.parametrize("dark", [False, True])
def test_every_colour_stands_out_from_its_ground(dark):
    ground = DARK_GROUND if dark else LIGHT_GROUND
    for name in available_methods():
        assert contrast(readable(get_method(name).colour, dark=dark), ground) >= 3
    assert readable("#007580", dark=False) == "#007580"


def test_few_points_are_shown_among_scores_that_are_possible():
    def axes_of(rows):
        points = front_points(runs(rows), prediction="mae", fairness="hgr")
        layout = pareto_fronts_figure(points, **COLUMNS, **TITLES).layout
        return layout.xaxis.range, layout.yaxis.range

    alone = ("frem", 0.1, 0, 0.10, 0.6)
    x, y = axes_of([alone])
    assert x == pytest.approx((0, 0.75))
    assert y == pytest.approx((0.88, 0.92))
    x, y = axes_of([alone, ("frem", 1, 0, 0.10, 0.3)])  # as accurate: only x spreads by itself
    assert x is None
    assert y == pytest.approx((0.88, 0.92))
    x, y = axes_of([alone, ("frem", 1, 0, 0.20, 0.59), ("unfair", 0, 0, 0.10, 0.61)])
    assert x == pytest.approx((0, 1.25 * 0.61))
    assert y is None
    assert axes_of([alone, ("frem", 1, 0, 0.20, 0.1)]) == (None, None)
    assert axes_of([("frem", 1, 0, 0.20, 0.0)])[0] == pytest.approx((0, 0.1))
