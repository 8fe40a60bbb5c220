"""Trained runs as the predictions to audit."""

import streamlit as st

from frem_core.figures.run_titles import run_titles
from studio.audit.order import AuditOrder
from studio.compare.catalogue import finished_runs, sweeps_with_results
from studio.link import page_link
from studio.words import sweep_title


def show_runs() -> list[AuditOrder]:
    """Asks for a sweep and one or two of its runs."""
    sweeps = sweeps_with_results()
    if sweeps.empty:
        st.info("No run is finished yet. Train one, or bring a file.", icon=":material/info:")
        page_link("pages/2_Train.py", "Train models", icon=":material/play_arrow:")
        return []
    names = {str(row.id): sweep_title(row, "") for row in sweeps.itertuples()}
    wanted = st.query_params.get("sweep", "")
    sweep = wanted if wanted in names else next(iter(names))
    st.session_state["audit-sweep"] = sweep
    left, right = st.columns(2, gap="large")
    left.selectbox(
        "Sweep",
        list(names),
        format_func=names.__getitem__,
        key="audit-sweep",
        on_change=_take_sweep,
    )
    runs = finished_runs(sweep)
    runs = runs[runs["has_files"]].reset_index(drop=True)
    if runs.empty:
        st.info("Of this sweep only scores are kept. Choose another.", icon=":material/info:")
        return []
    titles = dict(zip(runs["id"], run_titles(runs), strict=True))
    given = [run for run in st.query_params.get_all("run") if run in titles][:2]
    st.session_state["audit-runs"] = given
    right.multiselect(
        "Runs: one, or two to compare",
        list(titles),
        format_func=titles.__getitem__,
        max_selections=2,
        key="audit-runs",
        on_change=_take_runs,
    )
    from studio.compare.scales import scales_of

    orders = []
    for run in given:
        scales = scales_of(runs[runs["id"] == run].iloc[0])
        orders.append(
            AuditOrder(
                title=titles[run],
                prediction=scales.prediction_title,
                sensitive=scales.sensitive_axis,
                sweep=sweep,
                run=run,
            )
        )
    return orders


def _take_sweep() -> None:
    st.query_params.from_dict({"from": "run", "sweep": st.session_state["audit-sweep"]})


def _take_runs() -> None:
    st.query_params.from_dict(
        {
            "from": "run",
            "sweep": st.session_state["audit-sweep"],
            "run": st.session_state["audit-runs"],
        }
    )


def place(options: list[str], value: str) -> int:
    """Where a value is among the options; the first place when it is not."""
    return options.index(value) if value in options else 0
