"""The model of a run, to take along: as it was trained, or trained once more on all rows."""

import threading
from pathlib import Path
from typing import Any, Final, Literal

import streamlit as st

from frem_core.figures import plain_text
from frem_core.home import data_home
from frem_core.model_package import pack_model
from frem_core.model_package.of_run import has_model, run_model
from frem_core.store import Store
from frem_core.words import per_cent
from studio.child_job import ChildJob
from studio.guard import guard, show_error
from studio.link import page_link
from studio.store import store_of

Mode = Literal["all_rows", "again"]
_AT_ONCE: Final = threading.Semaphore(1)  # each takes a core for as long as a run took
_EVERY: Final = 1.0
_ZIP: Final = "application/zip"


class ModelJob(ChildJob):
    """Trains one run's model once more; the package is in ``file`` when it is done.

    Attributes:
        share: how much is trained, 0 to 1.
        file: where the package is.
    """

    command = ("-m", "studio.takehome.model_child")
    what = "The training"
    if_killed = "Try it with fewer rows, or on a larger machine: `frem model --all-rows`."

    def __init__(self, sweep: str, run: str, mode: Mode) -> None:
        self.file = data_home() / "models" / f"{run[:32]}-{mode}.zip"
        self.share = 0.0
        super().__init__(sweep, run, mode, str(self.file), slots=_AT_ONCE)

    def forget(self) -> None:
        """Begins at 0."""
        self.share = 0.0

    def take(self, news: dict[str, Any]) -> None:
        """Takes how far the training is."""
        self.share = min(1.0, news["epoch"] / max(1, news["epochs"]))


# Shared by all viewers, so that nobody trains the same model twice.
@st.cache_resource(max_entries=64, show_spinner=False, on_release=ModelJob.stop)
def _job(home: str, sweep: str, run: str, mode: Mode) -> ModelJob:
    return ModelJob(sweep, run, mode)


def offer_model(sweep: str, run: str, *, title: str, key: str) -> None:
    """Draws the downloads of one finished run's model.

    Args:
        sweep: the sweep through which it was found.
        run: its id.
        title: what it is called; shown as text.
        key: unique on the page.
    """
    store = store_of(sweep)  # the click is answered where nobody knows who asked
    is_there = has_model(store, run)
    words = plain_text(title, longest=None)
    with st.container(key=f"{key}-model"):
        with st.container(horizontal=True, vertical_alignment="center"):
            if is_there:
                st.download_button(
                    "Download this model",
                    data=lambda: _packed(store, sweep, run),
                    file_name=f"model-{run[:12]}.zip",
                    mime=_ZIP,
                    key=f"{key}-download",
                    on_click="ignore",
                    icon=":material/download:",
                    help=f"{words} as a zip: weights (safetensors), settings, how columns are "
                    "read, a model card and a script that predicts.",
                )
            else:
                _offer_training(sweep, run, "again", key)
            _offer_training(sweep, run, "all_rows", key)
            page_link(
                "pages/7_Predict.py",
                "Predict new rows with it",
                icon=":material/table_view:",
                sweep=sweep,
                run=run,
            )
        for mode in _LABELS:
            _show_job(sweep, run, mode, key)


def _packed(store: Store, sweep: str, run: str) -> bytes:
    found = run_model(store, run, sweep=sweep)
    return pack_model(found.predictor, found.card)


def _job_of(sweep: str, run: str, mode: Mode) -> ModelJob:
    return _job(str(data_home()), sweep, run, mode)


_LABELS: Final[dict[Mode, tuple[str, str]]] = {
    "all_rows": (
        "Train it on all rows",
        "The test rows have done their work: a model that is put to use may learn from them too. "
        "The scores in its card stay those on rows it had not seen.",
    ),
    "again": (
        "Train it again to download it",
        "Only the scores of this run are kept, not its weights. The same settings and seed are "
        "trained once more.",
    ),
}


def _offer_training(sweep: str, run: str, mode: Mode, key: str) -> None:
    label, explanation = _LABELS[mode]
    job = _job_of(sweep, run, mode)
    is_under_way = job.has_begun and not job.is_over
    if not (job.state == "done" and job.file.is_file()):
        st.button(
            label,
            key=f"{key}-{mode}",
            icon=":material/model_training:",
            help=explanation,
            disabled=is_under_way,
            on_click=job.start,
        )


def _show_job(sweep: str, run: str, mode: Mode, key: str) -> None:
    job = _job_of(sweep, run, mode)
    if not job.has_begun:
        return
    st.fragment(_draw_job, run_every=None if job.is_over else _EVERY)(
        sweep, run, mode, key, job.is_over
    )


@guard()
def _draw_job(sweep: str, run: str, mode: Mode, key: str, was_over: bool) -> None:
    job = _job_of(sweep, run, mode)
    if job.is_over != was_over:
        st.rerun()  # as a whole, to end the timer
    if job.state == "failed":
        show_error(job.message, title="It could not be trained")
    elif job.state == "done" and job.file.is_file():
        on_all = mode == "all_rows"
        st.download_button(
            "Download the model trained on all rows" if on_all else "Download this model",
            data=lambda: _content(job.file),
            file_name=f"model-{run[:12]}{'-all-rows' if on_all else ''}.zip",
            mime=_ZIP,
            key=f"{key}-{mode}-download",
            on_click="ignore",
            type="primary",
            icon=":material/download:",
        )
    elif not job.is_over:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(job.share, text=f"Training, {per_cent(job.share)}")
            st.button("Stop", key=f"{key}-{mode}-stop", icon=":material/stop:", on_click=job.stop)


def _content(file: Path) -> bytes:
    return file.read_bytes()
