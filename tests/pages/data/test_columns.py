import numpy as np
import pandas as pd

from frem_core.datasets import load_dataset
from studio.data.columns import guess_columns


def test_the_columns_of_a_small_clinic(clinic: pd.DataFrame) -> None:
    guess = guess_columns(clinic)
    assert guess.target == "recovered"
    assert guess.sensitive == "age"
    assert guess.leave_out == ("patient_id",)


def test_the_columns_of_the_built_in_tables() -> None:
    for name, sensitive in (("adult", "age"), ("crime", "racepctblack")):
        dataset = load_dataset(name)
        first = pd.DataFrame({dataset.sensitive_name: dataset.sensitive})
        last = pd.DataFrame({dataset.target_name: dataset.target})
        frame = pd.concat([first, dataset.features, last], axis=1)
        guess = guess_columns(frame)
        assert guess.target == dataset.target_name
        assert guess.sensitive == sensitive


def test_names_that_say_nothing() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=100), "b": rng.normal(size=100), "c": [0, 1] * 50})
    guess = guess_columns(frame)
    assert guess.target == "c"
    assert guess.sensitive == "a"
    assert guess.leave_out == ()


def test_tables_without_a_candidate_give_no_guess() -> None:
    guess = guess_columns(pd.DataFrame({"text": ["a", "b", "c"] * 10}))
    assert guess.sensitive is None
    assert guess.target is None
    assert guess_columns(pd.DataFrame()).target is None
    constant = pd.DataFrame({"x": [1.0] * 10, "gone": [None] * 10})
    assert guess_columns(constant).target is None


def test_a_letter_within_an_address_names_no_target() -> None:
    """A column called after an address with "y=" in it is not what "y" stands for."""
    frame = pd.DataFrame(
        {
            "Alter": range(20, 60),
            "https://example.org/feature?x=1&y=2": [3, 1, 2, 4] * 10,
            "Kredit bewilligt": ["ja", "nein"] * 20,
        }
    )
    assert guess_columns(frame).target == "Kredit bewilligt"
    assert guess_columns(frame).sensitive == "Alter"
    plain = pd.DataFrame({"y": range(50), "s": range(50, 0, -1), "x": range(50)}, dtype=float)
    assert (guess_columns(plain).target, guess_columns(plain).sensitive) == ("y", "s")
