"""Edges between the rows of a user's table, which make it a graph."""

import pandas as pd
import streamlit as st

from frem_core.datasets import NodeIds
from frem_core.errors import DataError, FremError
from frem_core.figures import plain_text
from studio.choice import Choice, change
from studio.guard import guard, show_error
from studio.loading import load_choice
from studio.reading import ReadingJob, find_job, start_reading
from studio.rights import may_author
from studio.tables import find_table, load_sample

_EVERY = 2.0
_READING = "reading_edges"
_ERROR = "edges_error"
_FAILED_JOB = "edges_failed_job"
_ENOUGH = 0.5  # of the rows must have an edge under a column for it to be the id


def show_edges(choice: Choice) -> None:
    """Draws the upload of an edge list, the progress of a running one, or the list in use."""
    job_id = st.query_params.get(_READING)
    if job_id:
        _show_progress(choice, job_id)
    elif choice.data.edge_table is not None:
        _show_in_use(choice)
    elif may_author():
        _show_uploader(choice)


def _show_in_use(choice: Choice) -> None:
    edges = find_table(choice.data.edge_table or "")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f":material/hub: The rows are joined by {plain_text(edges.name, longest=50)} "
            f"({edges.rows:,} lines)."
        )
        st.button(
            "Leave the edges out",
            key="drop-edges",
            on_click=change,
            args=(choice.with_data(edge_table=None, id=None),),
        )


def _show_uploader(choice: Choice) -> None:
    turn = st.session_state.setdefault("edges_turn", 0)
    with st.popover("Join the rows by edges", icon=":material/hub:", key=f"edges-popover-{turn}"):
        st.markdown(
            "Friendships, links, similarities: with a list of edges the table becomes a graph, "
            "and networks can also look at a row's neighbours."
        )
        upload = st.file_uploader(
            "List of edges: two ids a line, Parquet, or a SciPy .npz matrix", key=f"edges-{turn}"
        )
    error = st.session_state.get(_ERROR)
    if error is not None:
        show_error(error, title="These edges cannot be used")
        _offer_another_try()
    if upload is not None:
        with st.spinner("Taking the file in …"):
            job = start_reading(upload, kind="edges")
        st.session_state["edges_turn"] = turn + 1
        st.session_state.pop(_ERROR, None)
        if job.is_over:
            _take_result(choice, job)
        else:
            st.query_params[_READING] = job.id
        st.rerun()


def _offer_another_try() -> None:
    """Draws a button when reading failed for no fault of the file."""
    job = find_job(st.session_state.get(_FAILED_JOB, ""))
    if job is not None and job.can_try_again:
        st.button(
            "Try again", icon=":material/replay:", key="edges-again", on_click=_again, args=(job,)
        )


def _again(job: ReadingJob) -> None:
    job.start()
    st.session_state.pop(_ERROR, None)
    st.query_params[_READING] = job.id


@st.fragment(run_every=_EVERY)
@guard()
def _show_progress(choice: Choice, job_id: str) -> None:
    job = find_job(job_id)
    if job is not None and not job.is_over:
        st.markdown(f"Reading {plain_text(job.name, longest=40)} …")
        st.button("Stop reading", icon=":material/stop:", on_click=job.stop, key="stop-edges")
        return
    st.query_params.pop(_READING, None)
    if job is None:
        st.session_state[_ERROR] = "Reading was interrupted by a restart. Upload the file again."
    else:
        _take_result(choice, job)
    st.rerun()


def _take_result(choice: Choice, job: ReadingJob) -> None:
    if job.state == "failed":
        st.session_state[_FAILED_JOB] = job.id
        st.session_state[_ERROR] = job.message
    elif job.state == "done":
        _join(choice, job.id)


def _join(choice: Choice, edges: str) -> None:
    """Takes the edges into the choice, unless they do not fit its table."""
    try:
        joined = choice.with_data(edge_table=edges, id=guess_id(choice.table_id or "", edges))
        if joined.is_complete:
            load_choice(joined)
    except FremError as error:
        st.session_state[_ERROR] = str(error)
    else:
        change(joined)


def guess_id(table_id: str, edges_id: str) -> str | None:
    """The column whose values most of the edges refer to; None for row numbers."""
    if find_table(edges_id).kind != "edges":
        raise DataError("This file is kept as a table of rows, not as a list of edges.")
    sample, edges = load_sample(table_id), load_sample(edges_id)
    ends = pd.concat([edges.iloc[:, 0], edges.iloc[:, 1]], ignore_index=True)
    shares = {str(name): _share(sample[name], str(name), ends) for name in sample.columns}
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] >= _ENOUGH else None


def _share(column: pd.Series, name: str, ends: pd.Series) -> float:
    """Share of the edges' ends that stand in a column, 0 for a column that cannot be an id."""
    try:
        ids = NodeIds(name, column)
    except DataError:
        return 0.0
    return float((ids.positions(ends) >= 0).mean())
