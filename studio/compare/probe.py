"""What a fresh model still finds out about the sensitive attribute from the representations."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd
import streamlit as st

from frem_core.figures import plain_text, spreadsheet_csv
from frem_core.words import per_cent
from studio.compare.compared import ComparedRun
from studio.compare.probe_job import is_waiting, outcome_of, start_probes, try_again
from studio.compare.scales import Scales
from studio.guard import guard

_REFRESH_SECONDS: Final = 1.0


def show_probe(runs: Sequence[ComparedRun], scales: Scales) -> None:
    """Draws the probes; they are computed when somebody asks for them."""
    name = plain_text(scales.sensitive)
    st.header(f"What the representation still gives away about {name}", anchor=False)
    st.markdown(
        f"EIPM can be low because {name} was removed, or because the representation was merely "
        f"made small. The probe tells: fresh models, trained for nothing else, try to predict "
        f"{name} from the representation and, to compare, from the features themselves."
    )
    if "probe" not in st.query_params:
        st.button(
            "Probe these runs",
            icon=":material/search:",
            key="compare-probe",
            on_click=_ask,
            help="Takes some seconds per run, beside the page.",
        )
        return
    start_probes([(one.sweep, one.id) for one in runs])
    waits = any(is_waiting(one.id) for one in runs)
    st.fragment(_draw, run_every=_REFRESH_SECONDS if waits else None)(runs, name, waits)


def _ask() -> None:
    st.query_params["probe"] = "1"


@guard()
def _draw(runs: Sequence[ComparedRun], name: str, is_timed: bool) -> None:
    outcomes = {one.id: outcome_of(one.id) for one in runs}
    if is_timed != any(is_waiting(run) for run in outcomes):
        st.rerun()  # once more as a whole, to end or start the timer
    finished = sum(outcome is not None for outcome in outcomes.values())
    if finished < len(runs):
        st.progress(finished / len(runs), text=f"{finished} of {len(runs)} runs probed …")
    probes = {
        one.look.title: {**outcome.probe, "eipm": one.run.get("test.eipm")}
        for one in runs
        if (outcome := outcomes[one.id]) is not None and outcome.probe
    }
    if probes:
        _show_table(probes, name)
    _show_failures(runs)


def _show_table(probes: Mapping[str, Mapping[str, Any]], name: str) -> None:
    table = _probe_table(probes)
    percent = ("Linear model", "Boosted trees", "Kept of what the features tell")
    shown = table.assign(
        **{
            column: ["–" if pd.isna(value) else per_cent(value) for value in table[column]]
            for column in percent
        },
        EIPM=["–" if pd.isna(value) else f"{value:.3f}" for value in table["EIPM"]],
    )
    st.table(shown.rename(columns=plain_text).set_index("From"), border="horizontal")
    st.caption(
        f"Share of the variance of {name} that a model explains on the test rows (R²; 0 % or less: "
        "nothing). Lower is fairer. EIPM is the score of the table above."
    )
    st.download_button(
        "Download probes as CSV",
        data=lambda: spreadsheet_csv(table),
        file_name="leakage-probe.csv",
        mime="text/csv",
        key="compare-probe-csv",
        on_click="ignore",
        icon=":material/download:",
    )
    for title, probe in probes.items():
        if probe["warning"]:
            st.warning(
                plain_text(probe["warning"], longest=None),
                title=f"{plain_text(title)} may look fairer than it is",
                icon=":material/warning:",
            )


def _probe_table(probes: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """One row per representation, the features themselves first."""
    rows = []
    first = next(iter(probes.values()))
    if first["features"] is not None:
        rows.append(_row("the features themselves", first["features"], None, None))
    rows += [
        _row(title, probe["representation"], probe["kept_share"], probe["eipm"])
        for title, probe in probes.items()
    ]
    return pd.DataFrame(rows)


def _row(
    title: str, scores: Mapping[str, float], kept: float | None, eipm: float | None
) -> dict[str, object]:
    missing = float("nan")
    return {
        "From": title,
        "Linear model": scores["linear_r2"],
        "Boosted trees": scores["boosted_r2"],
        "Kept of what the features tell": missing if kept is None else kept,
        "EIPM": missing if eipm is None else float(eipm),
    }


def _show_failures(runs: Sequence[ComparedRun]) -> None:
    failed = []
    for one in runs:
        outcome = outcome_of(one.id)
        if outcome is not None and outcome.error:
            failed.append((one.sweep, one.id))
            st.warning(
                plain_text(outcome.error, longest=None),
                title=f"{plain_text(one.look.title)} could not be probed",
                icon=":material/warning:",
            )
    if failed:
        st.button("Try again", key="compare-probe-again", on_click=try_again, args=(failed,))
