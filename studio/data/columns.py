"""What the columns of a user's table are: a first guess, and the form in which the user says it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd
import streamlit as st

from frem_core.datasets import DatasetSpec
from frem_core.datasets.tables.target_column import MOST_CLASSES, two_classes
from frem_core.errors import FremError
from frem_core.figures import plain_text, shown_text
from studio.choice import Choice, choose
from studio.data.choose import forget, size_words
from studio.data.edges import show_edges
from studio.guard import show_error
from studio.loading import load_choice
from studio.tables import KeptTable, find_table, load_sample, shown_dates

_TASKS = {
    "auto": "Decide from the target",
    "classification": "Yes or no, or one of several classes (classification)",
    "regression": "A number (regression)",
}
_PREVIEW_ROWS, _PREVIEW_HEIGHT = 50, 215
_TARGET: Final = re.compile(
    r"^y([^a-z]|$)|(^|[^a-z])(target|label|outcome|class|income|default|churn|score|response|approved|"
    r"recid|salary|grade|admitted|survived|crime|crimes\w*)([^a-z]|$)"
)
_SENSITIVE: Final = re.compile(
    r"^s$|(^|[^a-z])(age|alter|race|racepct\w*|black|ethnic\w*|income|wealth|bmi|deprivation|"
    r"sensitive)([^a-z]|$)"
)
_IDENTIFIER: Final = re.compile(
    r"(^|[^a-z])(id|uuid|key|index|unnamed|row|name|phone|email)([^a-z]|$)"
)
_FEWEST_VALUES: Final = 3
_CLASSES: Final = 2


@dataclass(frozen=True)
class ColumnGuess:
    """A first proposal for the form.

    Attributes:
        target: column to predict, or None.
        sensitive: sensitive attribute, or None.
        leave_out: columns that look like identifiers.
        sensitive_candidates: columns with enough numbers to be a continuous attribute.
    """

    target: str | None
    sensitive: str | None
    leave_out: tuple[str, ...]
    sensitive_candidates: tuple[str, ...]


def guess_columns(sample: pd.DataFrame) -> ColumnGuess:
    """Guesses from names, types and the number of distinct values in some rows."""
    columns = [str(name) for name in sample.columns]
    distinct = {name: int(sample[name].nunique()) for name in columns}
    leave_out = tuple(name for name in columns if _identifies(sample[name], name, distinct[name]))
    numeric = [
        name
        for name in columns
        if pd.api.types.is_numeric_dtype(sample[name])
        and not pd.api.types.is_bool_dtype(sample[name])
        and distinct[name] >= _FEWEST_VALUES
    ]
    usable = [name for name in columns if name not in leave_out and distinct[name] > 1]
    target = _guess_target(usable, numeric, distinct)
    candidates = [name for name in numeric if name not in leave_out and name != target]
    named = [name for name in candidates if _SENSITIVE.search(name.casefold())]
    sensitive = next(iter(named or candidates), None)
    return ColumnGuess(target, sensitive, leave_out, tuple(numeric))


def _guess_target(usable: list[str], numeric: list[str], distinct: dict[str, int]) -> str | None:
    fitting = [name for name in usable if distinct[name] == _CLASSES or name in numeric]
    # Text of a few kinds is classes too, but more often a feature: its name has to say so.
    classes = [name for name in usable if name in fitting or distinct[name] <= MOST_CLASSES]
    named = [name for name in classes if _TARGET.search(name.casefold())]
    binary = [name for name in fitting if distinct[name] == _CLASSES]
    # In most published tables the target is the last column.
    for group in ([name for name in named if name in binary], named, binary, fitting):
        if group:
            return group[-1]
    return None


def _identifies(column: pd.Series, name: str, distinct: int) -> bool:
    rows = int(column.notna().sum())
    if rows == 0 or distinct < rows:
        return False
    return not pd.api.types.is_float_dtype(column) and (
        bool(_IDENTIFIER.search(name.casefold())) or not pd.api.types.is_numeric_dtype(column)
    )


def show_columns_form(choice: Choice) -> None:
    """Draws the form; the address changes only after the columns turned out to be usable."""
    table = find_table(choice.table_id or "")
    name = plain_text(table.name, longest=50)
    if not choice.is_complete:
        st.header(f"What are the columns of {name}?", anchor=False)
        st.markdown(
            f"{table.rows:,} rows and {table.columns:,} columns were read. Say which column is to "
            "be predicted and which one the prediction should not follow."
        )
        preview = load_sample(table.id).head(_PREVIEW_ROWS)
        dates = preview.select_dtypes("datetime")
        st.dataframe(
            preview.assign(**{str(name): shown_dates(dates[name]) for name in dates}),
            hide_index=True,
            height=_PREVIEW_HEIGHT,
            alt="First rows of the file",
        )
    with st.expander(
        f"Columns of {name}",
        expanded=not choice.is_complete,
        icon=":material/view_column:",
        key=f"columns-form-{choice.is_complete}",
    ):
        show_edges(choice)
        proposal = _fill_in(choice, table)
        if proposal is not None:
            _try(proposal)
        _show_forget(choice, table)


def _fill_in(choice: Choice, table: KeptTable) -> Choice | None:
    given, sample = choice.data, load_sample(table.id)
    guess = guess_columns(sample)
    names = [str(name) for name in sample.columns]
    with st.form(f"columns-{table.id}", border=False):
        left, right = st.columns(2)
        target = left.selectbox(
            "Target: what is predicted",
            names,
            index=_position(names, given.target or guess.target),
            format_func=shown_text,
            help="A column with two different values, or a number.",
        )
        sensitive = right.selectbox(
            "Sensitive attribute: what the prediction should not follow",
            names,
            index=_position(names, given.sensitive or guess.sensitive),
            format_func=shown_text,
            help="A number with at least three different values, such as age or a share.",
        )
        further = right.multiselect(
            "Further sensitive attributes",
            names,
            default=[name for name in given.also_sensitive if name in names],
            format_func=shown_text,
            placeholder="None",
            help="Columns that the prediction should not follow either, numbers or categories such "
            "as sex. Each is judged by itself and all of them together.",
        )
        task = left.selectbox(
            "Task",
            list(_TASKS),
            index=_position(list(_TASKS), given.task),
            format_func=lambda task: _TASKS[task],
        )
        leave_out = right.multiselect(
            "Columns to leave out",
            names,
            default=_default_leave_out(given, guess, names),
            format_func=shown_text,
            placeholder="None: all others are features",
            help="All columns but these, the target and the sensitive attributes become features. "
            "Columns that name single rows are proposed here.",
        )
        positive = _ask_for_positive(given, sample)
        as_text, as_numbers = _ask_for_types(given, sample)
        node_id = _ask_for_id(given, names)
        if not st.form_submit_button("Use these columns", type="primary", key="use-columns"):
            return None
    return Choice(
        DatasetSpec(
            table=table.id,
            target=target,
            sensitive=sensitive,
            also_sensitive=tuple(name for name in further if name != sensitive),
            task=task,
            leave_out=tuple(leave_out),
            positive_class=positive[1] if positive and positive[0] == target else None,
            as_text=tuple(as_text),
            as_numbers=tuple(as_numbers),
            edge_table=given.edge_table,
            id=node_id,
        )
    )


def _ask_for_positive(given: DatasetSpec, sample: pd.DataFrame) -> tuple[str, str] | None:
    """Asks which class counts as 1; a form cannot wait for the target, so all pairs are offered."""
    options: list[tuple[str, str] | None] = [None]
    for name, column in sample.items():
        options += [(str(name), label) for label in two_classes(column.dropna())]
    before = (str(given.target), str(given.positive_class))
    return st.selectbox(
        "Positive class: which value of the target counts as 1",
        options,
        index=options.index(before) if before in options else 0,
        format_func=lambda one: (
            "Decide by what it means (yes, ja, 1, > …; else the rarer one)"
            if one is None
            else shown_text(f"{one[0]}: {one[1]}")
        ),
        key=f"positive-{given.table}",
        help="Only for a target with two values. Scores such as the selection rate and equal "
        "opportunity are about this class.",
    )


def _ask_for_types(given: DatasetSpec, sample: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Asks for columns whose type was guessed wrongly."""
    names = [str(name) for name in sample.columns]
    kinds = {name: _kind_words(sample[name]) for name in names}
    left, right = st.columns(2)
    as_text = left.multiselect(
        "Read as categories",
        names,
        default=[name for name in given.as_text if name in names],
        format_func=lambda name: f"{shown_text(name)} ({kinds[name]})",
        placeholder="As they were read",
        help="For codes that look like numbers or dates: postcodes, years, class numbers.",
    )
    as_numbers = right.multiselect(
        "Read as numbers",
        names,
        default=[name for name in given.as_numbers if name in names],
        format_func=lambda name: f"{shown_text(name)} ({kinds[name]})",
        placeholder="As they were read",
        help="For numbers with stray text among them; cells without a number count as missing.",
    )
    return as_text, as_numbers


def _kind_words(column: pd.Series) -> str:
    if pd.api.types.is_bool_dtype(column.dtype):
        return "true or false"
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return "dates"
    return "numbers" if pd.api.types.is_numeric_dtype(column.dtype) else "text"


def _ask_for_id(given: DatasetSpec, names: Sequence[str]) -> str | None:
    """Asks which column names the nodes, where the table has edges."""
    if given.edge_table is None:
        return None
    options = [None, *names]
    return st.selectbox(
        "Node id: what the edges refer to",
        options,
        index=options.index(given.id) if given.id in options else 0,
        format_func=lambda name: "Row numbers, from 0" if name is None else shown_text(name),
        key=f"node-id-{given.edge_table}",
    )


def _default_leave_out(given: DatasetSpec, guess: ColumnGuess, names: Sequence[str]) -> list[str]:
    proposed = given.with_left_out(names).leave_out if given.is_complete else guess.leave_out
    return [name for name in proposed if name in names]


def _position(names: Sequence[str], name: str | None) -> int:
    return names.index(name) if name in names else 0


def _try(proposal: Choice) -> None:
    try:
        load_choice(proposal)
    except FremError as error:
        show_error(error, title="These columns cannot be used together")
    else:
        choose(proposal)
        st.rerun()


def _show_forget(choice: Choice, table: KeptTable) -> None:
    with st.popover("Forget this table", icon=":material/delete:"):
        st.markdown(
            f"Deletes the copy of the table on this computer ({size_words(table.size)}). Your own "
            "file is not touched."
        )
        st.button(
            "Delete the copy",
            key="forget-table",
            type="primary",
            on_click=forget,
            args=(table.id, choice),
        )
