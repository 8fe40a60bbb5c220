import numpy as np
import pandas as pd
import pytest

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
    with pytest.raises(DataError, match=r"'hyvaksytty' is no class of 'päätös' and 'y'.*0 and 1"):
        read_judged(WORDS, ZEROS, positive_class="hyvaksytty")
