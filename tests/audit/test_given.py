"""Rows as people have them: what an audit understands, and how it says what it cannot use."""

import datetime

import numpy as np
import pandas as pd
import pytest
import torch

from frem_core.audit import audit
from frem_core.errors import DataError, FremError
from frem_core.figures.audit import audit_curves

FEW = {"n_permutations": 9, "n_resamples": 20}
RANDOM = np.random.default_rng(0)
AGE = RANDOM.integers(18, 90, 120)
P = np.clip(0.2 + AGE / 200 + RANDOM.normal(0, 0.08, 120), 0, 1)
Y = (RANDOM.random(120) < P).astype(int)
ODD = pd.Index(RANDOM.permutation(120) * 7 - 3)


@pytest.fixture(scope="module")
def plain():
    return audit(Y, P, sensitive_features=AGE, **FEW).scores


@pytest.mark.parametrize(
    ("y", "p", "s"),
    [
        (Y.tolist(), P.tolist(), AGE.tolist()),
        (pd.Series(Y, ODD), pd.Series(P, ODD[::-1]), pd.DataFrame({"age": AGE}, ODD)),
        (Y[:, None], P[:, None], AGE[:, None]),
        (Y.astype(bool), torch.tensor(P), torch.tensor(AGE)),
        (np.where(Y, 1, -1), P.astype(object), AGE.astype(str)),
        (Y.astype(float), pd.array(P, "Float64"), pd.Categorical(AGE)),
    ],
    ids=["lists", "index", "columns", "tensors", "signs and text", "nullable and categories"],
)
def test_the_same_rows_in_any_shape_give_the_same_scores(plain, y, p, s):
    pd.testing.assert_frame_equal(audit(y, p, sensitive_features=s, **FEW).scores, plain)


def test_classes_in_words_need_to_know_which_one_is_meant(plain):
    words = np.where(Y, "ja", "nein")
    found = audit(words, P, sensitive_features=AGE, positive_label="ja", **FEW)
    pd.testing.assert_frame_equal(found.scores, plain)
    with pytest.raises(DataError, match="positive_label"):
        audit(words, P, sensitive_features=AGE)


@pytest.mark.parametrize(
    "as_given", [list, pd.Series, lambda days: pd.Series(pd.to_datetime(days))]
)
def test_dates_become_years(as_given):
    born = [datetime.date(1990, 1, 1) + datetime.timedelta(days=100 * int(age)) for age in AGE]
    found = audit(None, P, sensitive_features=as_given(born), **FEW)
    assert found.curve["s"].between(1994, 2016).all()


@pytest.mark.parametrize("value", [0.0, 0.4, 1.0])
def test_constant_predictions_depend_on_nothing(value, tmp_path):
    found = audit(Y, np.full(120, value), sensitive_features=AGE, **FEW)
    scores = found.scores.set_index("score")
    assert scores["value"].drop(["ratio", "calibration"], errors="ignore").abs().max() < 1e-8
    assert (scores["p_value"].drop("calibration") == 1).all()
    assert found.check("range<=0.9").decision == "kept"
    assert found.to_html(tmp_path / "audit.html").exists()


def test_one_class_has_the_error_rate_of_that_class():
    found = audit(np.zeros(120), P, sensitive_features=AGE, **FEW)
    assert set(found.errors) == {"false_positive_rate", "calibration"}
    words = audit(["no"] * 120, P, sensitive_features=AGE, positive_label="yes", **FEW)
    assert set(words.errors) == set(found.errors)


def test_numbers_between_0_and_1_that_predict_numbers_are_no_probabilities():
    found = audit(P + 0.1, P, sensitive_features=AGE, **FEW)
    assert found.kind == "number"
    assert set(found.errors) == {"mean_error", "absolute_error"}


def test_rows_without_weight_are_left_out_everywhere():
    weights = np.arange(120) % 3
    kept, z = weights > 0, np.column_stack([P, AGE / 90])
    parts = {"representation": z, "factors": AGE % 2, "features": pd.DataFrame({"a": AGE}, ODD)}
    all_rows = audit(Y, P, sensitive_features=AGE, sample_weight=weights, **parts, **FEW)
    own = {name: part[kept] for name, part in parts.items()}
    some = audit(
        *(Y[kept], P[kept]),
        sensitive_features=AGE[kept],
        sample_weight=weights[kept],
        **own,
        **FEW,
    )
    pd.testing.assert_frame_equal(all_rows.scores, some.scores)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"sensitive_features": np.ones(120)}, "nothing can depend"),
        ({"y_pred": P[:-1]}, "same number of rows"),
        ({"sensitive_features": pd.DataFrame({"a": AGE, "b": AGE})}, "audit_attributes"),
        ({"sensitive_features": AGE, "sensitive_range": (18, 50)}, "outside sensitive_range"),
        ({"sensitive_features": np.where(AGE > 50, "old", "young")}, "Give each group a number"),
        ({"sensitive_features": pd.Categorical(np.where(AGE > 50, "old", "young"))}, "number"),
        ({"sensitive_features": np.where(AGE > 80, np.nan, AGE)}, "missing"),
        ({"y_pred": np.where(AGE > 80, np.nan, P)}, "missing"),
        ({"y_pred": np.column_stack([1 - P, P])}, r"predict_proba\(X\)\[:, 1\]"),
        ({"y_pred": RANDOM.choice(["a", "b", "c"], 120)}, "holds 3 classes"),
        ({"y_pred": pd.Series(["yes", None] * 60)}, "60 missing values, the first in row 1"),
        ({"y_true": Y + 1}, "give 1 for the class that was predicted"),
        ({"y_true": Y[:-1]}, "same number of rows"),
        ({"sample_weight": -np.ones(120)}, "must not be negative"),
        ({"sample_weight": np.zeros(120)}, "not 0 everywhere"),
        ({"factors": pd.DataFrame({"a": np.where(AGE > 80, np.nan, 1)})}, "missing"),
        ({"factors": pd.DataFrame([[1, 2]] * 120, columns=["a", "a"])}, "same name"),
        ({"representation": np.ones((5, 2))}, "same number of rows"),
    ],
)
def test_what_cannot_be_used_is_explained(changed, words):
    given = {"y_true": None, "y_pred": P, "sensitive_features": AGE} | changed
    with pytest.raises(FremError, match=words):
        audit(given.pop("y_true"), given.pop("y_pred"), **given, **FEW)


def test_too_few_rows_are_too_few():
    with pytest.raises(DataError, match="At least 10 rows"):
        audit(Y[:5], P[:5], sensitive_features=AGE[:5])


def test_sentences_suit_decisions_groups_weights_and_skewed_attributes():
    random = np.random.default_rng(3)
    grade = random.integers(1, 6, 400)
    yes = (random.random(400) < np.where(grade == 5, 0.9, 0.3)).astype(int)
    told = " ".join(audit(None, yes, sensitive_features=grade, **FEW).sentences())
    assert "the share of positive decisions is" in told
    assert "surely off there, where" in told
    assert "which is" not in told  # grades are spread evenly
    income = np.exp(random.normal(10, 1.2, 400))
    result = audit(
        None,
        np.log(income),
        sensitive_features=income,
        sample_weight=random.random(400) + 0.5,
        **FEW,
    )
    told = " ".join(result.sentences())
    assert "of the weight is" in told
    assert "where 90 % of the rows are, would have been found" in told
    assert "Threshold" not in result.method()  # numbers have none
    assert result.method()["Weights"] == "rows count by their weight"
    assert (
        audit_curves(
            [("all", result.curve)], sensitive_name="income", value_title="y"
        ).layout.xaxis.type
        == "log"
    )


def test_constant_predictions_follow_nothing_and_have_no_rounding(recwarn) -> None:
    age = np.random.default_rng(0).integers(18, 85, 400).astype(float)
    result = audit(None, np.full(400, 0.1), sensitive_features=age, n_permutations=19)
    scores = result.scores.set_index("score")
    assert (scores["p_value"] == 1).all()
    amounts = scores.loc[["gap", "range", "gdp", "hgr"], ["value", "low", "high", "chance"]]
    assert (amounts.to_numpy() == 0).all()
    assert (result.curve[["mean", "low", "high"]].to_numpy() == 0.1).all()
    assert "All predictions are the same, 0.1: they follow nothing." in result.sentences()
    assert not recwarn.list


def test_per_cent_beside_classes_have_no_errors_but_a_hint() -> None:
    random = np.random.default_rng(0)
    p, y = random.uniform(0, 100, 300), random.integers(0, 2, 300)
    result = audit(y, p, sensitive_features=random.random(300), n_permutations=19)
    assert not result.errors
    assert any("per cent divided by 100" in note for note in result.notes)
    # A linear model's probabilities leave 0 and 1 a little: those are errors all the same.
    near = audit(y, p / 80 - 0.1, sensitive_features=random.random(300), n_permutations=19)
    assert "mean_error" in near.errors


def test_years_have_no_commas_and_a_small_table_is_a_first_look() -> None:
    random = np.random.default_rng(0)
    born = random.integers(1940, 2000, 60).astype(float)
    result = audit(
        None, born / 2000, sensitive_features=born, sensitive_name="born", n_permutations=19
    )
    told = " ".join(result.sentences())
    assert "At no value of born do 30 of the 60 rows speak" in told
    assert "lie where too few" not in told
    assert ",9" not in told


def test_a_factor_of_many_values_says_who_counts_as_alike() -> None:
    random = np.random.default_rng(0)
    town = pd.Series([f"town {k}" for k in random.integers(0, 500, 600)], name="town")
    result = audit(
        None, random.random(600), sensitive_features=random.random(600), factors=town,
        n_permutations=19,
    )  # fmt: skip
    told = " ".join(result.notes)
    assert "the 11 most frequent are told apart" in told
    assert "with fewer than 20 alike in every factor are compared with each other" in told
    assert "the 11 most frequent are told apart" in result.to_markdown()


def test_groups_are_points_with_intervals_and_nothing_joins_them() -> None:
    random = np.random.default_rng(0)
    result = audit(
        None, random.random(200), sensitive_features=random.integers(1, 4, 200), n_permutations=19
    )
    figure = audit_curves([("all", result.curve)], sensitive_name="grade", value_title="y")
    assert [trace.mode for trace in figure.data] == ["markers"]
    assert figure.data[0].error_y.array == pytest.approx(
        (result.curve["high"] - result.curve["mean"]).to_numpy()
    )
    assert list(figure.layout.xaxis.tickvals) == [1, 2, 3]
