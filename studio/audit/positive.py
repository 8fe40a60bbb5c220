"""Which of two classes counts as 1, in predictions and in true outcomes."""

from typing import Any

import pandas as pd
import streamlit as st

from frem_core.datasets.tables.target_column import two_classes
from frem_core.figures import shown_text

Pair = tuple[str, str]
"""A column and one of its classes; empty for the class that is meant."""


def choice_of_positive(sample: pd.DataFrame) -> dict[str, Any]:
    """What the select box shows; a form cannot wait for its columns, so all classes are offered."""
    pairs: list[Pair] = [("", "")]
    for name, column in sample.items():
        pairs += [(str(name), label) for label in two_classes(column.dropna())]
    # The address names the class alone: prediction or outcome has it.
    roles = [st.query_params.get(role, "") for role in ("prediction", "target")]
    wanted = [(name, st.query_params.get("positive", "")) for name in roles]
    before = next((pair for pair in wanted if pair in pairs), pairs[0])
    return {
        "label": "Positive class",
        "options": pairs,
        "index": pairs.index(before),
        "format_func": _words,
        "help": "Which of two classes counts as 1 in predictions and outcomes. Probabilities are "
        "taken to be those of this class.",
    }


def _words(pair: Pair) -> str:
    name, label = pair
    return shown_text(f"{name}: {label}") if name else "The one that is meant (yes, 1, > …)"
