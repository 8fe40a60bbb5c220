import pytest

from frem_core.evaluation import available_scores
from frem_core.methods import available_methods
from frem_core.paper import paper_mutual_information_stability, paper_points, paper_scores

PAPERS = {"adv", "frem", "laftr", "mmd", "reg_gdp", "reg_hgr", "sipm_lfr", "unfair"}


def test_every_method_and_score_is_known_here():
    scores = paper_scores()
    assert set(scores["method"]) == PAPERS <= set(available_methods())
    assert set(scores["score"]) <= set(available_scores())
    assert set(scores["table"]) == {"tab:other"}
    assert scores.groupby(["dataset", "score"]).size().eq(11).all()


@pytest.mark.parametrize(
    ("dataset", "prediction", "fairness", "method", "cut", "printed"),
    [
        ("adult", "accuracy", "hgr", "frem", "", (0.827, 0.172)),
        ("adult", "accuracy", "mutual_information", "laftr", "mean", (0.822, 0.281)),
        ("crime", "mae", "hgr", "mmd", "median", (0.846, 0.143)),
        ("crime", "mae", "mutual_information", "adv", "", (0.851, 0.226)),
        ("crime", "mae", "hgr", "unfair", "", (0.904, 0.569)),
    ],
)
def test_points_are_as_printed(dataset, prediction, fairness, method, cut, printed):
    points = paper_points(dataset, prediction, fairness)
    row = points[(points["method"] == method) & (points["cut"] == cut)]
    assert (row["prediction"].item(), row["fairness"].item()) == printed


def test_frem_is_the_fairest_everywhere():
    for dataset, prediction in (("adult", "accuracy"), ("crime", "mae")):
        for fairness in ("hgr", "mutual_information"):
            points = paper_points(dataset, prediction, fairness)
            assert points.loc[points["fairness"].idxmin(), "method"] == "frem"


@pytest.mark.parametrize(
    "asked", [("crime", "mae", "gdp"), ("crime", "mse", "hgr"), ("mine", "mae", "hgr")]
)
def test_what_is_not_printed_is_empty(asked):
    assert paper_points(*asked).empty


def test_printed_variation_is_deviation_over_mean():
    table = paper_mutual_information_stability()
    assert (table["sd"] / table["mean"] - table["cv"]).abs().max() < 0.001


def test_callers_cannot_change_the_tables():
    mine = paper_scores()
    mine.loc[0, "value"] = -1.0
    assert paper_scores()["value"].min() > 0
