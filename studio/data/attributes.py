"""Several sensitive attributes: how they hang together, and where there is nobody."""

from itertools import combinations

import pandas as pd
import streamlit as st

from frem_core.attributes import Attributes
from frem_core.crossing import FEW_ROWS, association, crossing, named_places
from frem_core.datasets import Dataset
from frem_core.figures import plain_text, shown_text
from frem_core.figures.several import crossing_map
from frem_core.words import counted, listed, per_cent
from studio.chart import chart
from studio.guard import guard
from studio.words import target_title

_MOST_EMPTY_NAMED = 5


@st.fragment
@guard()
def show_attributes(dataset: Dataset) -> None:
    """Draws who is in each combination of two attributes; nothing where there is only one."""
    attributes = dataset.attributes
    if attributes is None:
        return
    names = [plain_text(name) for name in attributes.names]
    st.header(f"How {listed(names)} hang together", anchor=False)
    st.markdown(_coverage_words(attributes))
    first, second = _choose_pair(attributes)
    table = crossing(attributes, first, second, dataset.outcome)
    outcome = target_title(dataset)
    if dataset.class_names is not None:
        outcome = f"share with {outcome} {dataset.class_names[1]}"
    one, other = attributes.names[first], attributes.names[second]
    strength = association(attributes, first, second)
    chart(
        crossing_map(table, first=one, second=other, outcome_title=outcome, few=FEW_ROWS),
        table.rename(columns={"first": one, "second": other, "mean": outcome}),
        key=f"crossing-{first}-{second}",
        alt=f"Mean outcome in {counted(len(table), 'combination')} of {shown_text(one)} and "
        f"{shown_text(other)}; {int((table['rows'] < FEW_ROWS).sum())} of them have fewer than "
        f"{FEW_ROWS} rows.",
        file_name="combinations-of-attributes",
    )
    st.caption(
        f"{plain_text(one)} and {plain_text(other)} tell {per_cent(strength)} about each other "
        f"({_strength_words(attributes, first, second)}; 0 % = nothing, 100 % = all). A "
        f"combination with fewer than {FEW_ROWS} rows has no colour, only their number: too few to "
        "say anything."
    )


def _choose_pair(attributes: Attributes) -> tuple[int, int]:
    pairs = list(combinations(range(len(attributes.names)), 2))
    # Categories down the side, numbers along the bottom.
    ordered = [(b, a) if attributes.levels[a] is None else (a, b) for a, b in pairs]
    if len(ordered) == 1:
        return ordered[0]
    return st.selectbox(
        "Combination",
        ordered,
        format_func=lambda pair: " × ".join(shown_text(attributes.names[one]) for one in pair),
        key="crossing-pair",
    )


def _coverage_words(attributes: Attributes) -> str:
    """How many people are in combinations that can be judged, and which are missing."""
    words, places = named_places(attributes)
    counts = pd.Series(places).value_counts().reindex(range(len(words)), fill_value=0)
    judged = int(counts[counts >= FEW_ROWS].sum())
    few = [word for word, count in zip(words, counts, strict=True) if count < FEW_ROWS]
    text = (
        f"The attributes are judged one by one and together. Cut into {len(words)} combinations "
        f"(numbers by thirds), **{per_cent(judged / len(attributes))}** of the rows lie in one "
        f"with at least {FEW_ROWS}."
    )
    if few:
        named = "; ".join(plain_text(word) for word in few[:_MOST_EMPTY_NAMED])
        more = len(few) - _MOST_EMPTY_NAMED
        text += f" Hardly anybody: {named}" + (f"; and {more} more." if more > 0 else ".")
    return text


def _strength_words(attributes: Attributes, first: int, second: int) -> str:
    numbers = sum(place in attributes.numbers for place in (first, second))
    return ("Cramér's V", "correlation ratio of ranks", "rank correlation")[numbers]
