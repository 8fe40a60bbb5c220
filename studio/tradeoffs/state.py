"""How far the runs are, and what became of those that gave no result."""

import pandas as pd
import streamlit as st

from frem_core.figures import method_looks, plain_text
from frem_core.figures.front_points import WEIGHT
from studio.engine import keep_engine
from studio.tradeoffs.subject import NOTIONS, Subject


def show_state(subject: Subject) -> None:
    """Draws one line on what is shown, progress while runs are under way, and failures."""
    runs = subject.runs
    counts = runs["state"].value_counts()
    done, total = int(counts.get("done", 0)), len(runs)
    st.markdown(
        f"**{plain_text(subject.dataset)}**: predictions should not follow "
        f"**{plain_text(subject.sensitive)}** ({NOTIONS.get(subject.notion, subject.notion)}). "
        f"{done:,} of {total:,} runs are done."
    )
    waiting = int(counts.get("queued", 0) + counts.get("running", 0))
    if waiting:
        keep_engine()
        share = float(runs["epoch"].sum() / max(runs["epochs"].sum(), 1))
        under_way = int(counts.get("running", 0))
        words = f"{under_way} runs under way" if under_way else "the next runs wait for their turn"
        st.progress(
            min(share, 1.0),
            text=f"{share:.0%} trained, {words}. Points appear as runs finish.",
        )
    _show_lost(runs[runs["state"].isin(["failed", "cancelled"])])


def _show_lost(lost: pd.DataFrame) -> None:
    if lost.empty:
        return
    failed = int((lost["state"] == "failed").sum())
    cancelled = len(lost) - failed
    parts = [f"{failed} failed"] * (failed > 0) + [f"{cancelled} cancelled"] * (cancelled > 0)
    noun = "run" if len(lost) == 1 else "runs"
    title = f"{len(lost)} {noun} without a result: {', '.join(parts)}"
    with st.expander(title, icon=":material/error:", key="tradeoffs-lost"):
        st.markdown(
            "These are not in the charts, so an average may rest on fewer seeds than planned. "
            "Resume the sweep on the Train page, or with `frem resume`, to try them again."
        )
        titles = {name: look.title for name, look in method_looks(lost["method"]).items()}
        st.dataframe(
            pd.DataFrame(
                {
                    "Method": lost["method"].map(titles),
                    "Fairness weight (λ)": lost[WEIGHT],
                    "Seed": lost["seed"],
                    "State": lost["state"],
                    "Reason": [text or "cancelled by a user" for text in lost["error"]],
                    "Run": lost["id"].str[:12],
                }
            ),
            hide_index=True,
            alt="Runs without a result and the reason",
        )
