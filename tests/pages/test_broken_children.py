"""Every page says what happened to its child and offers to try again, and that works."""

import io
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.ablations import get_ablation
from frem_core.store import open_store
from frem_core.sweeps import DatasetSpec, submit_once
from studio.ablations.stability_job import StabilityJob, stability_job
from studio.compare import probe_job
from studio.compare.probe_job import ProbeJob
from studio.lab.job import SimulationJob, job_for
from studio.lab.settings import LabSettings
from studio.reading import ReadingJob, find_job
from studio.train import estimate, launch
from studio.train.estimate import TimingJob, Timings
from tests.pages.ablation_runs import finish
from tests.pages.broken_children import every_fault
from tests.pages.conftest import ROOT, OpenPage
from tools.trained_sweeps import train_sweep


def open_page(script: str, **address: str | list[str]) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages" / script), default_timeout=240)
    for name, value in address.items():
        app.query_params[name] = value
    return shown(app)


def shown(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception
    return app


def in_address(app: AppTest, name: str) -> str:
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def errors(app: AppTest) -> str:
    return "\n".join(str(one.value) for one in [*app.error, *app.warning])


def try_until_mended(
    app: AppTest,
    faults: Iterator[str],
    words: str,
    *,
    wait: Callable[[], None],
    told: Callable[[AppTest], str] = errors,
) -> AppTest:
    """The page says what went wrong and offers to try again: the next fault, at last none.

    Args:
        app: the page, whose child was started.
        faults: those that come after the first.
        words: what is to be said of the first.
        wait: until the child is gone.
        told: what a page says of it.
    """
    while words:
        wait()
        assert words in told(shown(app))
        words = next(faults, "")
        [button] = [one for one in app.button if one.label == "Try again"]
        button.click()
        shown(app)
    wait()
    return shown(app)


def until_over(what: str) -> None:
    """Waits for the jobs of one kind."""
    for thread in threading.enumerate():
        if thread.name == what:
            thread.join()


def test_reading(
    open_data: OpenPage, clinic: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = every_fault(monkeypatch, ReadingJob, "read_table")
    words = next(faults)
    app = open_data()
    buffer = io.BytesIO()
    clinic.to_parquet(buffer)
    app.file_uploader[0].set_value(("clinic.parquet", buffer.getvalue(), "x/parquet"))
    app.run()
    try_until_mended(app, faults, words, wait=lambda: until_over(ReadingJob.what))
    assert not app.error
    job = find_job(in_address(app, "dataset").removeprefix("table-"))
    assert job is not None
    assert job.state == "done"


def test_reading_edges(
    open_data: OpenPage, home: Path, clinic: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = every_fault(monkeypatch, ReadingJob, "read_edges")
    words = next(faults)
    app = open_data()
    app.file_uploader[0].set_value(("clinic.csv", clinic.to_csv(index=False).encode(), "text/csv"))
    app.run()
    ends = pd.DataFrame({"a": clinic["patient_id"], "b": clinic["patient_id"].shift(-1)}).dropna()
    buffer = io.BytesIO()
    ends.to_parquet(buffer)
    edges = next(one for one in app.file_uploader if one.label.startswith("List of edges"))
    edges.set_value(("edges.parquet", buffer.getvalue(), "x/parquet"))
    app.run()
    try_until_mended(app, faults, words, wait=lambda: until_over(ReadingJob.what))
    assert not app.error
    assert in_address(app, "node_id") == "patient_id"


def test_the_simulation_of_the_lab(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = every_fault(monkeypatch, SimulationJob, "simulate")
    words = next(faults)
    address = {"n": "50", "replicates": "20", "gamma": "0.5", "bins": "2"}
    settings = LabSettings.from_address({name: [value] for name, value in address.items()})
    job_for.clear()
    app = open_page("5_Estimator_lab.py", run="1", **address)
    try_until_mended(app, faults, words, wait=lambda: job_for(settings).wait())
    assert not app.error
    assert len(app.get("plotly_chart")) == 1
    job_for.clear()


def test_the_bootstrap_of_the_ablations(
    open_ablations: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = every_fault(monkeypatch, StabilityJob, "load_predictions")
    words = next(faults)
    store = open_store()
    submit_once(store, get_ablation("mi-stability").spec(DatasetSpec(name="crime")))
    finish(store)
    stability_job.clear()
    app = open_ablations(ablation="mi-stability", dataset="crime", resamples="100")
    try_until_mended(app, faults, words, wait=lambda: until_over(StabilityJob.what))
    assert not app.error
    assert len(app.success) == 1
    stability_job.clear()
    store.close()


def test_the_probes_of_compare(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store()
    train_sweep(
        store,
        'name = "one"\nseeds = 1\n[dataset]\nname = "gaussian_bivariate"\n[training]\n'
        'epochs = 1\nhidden = [4, 3]\n[[methods]]\nmethod = "unfair"\n',
    )
    run = str(store.runs.frame()["id"][0])
    store.close()
    faults = every_fault(monkeypatch, ProbeJob, "load_model")
    words = next(faults)
    probe_job._OUTCOMES.clear()
    app = open_page("4_Compare.py", run=run, probe="1")
    try_until_mended(app, faults, words, wait=lambda: until_over(ProbeJob.what))
    assert not any(one.label == "Try again" for one in app.button)
    assert "the features themselves" in app.table[1].value.index


def test_the_timings_of_train(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = every_fault(monkeypatch, TimingJob, "train")
    words = next(faults)
    timings = Timings()
    for module in (estimate, launch):
        monkeypatch.setattr(module, "the_timings", lambda: timings)
    app = open_page("2_Train.py", dataset="gaussian_bivariate")

    def told(app: AppTest) -> str:
        return "\n".join(one.value for one in app.markdown).partition(
            "could not be measured here. Timing"
        )[2]

    try_until_mended(app, faults, words, wait=timings.wait, told=told)
    said = "\n".join(one.value for one in app.markdown)
    assert "from a few steps timed on this computer" in said
