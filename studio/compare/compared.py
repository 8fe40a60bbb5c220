"""Runs with everything the charts need, read from the store once, and whose rows count."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from frem_core.audit import share_with_enough
from frem_core.errors import FremError
from frem_core.figures.looks import RunLook
from frem_core.sweeps import load_predictions, load_representations
from frem_core.types import Floats
from studio.compare.catalogue import notion_of, task_of
from studio.store import store_of

_FEWEST = 20
_MOST_PEOPLE = 0.9


@dataclass(frozen=True, eq=False)
class Outputs:
    """What a run gives for its test rows; shared by all viewers, so nobody may change it.

    Attributes:
        rows: row numbers in the dataset, (n,).
        y: targets, (n,).
        s: sensitive values in [0, 1], (n,).
        p: predictions, (n,).
        z: representation, (n, m).
    """

    rows: NDArray[np.int64]
    y: Floats
    s: Floats
    p: Floats
    z: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class ComparedRun:
    """One run of a comparison.

    Attributes:
        run: its row in the table of runs.
        look: its name and looks.
        outputs: what it gives for the test rows.
    """

    run: pd.Series
    look: RunLook
    outputs: Outputs

    @property
    def id(self) -> str:
        """Its id in the store."""
        return str(self.run["id"])

    @property
    def sweep(self) -> str:
        """The sweep through which it was found."""
        return str(self.run["sweep"])


def read_runs(
    runs: pd.DataFrame, looks: Sequence[RunLook]
) -> tuple[list[ComparedRun], dict[str, FremError]]:
    """Reads the outputs of runs.

    Returns:
        The runs that could be read, and the reason for each title that could not.
    """
    readable: list[ComparedRun] = []
    missing: dict[str, FremError] = {}
    for (_, run), look in zip(runs.iterrows(), looks, strict=True):
        try:
            readable.append(ComparedRun(run, look, outputs_of(str(run["sweep"]), str(run["id"]))))
        except FremError as error:
            missing[look.title] = error
    return readable, missing


# A finished run never changes, so what was read once can be kept.
@st.cache_resource(max_entries=64, ttl="2h", show_spinner=False)
def outputs_of(sweep: str, run: str, of_class: int = 1) -> Outputs:
    """Reads what a run gives for its test rows, of more than two classes for one of them."""
    store = store_of(sweep)
    predictions = load_predictions(store, run, of_class=of_class)
    _, z = load_representations(store, run)
    rows, y, s, p = (predictions[name].to_numpy() for name in ("row", "y", "s", "p"))
    return Outputs(rows, y, s, p, z)


@dataclass(frozen=True)
class People:
    """The rows that count.

    Attributes:
        positive_only: whether only rows with Y = 1 count, as equal opportunity asks.
    """

    positive_only: bool

    def of(self, one: ComparedRun) -> NDArray[np.bool_]:
        """Which test rows of a run count, (n,)."""
        y = one.outputs.y
        return y == 1 if self.positive_only else np.ones(len(y), dtype=bool)


def choose_people(runs: pd.DataFrame, first: ComparedRun) -> People:
    """Draws the switch for classifications; the address remembers it."""
    if task_of(runs) != "classification" or int((first.outputs.y == 1).sum()) < _FEWEST:
        return People(positive_only=False)
    usual = notion_of(runs)
    notion = st.query_params.get("notion", usual)
    st.session_state["compare-people"] = notion == "eo"
    st.toggle(
        "Only people with a positive outcome (equal opportunity)",
        key="compare-people",
        on_change=_take_people,
        help="Demographic parity compares everybody; equal opportunity compares those whose true "
        "outcome is positive. This concerns the charts; the scores are what they are.",
    )
    return People(positive_only=notion == "eo")


def _take_people() -> None:
    st.query_params["notion"] = "eo" if st.session_state["compare-people"] else "dp"


def wide_enough(s: Floats, stops: Sequence[float], usual: float) -> float:
    """The usual bandwidth along S, or the next one at which most people have enough company.

    Args:
        s: sensitive values between 0 and 1.
        stops: the bandwidths on offer, rising.
        usual: the smallest that comes into question.
    """
    wider = (stop for stop in stops if stop > usual)
    enough = (
        width for width in (usual, *wider) if share_with_enough(s, gamma=width) >= _MOST_PEOPLE
    )
    return next(enough, usual)
