import json
import sys
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.simulation import ESTIMATORS, Cell, EstimatorGrid, GaussianDesign, collect, simulate
from studio.lab.job import SimulationJob, job_for
from studio.lab.settings import LabSettings

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "5_Estimator_lab.py")
SMALL = {"n": ["50"], "replicates": "20", "gamma": ["0.5"], "bins": ["2"], "run": "1"}


def settings_of(address):
    lists = {key: [value] if isinstance(value, str) else value for key, value in address.items()}
    return LabSettings.from_address(lists)


def open_page(**address):
    app = AppTest.from_file(PAGE, default_timeout=240)
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not app.error
    return app


def finished_page(**address):
    """The page once its simulation is done."""
    job = job_for(settings_of(address))
    job.wait(240)
    assert job.progress().state == "done"
    return open_page(**address)


def test_before_the_first_run_the_page_says_what_will_be_seen():
    app = open_page()
    assert "Press Run to see" in [heading.value for heading in app.header]
    assert not app.get("plotly_chart")


def press(app, label):
    next(button for button in app.button if button.label == label).click()
    app.run()
    assert not app.exception
    return app


def labels(elements):
    return [element.label for element in elements]


@pytest.fixture(autouse=True)
def _forget_jobs():
    yield
    job_for.clear()


def test_opens_on_the_form_and_starts_nothing():
    app = open_page()
    assert app.title[0].value == "Estimator lab"
    assert "Weight of the tied feature (w₁²)" in labels(app.select_slider)
    assert not app.get("plotly_chart")
    assert not app.metric


def test_the_other_design_has_its_own_settings():
    app = open_page(design="multivariate", m="10", tie="0.5")
    sliders = {slider.label: slider.value for slider in app.select_slider}
    assert sliders["Dimensions of the representation (m)"] == 10
    assert sliders["Strength of the tie to S (ρ√m)"] == "0.5"
    assert "Weight of the tied feature (w₁²)" not in sliders


def test_run_puts_the_settings_into_the_address():
    app = open_page()
    next(s for s in app.select_slider if s.label.startswith("Samples of each")).set_value(20)
    next(m for m in app.multiselect if m.label.startswith("Rows")).set_value([50])
    press(app, "Run")
    assert app.query_params["run"] == "1"
    assert app.query_params["n"] == "50"
    assert app.query_params["replicates"] == "20"


def test_boxes_table_and_truth_of_a_finished_simulation():
    app = finished_page(**SMALL)
    assert app.metric[0].value == "0.10367"
    spec = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert [trace["name"] for trace in spec["data"] if trace["type"] == "box"] == [
        *("Binning", "Nadaraya–Watson", "Proposed", "Proposed, noise removed"),
    ]
    table = app.dataframe[-1].value
    assert list(table["Estimator"]) == [
        *("Binning", "Nadaraya–Watson", "Proposed", "Proposed, noise removed"),
    ]
    assert (table["Samples"] == 20).all()
    assert not any("paper" in name for name in table.columns)  # it has no n = 50


def test_the_switch_adds_the_noise_free_estimator_and_says_what_it_does_to_the_bias():
    app = finished_page(**SMALL, noise_free="0")
    assert list(app.dataframe[-1].value["Estimator"]) == ["Binning", "Nadaraya–Watson", "Proposed"]
    assert not any("noise removed, by" in text.value for text in app.markdown)
    [switch] = app.toggle
    assert switch.label == "Also without the noise of small samples"
    switch.set_value(True)
    press(app, "Run")
    assert app.query_params["noise_free"] == "1"
    app = finished_page(**SMALL, noise_free="1")
    table = app.dataframe[-1].value.set_index("Estimator")
    told = next(text.value for text in app.markdown if "noise removed, by" in text.value)
    for name in ("Proposed", "Proposed, noise removed"):
        assert f"{table.loc[name, 'Bias']:+.3f}" in told


def test_the_papers_table_is_without_the_noise_free_estimator():
    app = press(open_page(w1="0.45"), "The paper's first table")
    assert app.query_params["noise_free"] == "0"
    assert app.query_params["w1"] == "0.5"


def test_the_papers_values_stand_beside_its_own_settings():
    address = {**SMALL, "n": ["100"], "gamma": ["0.3", "0.5", "0.7"], "bins": ["2", "3", "4"]}
    table = finished_page(**address).dataframe[-1].value
    proposed = table[table["Estimator"] == "Proposed"]
    assert list(proposed["Bias, paper"]) == [0.0359, 0.0018, -0.0207]
    assert list(proposed["RMSE, paper"]) == [0.0455, 0.0274, 0.0319]


def test_several_sizes_show_what_more_data_changes():
    app = finished_page(**{**SMALL, "n": ["50", "100"]})
    assert len(app.get("plotly_chart")) == 2
    growth = json.loads(app.get("plotly_chart")[1].proto.spec)
    assert growth["layout"]["xaxis"]["title"]["text"] == "rows in a sample (n)"


def test_a_stopped_simulation_says_so_and_can_be_run_again():
    address = {**SMALL, "n": ["800"], "replicates": "1000"}
    job = job_for(settings_of(address))
    job.stop()
    job.wait(240)
    app = open_page(**address)
    assert app.info[0].value.startswith("Stopped after")
    press(app, "Run again")
    assert job_for(settings_of(address)) is not job
    assert not job_for(settings_of(address)).is_over


def test_a_failed_simulation_is_reported_without_a_traceback(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    job = job_for(settings_of(SMALL))
    job.wait(240)
    assert job.progress().state == "failed"
    app = AppTest.from_file(PAGE, default_timeout=240)
    app.query_params.update(SMALL)
    app.run()
    assert not app.exception
    assert "could not be started" in app.error[0].value


@pytest.mark.parametrize(
    "address",
    [
        {"design": "<b>x</b>", "w1": "nan", "rho": "1e9", "n": ["-5", "1e6"], "seed": "-1"},
        {"design": "multivariate", "m": "10**9", "tie": "2", "gamma": ["0"], "bins": ["1"]},
    ],
)
def test_nonsense_in_the_address_falls_back_to_the_defaults(address):
    app = open_page(**address)
    usual = LabSettings()
    shown = next(m for m in app.multiselect if m.label.startswith("Rows"))
    assert tuple(int(n) for n in shown.value) == usual.samples


def test_a_job_gives_exactly_the_numbers_of_the_library():
    settings = settings_of(SMALL)
    job = SimulationJob(settings)
    job.start()
    job.wait(240)
    expected = collect(
        simulate(
            [Cell(GaussianDesign(0.5, 0.4), 50)],
            EstimatorGrid(gammas=(0.5,), bins=(2,), estimators=ESTIMATORS),
            replicates=20,
        )
    )
    pd.testing.assert_frame_equal(collect([job.progress().estimates]), expected, atol=1e-14)
    assert job.progress().finished == job.progress().total == 20


def test_settings_survive_the_address():
    for settings in (
        LabSettings(),
        LabSettings(design="multivariate", dimension=10, tie="0.7", samples=(50, 800), draws=1000),
        LabSettings(w1_squared=0.15, rho=0.35, gammas=(1.0, 1.5), bins=(10,), seed=999),
        LabSettings(noise_free=False),
    ):
        assert settings_of(settings.to_address()) == settings


def test_the_papers_tie_is_the_papers_design():
    rho = LabSettings(design="multivariate", dimension=3).distribution.tie
    assert rho == pytest.approx(1 / (3 * 3**0.5))
