"""The form in which a user says what the columns of their table are."""

from collections.abc import Sequence

import streamlit as st

from frem_core.errors import FremError
from frem_core.figures import plain_text, shown_text
from studio.choice import Choice, choose
from studio.column_guess import ColumnGuess, guess_columns
from studio.data.edges import show_edges
from studio.data.kept_tables import forget, size_words
from studio.guard import show_error
from studio.loading import load_choice
from studio.tables import TABLE_PREFIX, KeptTable, find_table, load_sample

_TASKS = {
    "auto": "Decide from the target",
    "classification": "Yes or no (classification)",
    "regression": "A number (regression)",
}
_PREVIEW_ROWS, _PREVIEW_HEIGHT = 50, 215


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
        st.dataframe(
            load_sample(table.id).head(_PREVIEW_ROWS),
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
    sample = load_sample(table.id)
    guess = guess_columns(sample)
    names = [str(name) for name in sample.columns]
    tasks = list(_TASKS)
    with st.form(f"columns-{table.id}", border=False):
        left, right = st.columns(2)
        target = left.selectbox(
            "Target: what is predicted",
            names,
            index=_position(names, choice.target or guess.target),
            format_func=shown_text,
            help="A column with two different values, or a number.",
        )
        sensitive = right.selectbox(
            "Sensitive attribute: what the prediction should not follow",
            names,
            index=_position(names, choice.sensitive or guess.sensitive),
            format_func=shown_text,
            help="A number with at least three different values, such as age or a share.",
        )
        task = left.selectbox(
            "Task",
            tasks,
            index=_position(tasks, choice.task),
            format_func=lambda task: _TASKS[task],
        )
        leave_out = right.multiselect(
            "Columns to leave out",
            names,
            default=_default_leave_out(choice, guess, names),
            format_func=shown_text,
            placeholder="None: all others are features",
            help="All columns but these, the target and the sensitive attribute become features. "
            "Columns that name single rows are proposed here.",
        )
        node_id = _ask_for_id(choice, names)
        if not st.form_submit_button("Use these columns", type="primary", key="use-columns"):
            return None
    return Choice(
        TABLE_PREFIX + table.id,
        target,
        sensitive,
        task,
        tuple(leave_out),
        positive=choice.positive if target == choice.target else None,
        edges=choice.edges,
        node_id=node_id,
    )


def _ask_for_id(choice: Choice, names: Sequence[str]) -> str | None:
    """Asks which column names the nodes, where the table has edges."""
    if choice.edges is None:
        return None
    options = [None, *names]
    return st.selectbox(
        "Node id: what the edges refer to",
        options,
        index=options.index(choice.node_id) if choice.node_id in options else 0,
        format_func=lambda name: "Row numbers, from 0" if name is None else shown_text(name),
        key=f"node-id-{choice.edges}",
    )


def _default_leave_out(choice: Choice, guess: ColumnGuess, names: Sequence[str]) -> list[str]:
    proposed = choice.leave_out if choice.is_complete else guess.leave_out
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
