"""Where a viewer is on the way from a table to something to take along, and what comes next."""

import tomllib
from dataclasses import dataclass
from html import escape
from typing import Final

import streamlit as st

from frem_core.datasets import DatasetSpec
from frem_core.datasets.tables.table_to_dataset import MIN_ROWS
from frem_core.errors import FremError
from frem_core.figures import shown_text
from frem_core.words import counted
from studio.choice import Choice, remembered_choice
from studio.store import sweeps_table, the_store
from studio.tables import find_table, is_kept

_PAGES: Final = ("Data", "Train", "Trade-offs", "Compare", "Predict")
_NAMES: Final = {"Predict": "Take along"}


@dataclass(frozen=True)
class Step:
    """One step of the way.

    Attributes:
        page: the page it happens on.
        words: what was done, what is to be done, or why it cannot be done yet.
        state: ``"done"``, ``"open"`` or ``"closed"`` (grey).
    """

    page: str
    words: str
    state: str


def show_way(page: str) -> None:
    """Draws the way in the menu's column, with the step that belongs to this page."""
    try:
        choice = remembered_choice()
        steps = steps_of(choice, *_counts(choice), has_rows=_has_rows(choice))
    except FremError:  # the page itself says what is wrong with the store
        return
    upcoming = next_page(steps)
    items = "".join(
        _item(step, here=step.page == page, next_=step.page == upcoming) for step in steps
    )
    st.sidebar.html(
        '<nav class="studio-way" aria-label="You are here"><p>You are here</p>'
        f"<ol>{items}</ol></nav>"
    )


def next_page(steps: list[Step]) -> str | None:
    """The page of the first step that can be taken after the last one that was."""
    last = max((place for place, step in enumerate(steps) if step.state == "done"), default=-1)
    return next((step.page for step in steps[last + 1 :] if step.state == "open"), None)


def steps_of(
    choice: Choice | None, done: int, waiting: int, *, has_rows: bool = True
) -> list[Step]:
    """The way for a viewer who chose this dataset, with so many runs done and waiting.

    Args:
        choice: the dataset, if any.
        done: finished runs of the viewer's own sweeps, 0 when none is on this dataset.
        waiting: runs that are under way or wait for their turn.
        has_rows: whether the dataset has as many rows as training needs.
    """
    named = choice is not None and choice.is_complete and has_rows
    of = "of your own" if choice is None else "on this data"
    first = f"A run {of} has to finish first."
    return [
        Step(
            "Data",
            _name(choice)
            if named and choice is not None
            else "Bring a table, or take a built-in one."
            if choice is None
            else "Say what the columns are."
            if has_rows
            else f"This table is too small: at least {MIN_ROWS} rows are needed.",
            "done" if named else "open",
        ),
        Step(
            "Train",
            f"{counted(done, 'model')} trained{f', {waiting:,} to come' if waiting else ''}."
            if done
            else f"{waiting:,} under way."
            if waiting
            else "Train models with and without fairness."
            if named
            else "A dataset has to be chosen first.",
            "done" if done else "open" if named or waiting else "closed",
        ),
        Step("Trade-offs", "Choose how much fairness to buy." if done else first, _open(done)),
        Step(
            "Compare",
            "See where along the attribute models differ." if done else first,
            _open(done),
        ),
        Step(
            "Predict",
            "Download model and report, predict new rows." if done else first,
            _open(done),
        ),
    ]


def _has_rows(choice: Choice | None) -> bool:
    table = None if choice is None else choice.table_id
    return table is None or not is_kept(table) or find_table(table).rows >= MIN_ROWS


def _open(done: int) -> str:
    return "open" if done else "closed"


def _counts(choice: Choice | None) -> tuple[int, int]:
    sweeps = sweeps_table()
    if choice is not None:
        # What was trained on other data is no step on the way of this one.
        sweeps = sweeps[sweeps["id"].map(_about) == choice.dataset]
    return int(sweeps["done"].sum()), int((sweeps["queued"] + sweeps["running"]).sum())


# What a sweep is about never changes.
@st.cache_data(max_entries=4096, show_spinner=False)
def _about(sweep: str) -> str:
    """The dataset of a sweep, as choices name it."""
    described = tomllib.loads(the_store().sweeps.spec(sweep))
    return DatasetSpec.from_dict(described["dataset"]).key


def _name(choice: Choice) -> str:
    if choice.table_id is None:
        return choice.dataset
    try:
        return shown_text(find_table(choice.table_id).name, longest=30)
    except FremError:
        return "A table that is not kept any more."


def _item(step: Step, *, here: bool, next_: bool) -> str:
    mark = "✓" if step.state == "done" else "→" if next_ else "·"
    current = ' aria-current="step"' if here else ""
    name = escape(_NAMES.get(step.page, step.page))
    return (
        f'<li class="{step.state}"{current}><span aria-hidden="true">{mark}</span>'
        f"<div><strong>{name}</strong><br>{escape(step.words)}</div></li>"
    )
