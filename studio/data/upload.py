"""The card with which a user brings a table of their own."""

import streamlit as st

from frem_core.figures import plain_text
from studio.choice import UPLOAD_ERROR, Choice, choose
from studio.data.kept_tables import show_kept_tables
from studio.guard import guard, show_error
from studio.reading import ReadingJob, find_job, start_reading
from studio.tables import TABLE_PREFIX

_EVERY = 2.0  # seconds between two looks at a running job; each look costs other viewers a little

_FAILED_JOB = "upload_failed_job"


def show_upload(current: Choice | None) -> None:
    """Draws the upload, the progress of a running one, and the tables kept before."""
    words, file = st.columns(2, gap="large")
    with words:
        st.markdown("How strongly do the columns of my own data follow an attribute I care about?")
        st.caption(
            "The first row names the columns. The table stays on this computer, in a folder only "
            "you can read, until you forget it."
        )
        show_kept_tables(current)
    with file:
        job_id = st.query_params.get("reading")
        if job_id:
            _show_progress(job_id)
        else:
            _show_uploader()


def _show_uploader() -> None:
    # A new key empties the widget and lets go of the bytes it holds.
    turn = st.session_state.setdefault("upload_turn", 0)
    failed = st.session_state.get(UPLOAD_ERROR)
    upload = st.file_uploader(
        f"CSV, TSV, Parquet or Excel file, up to {st.get_option('server.maxUploadSize')} MB",
        key=f"upload-{turn}",
    )
    if failed is not None:
        show_error(failed, title="This file cannot be used")
        _offer_another_try()
    if upload is not None:
        with st.spinner("Taking the file in …"):
            job = start_reading(upload)
        st.session_state["upload_turn"] = turn + 1
        st.session_state.pop(UPLOAD_ERROR, None)
        if job.is_over:
            _take_result(job)
        st.query_params["reading"] = job.id
        st.rerun()


def _offer_another_try() -> None:
    """Draws a button when reading failed for no fault of the file."""
    job = find_job(st.session_state.get(_FAILED_JOB, ""))
    if job is not None and job.can_try_again:
        st.button(
            "Try again", icon=":material/replay:", key="read-again", on_click=_again, args=(job,)
        )


def _again(job: ReadingJob) -> None:
    job.start()
    st.session_state.pop(UPLOAD_ERROR, None)
    st.query_params["reading"] = job.id


@st.fragment(run_every=_EVERY)
@guard()
def _show_progress(job_id: str) -> None:
    job = find_job(job_id)
    if job is None:
        _finish(
            error="Reading was interrupted because the dashboard was restarted. Upload the "
            "file again."
        )
    elif job.is_over:
        _take_result(job)
    else:
        name = plain_text(job.name, longest=40)
        waits = job.state == "waiting"
        words = f"{name} waits for another table" if waits else f"Reading {name}"
        st.progress(min(job.share, 1.0), text=f"{words}: {job.share:.0%}")
        st.button("Stop reading", icon=":material/stop:", on_click=job.stop, key="stop-reading")


def _take_result(job: ReadingJob) -> None:
    if job.state == "done":
        choose(Choice(TABLE_PREFIX + job.id))
        st.rerun()
    elif job.state == "stopped":
        _finish(error=None)
    else:
        st.session_state[_FAILED_JOB] = job.id
        _finish(error=job.message)


def _finish(*, error: str | None) -> None:
    st.query_params.pop("reading", None)
    st.session_state[UPLOAD_ERROR] = error
    st.rerun()
