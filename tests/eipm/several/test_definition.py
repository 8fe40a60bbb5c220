"""Several attributes against their definition."""

import numpy as np
import pandas as pd
import pytest
import torch

from frem_core.eipm import UncoveredWarning, eipm, eipm_attributes, eipm_binned
from frem_core.errors import ConfigError, DataError
from tests.eipm.several.definition import by_definition, people

KERNELS = ["rbf", "triangular", "epanechnikov"]


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


def test_linear_features_come_close() -> None:
    rng = np.random.default_rng(1)
    S = rng.random((500, 2))
    z = rng.normal(size=(500, 3)) + np.sin(6 * S[:, :1]) * np.cos(6 * S[:, 1:])
    exact = eipm(z, S, gamma=0.1)
    assert eipm(z, S, gamma=0.1, method="linear") == pytest.approx(exact, rel=0.03)


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
