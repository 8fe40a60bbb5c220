"""What a simulation has shown so far: boxes, errors, and what more data changes."""

from typing import Final

import pandas as pd
import streamlit as st

from frem_core.figures import spreadsheet_csv
from frem_core.figures.simulation import box_table, error_boxes, error_by_sample_size
from frem_core.simulation import ERRORS, NOISE_FREE, collect, compare_with_paper, summarise
from frem_core.simulation.labels import ESTIMATOR_LABELS, setting_label
from studio.chart import chart
from studio.guard import guard, show_error
from studio.lab.job import Progress, SimulationJob, job_for
from studio.lab.settings import LabSettings
from studio.style import keep_steady

_REFRESH_SECONDS: Final = 1.0
_ERROR_LABELS: Final = {"bias": "Bias", "mae": "MAE", "rmse": "RMSE"}


def show_results(settings: LabSettings) -> None:
    """Draws the results; while the simulation runs they redraw themselves."""
    job = job_for(settings)
    interval = None if job.is_over else _REFRESH_SECONDS
    if interval is not None:
        keep_steady()
    st.fragment(_draw, run_every=interval)(settings, job, interval is not None)


@guard()
def _draw(settings: LabSettings, job: SimulationJob, is_timed: bool) -> None:
    progress = job.progress()
    if is_timed and job.is_over:
        st.rerun()  # once more as a whole, to end the timer
    _show_progress(settings, job, progress)
    if progress.estimates is None:
        if not job.is_over:
            st.skeleton(height=420)
        return
    comparison = compare_with_paper(summarise(progress.estimates))
    _show_boxes(settings, progress.estimates, comparison)
    _show_table(comparison, progress.estimates)
    _show_growth(settings, comparison)


def _show_progress(settings: LabSettings, job: SimulationJob, progress: Progress) -> None:
    truth = settings.distribution.truth()
    text = f"{progress.finished:,} of {progress.total:,} samples"
    if progress.state in ("waiting", "running"):
        waiting = "Starting …" if progress.finished == 0 else text
        st.progress(progress.finished / progress.total, text=waiting)
        st.button("Stop simulation", icon=":material/stop:", on_click=job.stop, key="lab-stop")
    elif progress.state == "stopped":
        st.info(f"Stopped after {text}. What is here is complete in itself, only less certain.")
        st.button("Run again", icon=":material/replay:", on_click=_forget, args=(settings,))
    elif progress.state == "failed":
        show_error(progress.message)
        st.button("Try again", icon=":material/replay:", on_click=_forget, args=(settings,))
    st.metric(
        "True EIPM",
        f"{truth:.5f}",
        help="Exact for this distribution: the expected distance between the representation's "
        "distribution at one value of S and its overall distribution.",
    )


def _forget(settings: LabSettings) -> None:
    job_for.clear(settings)


def _show_boxes(settings: LabSettings, estimates: pd.DataFrame, comparison: pd.DataFrame) -> None:
    st.header("Estimate minus truth", anchor=False)
    size = settings.samples[0]
    if len(settings.samples) > 1:
        size = st.segmented_control(
            "Rows in a sample (n)",
            settings.samples,
            default=settings.samples[0],
            required=True,
            key=f"lab-size-{settings.samples}",
        )
    shown = estimates[estimates["n"] == size]
    if shown.empty:
        st.caption("The first samples of this size are under way.")
        return
    verdict = _verdict(size, comparison[comparison["n"] == size])
    st.markdown(verdict)
    if settings.noise_free:
        st.markdown(_on_noise(comparison[comparison["n"] == size]))
    chart(
        error_boxes(shown),
        box_table(shown),
        key="lab-boxes",
        alt=f"Box plots of estimate minus true EIPM. {verdict}",
        file_name=f"estimator-errors-n{size}",
    )


def _verdict(size: int, cell: pd.DataFrame) -> str:
    """Which setting of each estimator comes closest, in one sentence."""
    rmse = cell[cell["error"] == "rmse"]
    best = rmse.loc[rmse.groupby("estimator")["ours"].idxmin()].sort_values("ours")
    parts = [
        f"{error:.3f} ({ESTIMATOR_LABELS[name]}, {setting_label(name, setting)})"
        for name, setting, error in zip(
            best["estimator"], best["setting"], best["ours"], strict=True
        )
    ]
    return (
        f"With {size} rows in a sample, the best setting of each estimator typically misses the "
        f"truth by {', '.join(parts)}."
    )


def _on_noise(cell: pd.DataFrame) -> str:
    """What taking the noise off does to the bias over the chosen bandwidths, in one sentence."""
    bias = cell[cell["error"] == "bias"].groupby("estimator")["ours"].agg(["min", "max"])
    with_noise, without = (
        f"{low:+.3f}" if low == high else f"{low:+.3f} to {high:+.3f}"
        for low, high in bias.loc[["proposed", NOISE_FREE]].to_numpy()
    )
    return (
        "Over the chosen bandwidths the proposed estimator is on average off by "
        f"{with_noise}; with the noise removed, by {without}."
    )


def _show_table(comparison: pd.DataFrame, estimates: pd.DataFrame) -> None:
    st.header("Bias, mean absolute error and root mean squared error", anchor=False)
    table = _wide_table(comparison)
    has_paper = bool(comparison["paper"].notna().any())
    st.markdown(
        "± is the standard error of the simulation itself."
        + (" The paper's values stand beside ours." if has_paper else "")
    )
    numbers = {
        name: st.column_config.NumberColumn(format="%.4f")
        for name in table.columns
        if name not in ("n", "Estimator", "Setting", "Samples")
    }
    st.dataframe(
        table,
        hide_index=True,
        column_config=numbers,
        placeholder="–",
        key="lab-table",
        alt="Bias, mean absolute error and root mean squared error of each estimator and setting.",
    )
    with st.container(horizontal=True):
        _offer_csv("Download this table", table, "estimator-errors")
        _offer_csv("Download every estimate", collect([estimates]), "estimates")


def _offer_csv(label: str, table: pd.DataFrame, name: str) -> None:
    st.download_button(
        label,
        data=lambda: spreadsheet_csv(table),
        file_name=f"{name}.csv",
        mime="text/csv",
        key=f"lab-{name}-csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _wide_table(comparison: pd.DataFrame) -> pd.DataFrame:
    rows = comparison[comparison["error"] == "rmse"]
    table = pd.DataFrame(
        {
            "n": rows["n"].to_numpy(),
            "Estimator": [ESTIMATOR_LABELS[name] for name in rows["estimator"]],
            "Setting": [
                setting_label(*pair)
                for pair in zip(rows["estimator"], rows["setting"], strict=True)
            ],
            "Samples": rows["replicates"].to_numpy(),
        }
    )
    for error in ERRORS:
        # Every error has its rows in the same order.
        part = comparison[comparison["error"] == error]
        label = _ERROR_LABELS[error]
        table[label] = part["ours"].to_numpy()
        table[f"± {label}"] = part["se"].to_numpy()
        if part["paper"].notna().any():
            table[f"{label}, paper"] = part["paper"].to_numpy()
    return table


def _show_growth(settings: LabSettings, comparison: pd.DataFrame) -> None:
    st.header("What more data changes", anchor=False)
    if len(settings.samples) == 1:
        st.info("Choose more than one sample size above to see how the errors change with n.")
        return
    error = st.segmented_control(
        "Error",
        list(ERRORS),
        format_func=_ERROR_LABELS.__getitem__,
        default="rmse",
        required=True,
        key="lab-error",
    )
    shown = comparison[comparison["error"] == error]
    label = _ERROR_LABELS[error]
    chart(
        error_by_sample_size(comparison, error=error),
        shown.drop(columns=["design", "case", "error"]),
        key="lab-growth",
        alt=f"{label} of every estimator and setting against the number of rows in a sample, from "
        f"{settings.samples[0]} to {settings.samples[-1]}.",
        file_name=f"estimator-{error}-by-n",
    )
