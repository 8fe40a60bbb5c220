"""Forms of FREM's penalty that have a name: our default, and the paper's."""

from collections.abc import Mapping
from typing import Any, Final

DEFAULT_FORM: Final[Mapping[str, Any]] = {
    "judges": "representation_and_prediction",
    "units": "standardised",
    "form": "square",
    "noise": "removed",
    "prediction_floor": 0.3,
    "sensitive_units": "value",
}
"""The penalty where nothing else is asked for: the one that is hardest to fool."""

PAPERS_FORM: Final[Mapping[str, Any]] = {
    "judges": "representation",
    "units": "as_is",
    "form": "root",
    "noise": "kept",
    "prediction_floor": 0.0,
    "sensitive_units": "value",
}
"""The penalty of the paper, and of all runs that were stored before it could be another."""

PAPERS_FAIRNESS_WEIGHTS: Final[Mapping[str, tuple[float, ...]]] = {
    "crime": (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3),
    "adult": (0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2.0, 3.0),
}
"""Useful λ of the paper's form at a weight decay of 0.01, by built-in dataset."""
