from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from frem_core.datasets import read_table
from frem_core.datasets.tables.read_table import are_per_cent
from frem_core.datasets.tables.target_column import read_judged
from frem_core.errors import DataError

WORDS = pd.Series(["hylätty", "hyväksytty"] * 6 + ["hylätty"] * 8, name="päätös")
ZEROS = pd.Series([0, 1] * 10, name="y")


def test_the_class_is_sought_in_both_columns() -> None:
    """Words of predictions are none of the outcomes, which are 0 and 1: that is no mistake."""
    judged = read_judged(WORDS, ZEROS, positive_class="hylätty")
    assert judged.predictions.tolist() == (WORDS == "hylätty").astype(float).tolist()
    assert judged.outcomes is not None
    assert judged.outcomes.tolist() == ZEROS.tolist()
    assert judged.notes == ("Class 1 is päätös = hylätty, class 0 is päätös = hyväksytty.",)


def test_decisions_as_numbers_follow_the_class_of_outcomes() -> None:
    judged = read_judged(ZEROS.rename("p"), ZEROS, positive_class="0")
    assert judged.outcomes is not None
    assert judged.predictions.tolist() == judged.outcomes.tolist() == (1 - ZEROS).tolist()


def test_probabilities_stay_what_they_are() -> None:
    p = pd.Series(np.linspace(0, 1, 20), name="p")
    judged = read_judged(p, ZEROS, positive_class="0")
    assert judged.predictions.tolist() == p.tolist()
    assert read_judged(p, positive_class="left").predictions.tolist() == p.tolist()


def test_a_class_that_neither_has_is_named() -> None:
    with pytest.raises(
        DataError, match=r"'hyvaksytty' is no class of 'päätös' and 'y'.*hylätty, hyväksytty, 0, 1"
    ):
        read_judged(WORDS, ZEROS, positive_class="hyvaksytty")


def test_per_cent_become_shares_and_other_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "scored.csv"
    file.write_text("p;q;note\n" + "12,5 %;3,5;a b\n80 %;7;c\n1 %;8;d\n")
    frame = read_table(file)
    assert are_per_cent(frame, "p")
    assert not are_per_cent(frame, "q")
    judged = read_judged(frame["p"], are_per_cent=True)
    assert judged.predictions.tolist() == [0.125, 0.8, 0.01]
    assert judged.notes == ("Per cent of 'p' became shares.",)
    with pytest.raises(DataError, match=r"predictions in 'note' are text with 3 different values"):
        read_judged(frame["note"])
