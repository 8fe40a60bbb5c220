"""Every page says what happened to its child and offers to try again, and that works."""

import io
import threading
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.ablations import get_ablation
from frem_core.figures import plain_text
from frem_core.store import open_store
from frem_core.sweeps import DatasetSpec, submit_once
from studio.ablations.stability_job import StabilityJob, stability_job
from studio.compare import probe_job
from studio.compare.probe_job import ProbeJob
from studio.lab.job import SimulationJob, job_for
from studio.lab.settings import LabSettings
from studio.reading import ReadingJob, find_job
from studio.store import runs_table, sweeps_table, the_store
from studio.train import estimate, launch
from studio.train.estimate import TimingJob, Timings
from tests.pages.ablation_runs import finish
from tests.pages.broken_children import EVERY_FAULT, break_child
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


def again(app: AppTest, key: str | None = None) -> AppTest:
    """Presses the one button that tries again."""
    buttons = [one for one in app.button if one.label == "Try again"]
    assert [one.key for one in buttons] == [key] or (key is None and len(buttons) == 1)
    buttons[0].click()
    return shown(app)


def until_over(what: str) -> None:
    """Waits for the jobs of one kind."""
    for thread in threading.enumerate():
        if thread.name == what:
            thread.join()


@EVERY_FAULT
def test_reading(
    fault: str, open_data: OpenPage, clinic: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, mend = break_child(monkeypatch, ReadingJob, fault, "read_table")
    app = open_data()
    buffer = io.BytesIO()
    clinic.to_parquet(buffer)
    app.file_uploader[0].set_value((f"{fault}.parquet", buffer.getvalue(), "x/parquet"))
    app.run()
    until_over(ReadingJob.what)
    assert plain_text(words, longest=None) in errors(shown(app))
    mend()
    again(app, "read-again")
    until_over(ReadingJob.what)
    shown(app)
    assert not app.error
    job = find_job(in_address(app, "dataset").removeprefix("table-"))
    assert job is not None
    assert job.state == "done"


@EVERY_FAULT
def test_reading_edges(
    fault: str,
    open_data: OpenPage,
    home: Path,
    clinic: pd.DataFrame,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words, mend = break_child(monkeypatch, ReadingJob, fault, "read_edges")
    app = open_data()
    app.file_uploader[0].set_value(("clinic.csv", clinic.to_csv(index=False).encode(), "text/csv"))
    app.run()
    ends = pd.DataFrame({"a": clinic["patient_id"], "b": clinic["patient_id"].shift(-1)}).dropna()
    buffer = io.BytesIO()
    ends.to_parquet(buffer)
    edges = next(one for one in app.file_uploader if one.label.startswith("List of edges"))
    edges.set_value((f"{fault}.parquet", buffer.getvalue(), "x/parquet"))
    app.run()
    until_over(ReadingJob.what)
    assert plain_text(words, longest=None) in errors(shown(app))
    mend()
    again(app, "edges-again")
    until_over(ReadingJob.what)
    shown(app)
    assert not app.error
    assert in_address(app, "node_id") == "patient_id"


@EVERY_FAULT
def test_the_simulation_of_the_lab(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words, mend = break_child(monkeypatch, SimulationJob, fault, "simulate")
    address = {"n": "50", "replicates": "20", "gamma": "0.5", "bins": "2"}
    settings = LabSettings.from_address({name: [value] for name, value in address.items()})
    job_for.clear()
    job_for(settings).wait()
    app = open_page("5_Estimator_lab.py", run="1", **address)
    assert plain_text(words, longest=None) in errors(app)
    mend()
    again(app)
    job_for(settings).wait()
    shown(app)
    assert not app.error
    assert len(app.get("plotly_chart")) == 1
    job_for.clear()


@EVERY_FAULT
def test_the_bootstrap_of_the_ablations(
    fault: str, open_ablations: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, mend = break_child(monkeypatch, StabilityJob, fault, "load_predictions")
    store = open_store()
    submit_once(store, get_ablation("mi-stability").spec(DatasetSpec(name="crime")))
    finish(store)
    stability_job.clear()
    app = open_ablations(ablation="mi-stability", dataset="crime", resamples="100")
    until_over(StabilityJob.what)
    shown(app)
    assert plain_text(words, longest=None) in errors(app)
    mend()
    again(app, "stability-again")
    until_over(StabilityJob.what)
    shown(app)
    assert not app.error
    assert len(app.success) == 1
    stability_job.clear()
    store.close()


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The id of a trained run in a store of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FREM_HOME", str(tmp_path_factory.mktemp("probed")))
        patch.setenv("FREM_STORE", "")
        patch.setenv("FREM_EXAMPLES", "off")
        store = open_store()
        train_sweep(
            store,
            'name = "one"\nseeds = 1\n[dataset]\nname = "gaussian_bivariate"\n[training]\n'
            'epochs = 1\nhidden = [4, 3]\n[[methods]]\nmethod = "unfair"\n',
        )
        for cached in (the_store, sweeps_table, runs_table):
            cached.clear()
        yield str(store.runs.frame()["id"][0])
        store.close()


@EVERY_FAULT
def test_the_probes_of_compare(fault: str, trained: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words, mend = break_child(monkeypatch, ProbeJob, fault, "load_model")
    probe_job._OUTCOMES.clear()
    app = open_page("4_Compare.py", run=trained, probe="1")
    until_over(ProbeJob.what)
    shown(app)
    assert plain_text(words, longest=None) in errors(app)
    mend()
    again(app, "compare-probe-again")
    until_over(ProbeJob.what)
    shown(app)
    assert words not in errors(app)
    assert not any(one.label == "Try again" for one in app.button)
    assert "the features themselves" in app.table[1].value.index


@EVERY_FAULT
def test_the_timings_of_train(fault: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words, mend = break_child(monkeypatch, TimingJob, fault, "train")
    timings = Timings()
    for module in (estimate, launch):
        monkeypatch.setattr(module, "the_timings", lambda: timings)
    app = open_page("2_Train.py", dataset="gaussian_bivariate")
    timings.wait()
    shown(app)
    told = "\n".join(one.value for one in app.markdown)
    assert "could not be measured here. Timing" in told
    assert plain_text(words, longest=None) in told
    mend()
    again(app, "time-again")
    timings.wait()
    told = "\n".join(one.value for one in shown(app).markdown)
    assert "from a few steps timed on this computer" in told
