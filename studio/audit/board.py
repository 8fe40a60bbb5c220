"""The Audit page from top to bottom."""

import streamlit as st

from studio.audit.findings import Found, show_findings
from studio.audit.job import AuditJob, job_for
from studio.audit.order import AuditOrder
from studio.audit.source import show_source
from studio.guard import guard, show_error

_EVERY = 1.0


def show_board() -> None:
    """Draws the choice, then the audit or its progress."""
    orders = show_source()
    if not orders:
        return
    jobs = [job_for(order) for order in orders]
    if all(job.is_over for job in jobs):
        _show_over(orders, jobs)
    else:
        _show_progress(jobs)


def _show_over(orders: list[AuditOrder], jobs: list[AuditJob]) -> None:
    for order, job in zip(orders, jobs, strict=True):
        if job.result is None:
            show_error(job.message or "The audit was stopped.", title=f"{order.title}: no audit")
            st.button(
                "Try again",
                icon=":material/replay:",
                key=f"audit-again-{order.title}",
                on_click=job.start,
            )
    found = [
        Found(order.title, job.result, job.costs, job.together)
        for order, job in zip(orders, jobs, strict=True)
        if job.result is not None
    ]
    if found:
        show_findings(found)


@st.fragment(run_every=_EVERY)
@guard()
def _show_progress(jobs: list[AuditJob]) -> None:
    if all(job.is_over for job in jobs):
        st.rerun()
    job = next(job for job in jobs if not job.is_over)
    number = f" {jobs.index(job) + 1} of {len(jobs)}" if len(jobs) > 1 else ""
    st.progress(min(job.share, 1.0), text=f"Auditing{number}: {job.doing}")
    st.button("Stop", icon=":material/stop:", key="audit-stop", on_click=job.stop)
    st.skeleton(height=320)
