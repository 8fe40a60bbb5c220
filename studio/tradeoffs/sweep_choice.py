"""Which sweeps are looked at."""

from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from frem_core.figures import shown_text
from studio.address import names_in_address, to_address
from studio.guard import show_error
from studio.store import sweeps_table

_KEY = "tradeoffs-sweeps"


def choose_sweeps(sweeps: pd.DataFrame) -> list[str]:
    """Draws the choice; by default the newest sweep that has a finished run.

    Args:
        sweeps: as ``sweeps_and_examples`` returns, not empty.
    """
    known = [str(name) for name in sweeps["id"]]
    unknown = [name for name in st.query_params.get_all("sweep") if name not in known]
    if unknown:
        show_error(
            f"There is no sweep '{shown_text(unknown[0], longest=40)}' here; it may have been "
            "deleted. Choose another one below."
        )
    chosen = names_in_address("sweep", allowed=known, default=[_newest(sweeps)])
    labels = dict(zip(known, map(_label, sweeps.itertuples()), strict=True))
    picked: list[str] = st.multiselect(
        "Sweeps",
        known,
        default=chosen,
        format_func=labels.__getitem__,
        key=f"{_KEY}-{'-'.join(chosen)}",
        on_change=to_address,
        args=("sweep", f"{_KEY}-{'-'.join(chosen)}"),
        placeholder="Choose at least one sweep",
        help="Several sweeps of one dataset are drawn together; equal settings are averaged over "
        "their runs. Sweeps of other datasets or notions of fairness get charts of their own.",
    )
    return picked


def is_live(chosen: list[str]) -> bool:
    """Whether any run of the sweeps is still to come."""
    sweeps = sweeps_table()
    own = sweeps[sweeps["id"].isin(chosen)]
    return bool((own["queued"] + own["running"]).sum() > 0)


def _newest(sweeps: pd.DataFrame) -> str:
    own = sweeps[~sweeps["is_example"]]
    offered = own if len(own) else sweeps  # an example only until there is something of one's own
    finished = offered[offered["done"] > 0]
    return str((finished if len(finished) else offered)["id"].iloc[0])


def _label(row: object) -> str:
    name = shown_text(getattr(row, "name", ""), longest=60)
    when = datetime.fromtimestamp(getattr(row, "created_at", 0.0), UTC)
    # How many are done would stand still here, beside a chart that fills.
    return f"{name} · {getattr(row, 'runs', 0):,} runs · {when:%-d %b %Y}"
