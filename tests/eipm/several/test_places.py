"""Where along several attributes representations differ."""

import numpy as np
import pandas as pd
import pytest

from frem_core.eipm import eipm_places, eipm_profile
from frem_core.errors import DataError
from tests.eipm.reference import REPRESENTATION, SENSITIVE, distances
from tests.eipm.several.definition import people


def test_the_worst_place_is_named() -> None:
    rng = np.random.default_rng(2)
    n = 1200
    S = pd.DataFrame({"age": rng.uniform(18, 80, n), "sex": rng.choice(["woman", "man"], n)})
    z = rng.normal(size=n) + 1.5 * ((S["sex"] == "woman") & (S["age"] < 38))
    places = eipm_places(z, S)
    assert places["place"].iloc[0].startswith("woman, age under ")
    of_two = places["place"].str.contains(",")
    assert places.loc[of_two, "rows"].sum() == n  # every combination
    assert places.loc[~of_two, "rows"].sum() == 2 * n  # and every attribute by itself
    assert eipm_places(z, S, n_min=10_000).empty


def test_the_worst_place_names_no_more_attributes_than_are_sure() -> None:
    rng = np.random.default_rng(3)
    n = 400
    S = pd.DataFrame(
        {
            "age": rng.uniform(18, 80, n),
            "sex": rng.choice(["woman", "man"], n),
            "income": rng.lognormal(10, 1, n),
            "town": rng.choice([f"town {i}" for i in range(60)], n),  # a handful of people each
            "planet": "Earth",
            "year": 2020,
        }
    )
    z = rng.normal(size=n) + 3 * ((S["sex"] == "woman") & (S["age"] < 38))
    worst = eipm_places(z, S)["place"]
    assert worst.iloc[0].startswith("woman, age under ")
    assert "income" not in worst.iloc[0]
    assert not worst.str.contains("town|Earth|any year").any()


def test_the_map_is_the_profile_within_each_category() -> None:
    z, S = people(200)
    both = S[["age", "sex"]]
    found = eipm_profile(z, both, gamma=5.0)
    assert set(found.columns) == {"age", "sex", "ipm", "effective_n"}
    at = pd.DataFrame({"age": [30.0, 50.0], "sex": ["Female", "Male"]})
    two = eipm_profile(z, both, gamma=5.0, at=at)
    kappa = REPRESENTATION["rbf"](distances(z))
    for (age, sex), row in zip(at.to_numpy(), two.itertuples(), strict=True):
        w = SENSITIVE["rbf"]((S["age"].to_numpy() - age) / 5.0) * (S["sex"] == sex).to_numpy()
        w = w / w.sum()
        contrast = w - 1 / len(w)
        assert row.ipm == pytest.approx(np.sqrt(contrast @ kappa @ contrast), rel=1e-9)
        assert row.effective_n == pytest.approx(1 / (w**2).sum(), rel=1e-9)
    with pytest.raises(DataError, match="no category 'child'"):
        eipm_profile(z, both, gamma=5.0, at=pd.DataFrame({"age": [30.0], "sex": ["child"]}))
