"""Audits that run beside the pages; each is done once for all viewers."""

import base64
import pickle
import threading
from typing import Any, Final

import pandas as pd
import streamlit as st

from frem_core.audit import AttributesAudit, AuditResult
from studio.audit.order import AuditOrder
from studio.child_job import ChildJob

_AT_ONCE: Final = threading.Semaphore(1)


class AuditJob(ChildJob):
    """One audit in a process of its own.

    Attributes:
        result: what was found, once it is done.
        costs: what a repair would leave and cost; None for decisions.
        together: what was found about all attributes, where there are several.
        share: how far it is.
        doing: what it is doing.
    """

    command = ("-m", "studio.audit.child")
    what = "The audit"
    if_killed = "Try a file with fewer rows."

    def __init__(self, order: AuditOrder) -> None:
        super().__init__(order=order.to_dict(), slots=_AT_ONCE)
        self.forget()

    def forget(self) -> None:
        """Begins anew."""
        self.result: AuditResult | None = None
        self.costs: pd.DataFrame | None = None
        self.together: AttributesAudit | None = None
        self.share, self.doing = 0.0, "Waiting"

    def take(self, news: dict[str, Any]) -> None:
        """Takes progress, or the result; it comes from a process this one has started itself."""
        if "result" in news:
            content = pickle.loads(base64.b64decode(news["result"]))
            self.result, self.costs, self.together = content
        else:
            self.share, self.doing = float(news["share"]), str(news["what"])


@st.cache_resource(max_entries=32, show_spinner=False, on_release=AuditJob.stop)
def job_for(order: AuditOrder) -> AuditJob:
    """The job of an order; it starts when it is asked for the first time."""
    job = AuditJob(order)
    job.start()
    return job
