import numpy as np
import pandas as pd
import pytest

from frem_core.audit import rank_dependence

N = 20_000


@pytest.fixture(scope="module")
def ranking() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    s = rng.normal(size=N)
    age_group = np.digitize(s, [-1.0, 0.0, 1.0])
    features = pd.DataFrame(
        {
            "noise": rng.normal(size=N),
            "noise levels": rng.choice([f"town {i}" for i in range(40)], size=N),
            "same": -3.0 * s,
            "bent": s**2 + 0.05 * rng.normal(size=N),
            "normal pair": 0.6 * s + 0.8 * rng.normal(size=N),
            "group": np.array(["young", "adult", "middle", "old"])[age_group],
            "flag": s > 0,
            "constant": 1.0,
        }
    )
    features.loc[s > 1.5, "gaps"] = 1.0
    return rank_dependence(features, s).set_index("feature")


def test_unrelated_columns_are_near_zero_whatever_their_number_of_levels(
    ranking: pd.DataFrame,
) -> None:
    assert ranking.loc[["noise", "noise levels", "constant"], "strength"].max() < 0.02


def test_columns_that_follow_from_s_are_near_one(ranking: pd.DataFrame) -> None:
    assert ranking.loc["same", "strength"] == pytest.approx(1.0, abs=1e-6)
    assert ranking.loc["group", "strength"] > 0.9
    assert ranking.loc["bent", "strength"] > 0.9
    assert abs(ranking.loc["bent", "rank_correlation"]) < 0.05


def test_a_normal_pair_has_its_correlation(ranking: pd.DataFrame) -> None:
    assert ranking.loc["normal pair", "maximal_correlation"] == pytest.approx(0.6, abs=0.02)


def test_missing_values_count_as_information(ranking: pd.DataFrame) -> None:
    assert ranking.loc["gaps", "strength"] > 0.8


def test_directions(ranking: pd.DataFrame) -> None:
    expected = {
        "same": "falls",
        "bent": "bends",
        "normal pair": "rises",
        "group": "category",
        "flag": "rises",
        "constant": "none",
    }
    assert ranking.loc[list(expected), "direction"].to_dict() == expected


def test_strongest_first_and_repeatable() -> None:
    rng = np.random.default_rng(1)
    s = rng.uniform(size=3_000)
    features = pd.DataFrame({"weak": s + rng.normal(size=3_000), "strong": s, "none": 1.0})
    first = rank_dependence(features, s, rows_used=500)
    assert first["feature"].tolist() == ["strong", "weak", "none"]
    assert first.attrs["rows_used"] == 500
    pd.testing.assert_frame_equal(first, rank_dependence(features, s, rows_used=500))


def test_monotone_transformations_change_nothing() -> None:
    rng = np.random.default_rng(2)
    s = rng.uniform(size=2_000)
    x = s + 0.3 * rng.normal(size=2_000)
    features = pd.DataFrame({"x": x, "exp x": np.exp(5 * x)})
    ranking = rank_dependence(features, 100 * s**3).set_index("feature")
    plain = rank_dependence(features, s).set_index("feature")
    assert ranking.loc["exp x", "strength"] == ranking.loc["x", "strength"]
    assert plain.loc["x", "strength"] == ranking.loc["x", "strength"]


def test_small_tables_and_no_features() -> None:
    s = np.arange(50.0)
    assert rank_dependence(pd.DataFrame(index=range(50)), s).empty
    text = pd.DataFrame({"id": [f"person {i}" for i in range(50)]})
    assert rank_dependence(text, s)["strength"].tolist() == [0.0]
