"""Several attributes against their definition, and the forms of the weights against each other."""

import numpy as np
import pandas as pd
import pytest
import torch

from frem_core.attributes import read_attributes
from frem_core.eipm import (
    UncoveredWarning,
    eipm,
    eipm_attributes,
    eipm_binned,
    eipm_places,
    eipm_profile,
    eipm_test,
)
from frem_core.eipm.several import plan as joint_plan
from frem_core.eipm.several.kernel import JointKernel
from frem_core.eipm.weights import AnchorWeights, GroupedWeights, ProductWeights
from frem_core.errors import ConfigError, DataError
from frem_core.kernels import get_kernel
from tests.eipm.reference import REPRESENTATION, SENSITIVE, distances

KERNELS = ["rbf", "triangular", "epanechnikov"]


def joint_weights(S: pd.DataFrame, gammas: dict, kernel: str, n_min: float):
    """A (n, n) by the definition, row by row, and which anchors have n_min effective rows."""
    n = len(S)
    a, kept = np.zeros((n, n)), np.zeros(n, dtype=bool)
    for i in range(n):
        k = np.ones(n)
        for name in S:
            column = S[name].to_numpy()
            if name in gammas:
                k = k * SENSITIVE[kernel]((column - column[i]) / gammas[name])
            else:
                k = k * (column == column[i])
        k[i] = 0.0
        if k.sum() > 0:
            w = k / k.sum()
            kept[i] = 1 / (w**2).sum() >= n_min
            a[i] = np.where(np.arange(n) == i, 0.0, w - 1 / (n - 1))
    return a, kept


def by_definition(z, S, gammas, *, kernel="rbf", on_z="rbf", n_min=0.0, noise=True, root=True):
    a, kept = joint_weights(S, gammas, kernel, n_min)
    n = len(S)
    kappa = REPRESENTATION[on_z](distances(z))
    q = np.einsum("ij,jk,ik->i", a, kappa, a)[kept]
    if noise and root:
        return float(np.sqrt(np.maximum(q, 0)).mean())
    apart = kappa[0, 0] - (kappa.sum() - n * kappa[0, 0]) / (n * (n - 1))
    free = q.mean() - (0.0 if noise else (a[kept] ** 2).sum(1).mean() * apart)
    return float(np.sign(free) * np.sqrt(abs(free))) if root else float(free)


def people(n: int, seed: int = 0) -> tuple[np.ndarray, pd.DataFrame]:
    rng = np.random.default_rng(seed)
    S = pd.DataFrame(
        {
            "age": rng.integers(18, 60, n).astype(float),
            "income": rng.gamma(2.0, 10.0, n),
            "sex": np.where(rng.random(n) < 0.4, "Female", "Male"),
        }
    )
    z = rng.normal(size=(n, 3))
    z[:, 0] += (S["age"].to_numpy() - 40) / 20
    z[:, 1] += S["income"].to_numpy() / 20 * np.where(S["sex"] == "Male", 1, -1)
    return z, S


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("columns", [["age", "sex"], ["age", "income"], ["age", "income", "sex"]])
def test_it_is_its_definition(kernel: str, columns: list[str]) -> None:
    z, S = people(90)
    gammas = {name: width for name, width in [("age", 9.0), ("income", 12.0)] if name in columns}
    found = eipm(
        z, S[columns], gamma=list(gammas.values()), sensitive_kernel=kernel, n_min=4, method="exact"
    )
    expected = by_definition(z, S[columns], gammas, kernel=kernel, n_min=4)
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("form", "noise"), [("root", "removed"), ("square", "removed"), ("square", "kept")]
)
def test_other_forms_are_their_definitions(form: str, noise: str) -> None:
    z, S = people(80)
    both = S[["age", "sex"]]
    found = eipm(z, both, gamma=5.0, n_min=3, form=form, noise=noise)
    expected = by_definition(
        z, both, {"age": 5.0}, n_min=3, noise=noise == "kept", root=form == "root"
    )
    assert found == pytest.approx(expected, rel=1e-9)


def test_rows_at_the_gate_count_only_with_enough_neighbours() -> None:
    z, S = people(120)
    both = S[["age", "income"]]
    gammas = {"age": 2.0, "income": 3.0}
    values = {n_min: eipm(z, both, gamma=[2.0, 3.0], n_min=n_min) for n_min in (2, 4, 6)}
    for n_min, value in values.items():
        assert value == pytest.approx(by_definition(z, both, gammas, n_min=n_min), rel=1e-9)
    assert len(set(values.values())) == 3
    with pytest.warns(UncoveredWarning, match="age and income"):
        assert np.isnan(eipm(z, both, gamma=0.01))


def test_columns_may_come_in_any_shape() -> None:
    z, S = people(60)
    numbers = S[["age", "income"]]
    expected = eipm(z, numbers, gamma=[4.0, 6.0], n_min=2)
    assert eipm(z, numbers.to_numpy(), gamma=[4.0, 6.0], n_min=2) == expected
    columns = [numbers["age"].to_numpy(), numbers["income"].tolist()]
    assert eipm(z, columns, gamma=(4.0, 6.0), n_min=2) == expected
    assert eipm(z, numbers.to_numpy().tolist(), gamma=(4.0, 6.0), n_min=2) == expected
    tensor = torch.from_numpy(numbers.to_numpy(copy=True))
    value = eipm(torch.from_numpy(z), tensor, gamma=[4.0, 6.0], n_min=2)
    assert value.item() == pytest.approx(expected, rel=1e-12)
    coded = S[["age", "sex"]].assign(sex=S["sex"].astype("category"))
    booleans = S[["age"]].assign(sex=S["sex"] == "Male")
    texts = eipm(z, S[["age", "sex"]], gamma=4.0)
    assert eipm(z, coded, gamma=4.0) == texts
    assert eipm(z, booleans, gamma=4.0) == pytest.approx(texts, rel=1e-12)
    per_attribute = eipm(z, S, gamma=[4.0, 6.0, 1.0], n_min=2)  # the category's is not looked at
    assert per_attribute == eipm(z, S, gamma=[4.0, 6.0], n_min=2)


def test_one_number_is_what_it_always_was() -> None:
    i = np.arange(200)
    z, s = np.column_stack([np.sin(i), np.cos(2 * i)]), (np.sin(i) + 1) / 2
    alone = eipm(z, s, gamma=0.1)
    assert round(alone, 6) == 0.603983
    for shape in (s[:, None], pd.DataFrame({"s": s}), pd.Series(s), s.tolist(), [s]):
        assert eipm(z, shape, gamma=0.1) == alone


def test_one_category_is_the_papers_estimator() -> None:
    z, S = people(100)
    thirds = pd.qcut(S["income"], 3, labels=["low", "middle", "high"])
    expected = eipm_binned(z, S["income"], bins=3)
    for given in (thirds, thirds.astype("str").to_numpy(), pd.DataFrame({"income": thirds})):
        assert eipm(z, given) == pytest.approx(expected, rel=1e-12)
    # Several categories are the category of their combinations.
    both = pd.DataFrame({"income": thirds, "sex": S["sex"]})
    together = thirds.astype("str") + S["sex"]
    assert eipm(z, both, n_min=1) == pytest.approx(eipm(z, together), rel=1e-12)


def test_equal_opportunity_looks_at_the_positive_rows() -> None:
    z, S = people(120)
    y = np.arange(120) % 3 == 0
    both = S[["age", "sex"]]
    found = eipm(z, both, gamma=6.0, labels=y, n_min=2)
    assert found == pytest.approx(eipm(z[y], both[y], gamma=6.0, n_min=2), rel=1e-12)


@pytest.mark.parametrize("form", ["root", "square"])
@pytest.mark.parametrize("noise", ["kept", "removed"])
@pytest.mark.parametrize("columns", [["age", "sex"], ["age", "income"], ["sex"]])
def test_the_gradient_is_that_of_finite_differences(columns, form, noise) -> None:
    z, S = people(40)
    rows = torch.from_numpy(z).requires_grad_()
    call = {"gamma": 8.0, "n_min": 2, "form": form, "noise": noise}
    eipm(rows, S[columns], **call).backward()
    step = 1e-6
    for place in [(0, 0), (7, 1), (20, 2)]:
        moved = [z.copy(), z.copy()]
        moved[0][place] += step
        moved[1][place] -= step
        up, down = (eipm(one, S[columns], **call) for one in moved)
        assert float(rows.grad[place]) == pytest.approx(
            (up - down) / (2 * step), rel=1e-4, abs=1e-8
        )


def forms_of_weights(n: int, gamma: float):
    """EIPM and gradient of one sample by groups, by a factor of the kernel, and by a sample."""
    z, S = people(n)
    scaled = S[["age", "income"]] / [60.0, 100.0]
    rows = torch.from_numpy(z)

    def both(form: str, noise: str):
        given = rows.clone().requires_grad_()
        value = eipm(given, scaled, gamma=gamma, form=form, noise=noise)
        value.backward()
        return value.item(), given.grad

    return both


@pytest.mark.parametrize(("form", "noise"), [("root", "kept"), ("square", "removed")])
def test_a_factor_of_the_kernel_gives_what_groups_give(monkeypatch, form: str, noise: str) -> None:
    both = forms_of_weights(300, 0.05)
    monkeypatch.setattr(joint_plan, "_FEWEST_TUPLES", 1000)
    seen = [both(form, noise)]
    monkeypatch.setattr(joint_plan, "_FEWEST_TUPLES", 0)
    monkeypatch.setattr(joint_plan, "_FEW_TUPLES", 0)
    seen.append(both(form, noise))
    assert seen[1][0] == pytest.approx(seen[0][0], rel=1e-7)
    torch.testing.assert_close(seen[1][1], seen[0][1], rtol=1e-5, atol=1e-10)


def test_a_sample_of_all_anchors_is_exact(monkeypatch) -> None:
    both = forms_of_weights(200, 0.05)
    exact = both("root", "kept")
    for limit in ("_FEWEST_TUPLES", "_FEW_TUPLES", "_MOST_TUPLES"):
        monkeypatch.setattr(joint_plan, limit, 0)
    monkeypatch.setattr(joint_plan, "kernel_factor", lambda *_: None)
    sampled = both("root", "kept")
    assert sampled[0] == pytest.approx(exact[0], rel=1e-10)
    torch.testing.assert_close(sampled[1], exact[1])
    monkeypatch.setattr(joint_plan, "_SAMPLE", 100)
    assert both("root", "kept")[0] == pytest.approx(exact[0], rel=0.1)


def test_the_form_is_chosen_by_the_tuples(monkeypatch) -> None:
    monkeypatch.setattr(joint_plan, "_FEWEST_TUPLES", 100)
    monkeypatch.setattr(joint_plan, "_FEW_TUPLES", 100)
    monkeypatch.setattr(joint_plan, "_MOST_TUPLES", 400)
    monkeypatch.setattr(joint_plan, "MOST_COLUMNS", 250)
    rng = np.random.default_rng(0)

    def form(S: np.ndarray, kernel: str = "rbf") -> type:
        attributes = read_attributes(S, len(S))
        joint = JointKernel.of(attributes, get_kernel(kernel), 0.3)
        plan = joint_plan.plan_joint(
            torch.from_numpy(attributes.values), joint, n_min=5, dtype=torch.float32
        )
        return type(plan.weights)

    plane = rng.random((300, 2))
    assert form(plane) is ProductWeights
    assert form((plane * 5).round() / 5) is GroupedWeights
    assert form(rng.random((300, 4))) is GroupedWeights  # no short factor, yet few enough
    assert form(plane, "triangular") is GroupedWeights
    assert form(rng.random((90, 4))) is GroupedWeights
    monkeypatch.setattr(joint_plan, "_FEW_TUPLES", 400)
    assert form(rng.random((300, 4))) is AnchorWeights  # all of them
    assert form(rng.random((500, 4))) is AnchorWeights


def test_linear_features_come_close() -> None:
    rng = np.random.default_rng(1)
    S = rng.random((500, 2))
    z = rng.normal(size=(500, 3)) + np.sin(6 * S[:, :1]) * np.cos(6 * S[:, 1:])
    exact = eipm(z, S, gamma=0.1)
    assert eipm(z, S, gamma=0.1, method="linear") == pytest.approx(exact, rel=0.03)


def crossing(n: int, seed: int) -> tuple[np.ndarray, pd.DataFrame]:
    """Young women and old men on one side, the others on the other: no attribute alone tells."""
    rng = np.random.default_rng(seed)
    S = pd.DataFrame({"age": rng.random(n), "sex": rng.choice(["Female", "Male"], n)})
    side = np.where(S["sex"] == "Female", 1, -1) * np.where(S["age"] < 0.5, 1, -1)
    return rng.normal(size=(n, 2)) + 0.7 * side[:, None], S


def test_what_only_the_crossing_shows_is_found_by_the_joint_alone() -> None:
    z, S = crossing(900, 3)
    table = eipm_attributes(z, S, gamma=0.05, permutations=20).set_index("attribute")
    assert table.index.tolist() == ["age", "sex", "joint", "excess"]
    assert table.columns.tolist() == ["eipm", "chance", "share_covered"]
    for alone in ("age", "sex"):
        assert table.loc[alone, "eipm"] < 1.6 * table.loc[alone, "chance"]
    for found in ("joint", "excess"):
        assert table.loc[found, "eipm"] > 2.5 * table.loc[found, "chance"]
    assert eipm_test(z, S, gamma=0.05, permutations=39).p_value == 1 / 40
    assert eipm_test(z, S["age"], gamma=0.05, permutations=39).p_value > 0.05


def test_the_excess_is_the_interaction_and_not_the_sum_of_effects() -> None:
    rng = np.random.default_rng(5)
    n = 900
    S = pd.DataFrame({"age": rng.random(n), "sex": rng.choice(["Female", "Male"], n)})
    up, woman = np.where(S["age"] < 0.5, 1, -1), np.where(S["sex"] == "Female", 1, -1)
    noise = rng.normal(size=n)
    added = eipm_attributes(noise + 0.4 * up + 0.4 * woman, S, gamma=0.05).set_index("attribute")
    crossed = eipm_attributes(noise + 0.6 * up * woman, S, gamma=0.05).set_index("attribute")
    assert added.loc["joint", "eipm"] > added.loc[["age", "sex"], "eipm"].max()
    assert added.loc["excess", "eipm"] < 0.35 * added.loc["joint", "eipm"]
    assert crossed.loc["excess", "eipm"] > 0.9 * crossed.loc["joint", "eipm"]


def test_bandwidths_come_from_the_data_by_default() -> None:
    z, S = crossing(600, 1)
    years = S.assign(age=18 + 60 * S["age"])
    pence = S.assign(age=1e5 * S["age"])
    first, second = (eipm_attributes(z, one, permutations=5) for one in (years, pence))
    np.testing.assert_allclose(first["eipm"], second["eipm"], rtol=1e-6)
    one = eipm_attributes(z, years[["age"]], permutations=5)
    assert one["attribute"].tolist() == ["age"]
    assert eipm(z, years) == eipm(z, [years["age"], years["sex"]]) == first["eipm"].iloc[2]
    assert float(eipm(torch.from_numpy(z), years)) == pytest.approx(first["eipm"].iloc[2])
    tested = eipm_test(z, years, permutations=5).statistic
    assert tested == pytest.approx(first["eipm"].iloc[2], rel=1e-12)


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


def test_bad_input_is_explained() -> None:
    z, S = people(50)
    with pytest.raises(DataError, match="'sex' has missing values"):
        eipm(z, S[["age", "sex"]].assign(sex=[None, *S["sex"][1:]]), gamma=1.0)
    with pytest.raises(DataError, match="a, a have the same name"):
        eipm(z, [S["age"].rename("a"), S["sex"].rename("a")], gamma=1.0)
    with pytest.raises(DataError, match="'s1' holds numbers written as text"):
        eipm(z, np.column_stack([S["age"], S["sex"].to_numpy(str)]), gamma=1.0)
    with pytest.raises(DataError, match="called 'joint'"):
        eipm_attributes(z, S.rename(columns={"age": "joint"}))
    with pytest.raises(DataError, match="'age' has 49 values but z has 50"):
        eipm(z, S[1:], gamma=1.0)
    with pytest.raises(ConfigError, match="3 bandwidths"):
        eipm(z, S[["age", "sex"]], gamma=[1.0, 2.0, 3.0])
    with pytest.raises(ConfigError, match="gamma"):
        eipm(z, S[["age", "sex"]], gamma="wide")
    with pytest.raises(ConfigError, match="gamma"):
        eipm(z, S["age"])


def test_columns_of_any_kind_are_what_they_hold() -> None:
    z, S = people(80)
    ages = S["age"].round()
    known = eipm(z, S[["age", "sex"]].assign(age=ages), gamma=5.0)
    mixed = np.empty((80, 2), dtype=object)  # as numpy holds a table with text
    mixed[:, 0], mixed[:, 1] = ages.astype(int), S["sex"]
    assert eipm(z, mixed, gamma=5.0) == pytest.approx(known, rel=1e-12)
    assert eipm(z, S[["sex"]].assign(age=ages.astype("Int64")), gamma=5.0) == pytest.approx(known)
    born = pd.Timestamp("2000-01-01") - pd.to_timedelta(ages * 365.2425, unit="D")
    dated = pd.DataFrame({"born": born, "sex": S["sex"]})
    assert eipm(z, dated, gamma=5.0) == pytest.approx(known, rel=0.01)  # in years


def test_where_nobody_has_neighbours_nothing_is_claimed() -> None:
    rng = np.random.default_rng(0)
    z, S = rng.normal(size=(200, 2)), rng.random((200, 4))
    with pytest.warns(UncoveredWarning):
        table = eipm_attributes(z, S, gamma=0.02, permutations=3).set_index("attribute")
    assert table.loc[["joint", "excess"], ["eipm", "chance"]].isna().all(axis=None)
    assert table.loc["joint", "share_covered"] == 0
    assert table["eipm"].iloc[:4].notna().all()
    with pytest.warns(UncoveredWarning):
        result = eipm_test(z, S, gamma=0.02, permutations=3)
    assert np.isnan([result.statistic, result.floor, result.p_value]).all()
    assert result.dropped == 200


def test_drawn_anchors_are_not_counted_as_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("_FEWEST_TUPLES", "_FEW_TUPLES", "_MOST_TUPLES"):
        monkeypatch.setattr(joint_plan, limit, 100)
    monkeypatch.setattr(joint_plan, "_SAMPLE", 50)
    rng = np.random.default_rng(0)
    z, S = rng.normal(size=300), rng.random((300, 3))
    settings = {"sensitive_kernel": "triangular", "permutations": 1}
    assert eipm_test(z, S, gamma=1.5, **settings).dropped == 0
    assert 0 < eipm_test(z, S, gamma=0.35, **settings).dropped < 50
