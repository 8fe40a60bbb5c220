"""Starting a sweep, from the form or from a file."""

import tomllib

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.figures import plain_text
from frem_core.limits import Limit
from frem_core.sweeps import SweepSpec
from tests.pages.conftest import ROOT
from tests.pages.train.form import (
    KEY,
    checked,
    control,
    described,
    errors,
    form,
    in_address,
    open_train,
)

pytestmark = pytest.mark.usefixtures("store")


def test_starting_queues_exactly_the_described_runs_once(store, started_engines):
    app = form()
    app.slider(key=f"{KEY}-seeds").set_value(2).run()
    spec = described(app)
    app.button(key="launch-sweep").click().run()
    checked(app)
    sweep = in_address(app, "sweep")
    wanted = {run.identity for run in spec.expand()}
    assert set(store.runs.frame(sweep)["id"]) == wanted
    assert len(started_engines) == 1
    assert started_engines[0].url == store.url
    resolved = SweepSpec.from_toml(store.sweeps.spec(sweep))
    assert resolved.methods[0].limits == (Limit(keep=0.5),)


@pytest.mark.parametrize("name", ["adult", "adult.csv"])
def test_a_table_called_adult_does_not_get_the_settings_of_adult(store, name):
    frame = pd.DataFrame({"age": range(20, 140), "hours": [8, 4] * 60, "paid": [0, 1, 1] * 40})
    table = store.tables.keep(frame, table_id=f"{len(name):020x}", name=name)
    address = {"dataset": f"table-{table.id}", "target": "paid", "sensitive": "age"}
    app = open_train(**address)
    checked(app.button(key="launch-sweep").click().run())
    resolved = SweepSpec.from_toml(store.sweeps.spec(in_address(app, "sweep")))
    assert resolved.methods[0].limits == (Limit(keep=0.5),)
    assert resolved.training["batch_size"] == 200  # Adult's is 1024
    page = AppTest.from_file(str(ROOT / "pages" / "1_Data.py"), default_timeout=240)
    page.query_params |= address
    assert plain_text(name) in [one.value for one in checked(page.run()).header]


def file_page() -> AppTest:
    app = open_train()
    control(app, "train-way").set_value("file").run()
    return checked(app)


GOOD = """name = "from a file"
seeds = 2
[dataset]
name = "gaussian_bivariate"
[[methods]]
method = "frem"
fairness_weights = [0.1, 1.0]
"""


def test_a_pasted_file_can_be_started(store, started_engines):
    app = file_page()
    app.text_area(key="spec-text").set_value(GOOD).run()
    assert app.button(key="launch-sweep").label == "Train 4 runs"
    app.button(key="launch-sweep").click().run()
    sweep = in_address(checked(app), "sweep")
    assert store.sweeps.frame(sweep)["name"].item() == "from a file"
    assert started_engines


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "This is not TOML"),
        (GOOD.replace('"frem"', '"frm"'), "Did you mean 'frem'?"),
        (GOOD.replace("seeds = 2", "sedes = 2"), "Did you mean 'seeds'?"),
        (GOOD.replace("[0.1, 1.0]", "[-1]"), "(fairness weight) must be a number from 0"),
        (GOOD.replace('"gaussian_bivariate"', '"<b>x</b>"'), "no built-in dataset '<b>x</b>'"),
        (
            GOOD.replace(
                'name = "gaussian_bivariate"', 'path = "a.csv"\ntarget="y"\nsensitive="s"'
            ),
            "upload the table on the Data page",
        ),
        (
            GOOD.replace("seeds", 'fairness = "eo"\nseeds').replace("frem", "mmd"),
            "equal opportunity",
        ),
        (GOOD.replace("[[methods]]", "[training]\nepochs = 0\n[[methods]]"), "epochs = 0"),
        (
            GOOD.replace("seeds = 2", "seeds = 1000").replace("[0.1, 1.0]", str(list(range(9)))),
            "runs, more than",
        ),
    ],
)
def test_a_wrong_file_is_explained_and_cannot_be_started(text, message):
    app = file_page()
    app.text_area(key="spec-text").set_value(text).run()
    assert plain_text(message, longest=None) in errors(checked(app))
    assert not [one for one in app.button if one.key == "launch-sweep"]


def test_the_file_on_offer_replays_the_same_sweep():
    app = form()
    text = next(code.value for code in app.code if "[dataset]" in code.value)
    assert tomllib.loads(text)["dataset"] == {"name": "gaussian_bivariate"}
    command = next(code.value for code in app.code if code.value.startswith("frem sweep"))
    assert command == "frem sweep simulation-frem-unfair.toml --watch"
    again = file_page()
    again.text_area(key="spec-text").set_value(text).run()
    assert described(checked(again)) == described(app)
