from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from frem_core.figures import plain_text
from frem_core.figures.run_titles import run_names
from frem_core.store import Progress, RunResult, RunState, Store
from frem_core.sweeps import EngineState, SweepSpec, submit
from studio import engine
from studio.engine import engine_words
from studio.store import close_store, forget_sweeps, the_store
from studio.train import runs as runs_of_sweep
from studio.train import sweep_view
from studio.train.live_charts import automatic_runs
from tests.pages.conftest import ROOT

OWNER = "a test"
HOSTILE = "<b>out</b> of $x$ **memory**"
SPEC = SweepSpec.from_toml(
    """name = "<i>five</i> runs"
seeds = 1
[dataset]
name = "gaussian_bivariate"
[training]
epochs = 4
[[methods]]
method = "frem"
fairness_weights = [0.1, 1.0, 10.0]
gamma = [0.05, 0.1]
[[methods]]
method = "unfair"
"""
)

SEARCH = """name = "a search"
seeds = [0]
[dataset]
name = "gaussian_bivariate"
[training]
epochs = 4
[search]
trainings = 15
[[methods]]
method = "frem"
[[methods]]
method = "unfair"
"""


@pytest.fixture
def store(home) -> Store:
    close_store()
    return the_store()


@pytest.fixture(autouse=True)
def asked_for_engine(monkeypatch) -> list[Store]:
    asked: list[Store] = []
    for module in (engine, runs_of_sweep, sweep_view):
        monkeypatch.setattr(module, "ensure_engine", asked.append)
    return asked


@pytest.fixture
def sweep(store) -> str:
    """Of seven runs one is done, one failed, one running; four wait."""
    name = submit(store, SPEC)
    for bundle in store.queue.claim(OWNER, bundles=9):
        store.queue.separate(OWNER, [run.id for run in bundle])
    done, failed, running = (store.queue.claim(OWNER, bundles=1)[0][0].id for _ in range(3))
    records = [{"task_loss": 0.5, "penalty": 0.2}, {"task_loss": 0.4, "penalty": 0.1}]
    for run in (done, failed, running):
        store.queue.report(OWNER, {run: Progress(epoch=2, records=records)})
    scores = {"test": {"mae": 0.1, "gdp": 0.02}, "train": {"mae": 0.09, "gdp": 0.01}}
    result = RunResult(scores=scores, history=records * 2, timings={"training": 3.0})
    store.results.finish(OWNER, done, result)
    store.queue.fail(OWNER, failed, HOSTILE)
    return name


def open_sweep(sweep: str, **address: str) -> AppTest:
    forget_sweeps()  # what a page saw a moment ago
    app = AppTest.from_file(str(ROOT / "pages" / "2_Train.py"), default_timeout=240)
    for name, value in {"sweep": sweep, **address}.items():
        app.query_params[name] = value
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def run_in(store: Store, sweep: str, state: str) -> str:
    runs = store.runs.frame(sweep)
    return str(runs[runs["state"] == state]["id"].iloc[0])


def texts(app: AppTest) -> str:
    return " ".join(one.value for one in (*app.markdown, *app.caption, *app.header, *app.subheader))


def bars(app: AppTest) -> str:
    return " ".join(one.proto.text for one in app.get("progress"))


def keys(app: AppTest) -> set[str | None]:
    return {one.key for one in app.button}


def test_progress_states_and_errors_are_shown_as_text(sweep, store, asked_for_engine):
    app = open_sweep(sweep)
    words = bars(app)
    assert "1 of 7 runs done" in words
    assert "1 training · 4 waiting · 1 failed" in words
    assert "training, epoch 2 of 4" in words
    assert "done in 5 seconds" in words
    assert plain_text(HOSTILE) in texts(app)
    assert HOSTILE not in texts(app)
    assert plain_text("<i>five</i> runs") in texts(app)
    assert asked_for_engine  # who waits also looks that an engine runs


def test_the_time_left_is_told_by_earlier_runs_or_the_sweep_is_starting(store):
    engine.finished_runs.clear()
    name = submit(store, SPEC)
    store.queue.claim(OWNER, bundles=1)
    assert "starting" in bars(open_sweep(name))
    submit(store, SweepSpec.from_dict({**SPEC.to_dict(), "seeds": [7]}))
    costs = {"epoch_processor": 60.0, "evaluation_processor": 1.0, "slowdown": 30.0}
    for runs in store.queue.claim(OWNER, bundles=9):
        for run in runs:
            store.results.finish(OWNER, run.id, RunResult(scores={}, timings=costs))
    name = submit(store, SweepSpec.from_dict({**SPEC.to_dict(), "seeds": [8]}))
    store.queue.claim(OWNER, bundles=1)
    engine.finished_runs.clear()
    # Seven runs of four epochs by one worker; the load of then is not that of now.
    assert "about 28 minutes left" in bars(open_sweep(name))


def test_runs_that_a_search_will_add_count_while_it_chooses(store):
    name = submit(store, SweepSpec.from_toml(SEARCH))
    claimed = [run.id for bundle in store.queue.claim(OWNER, bundles=9) for run in bundle]
    scores = {"test": {"mae": 0.1, "gdp": 0.02}}
    for run in claimed:
        store.results.finish(OWNER, run, RunResult(scores=scores, timings={"training": 3.0}))
    app = open_sweep(name)
    to_come = 15 + 1 - len(claimed)  # the unfair model is not searched for
    assert to_come > 0
    assert f"{len(claimed)} of 16 runs done · {to_come} to be chosen by the search" in bars(app)
    assert "**100 %**" not in bars(app)
    assert "cancel-sweep" in keys(app)  # nothing is trained at the moment, but more is to come
    app.button(key="cancel-sweep").click().run()
    assert f"{len(claimed)} of {len(claimed)} runs done" in bars(open_sweep(name))


def test_curves_and_front_show_what_is_there(sweep):
    app = open_sweep(sweep)
    front, curves = (one.proto for one in app.get("plotly_chart"))
    assert '"mode":"markers"' in front.spec.replace(" ", "")
    assert curves.spec.count('"FREM') >= 1
    table = next(one.value for one in app.dataframe if "penalty" in one.value)
    assert set(table["epoch"]) <= {1, 2, 3, 4}


def test_one_run_is_cancelled_and_resumed(sweep, store, asked_for_engine):
    app = open_sweep(sweep)
    waiting, running = run_in(store, sweep, "queued"), run_in(store, sweep, "running")
    app.button(key=f"cancel-{waiting[:12]}").click().run()
    app.button(key=f"cancel-{running[:12]}").click().run()
    checked(app)
    assert store.runs.get(waiting).state == RunState.CANCELLED
    assert store.runs.get(running).cancel_requested  # its owner stops it
    del asked_for_engine[:]
    app.button(key=f"resume-{waiting[:12]}").click().run()
    assert store.runs.get(waiting).state == RunState.QUEUED
    assert asked_for_engine


def test_the_whole_sweep_is_cancelled_and_resumed(sweep, store):
    app = open_sweep(sweep)
    app.button(key="cancel-sweep").click().run()
    assert store.sweeps.frame(sweep)["cancelled"].item() == 4
    assert run_in(store, sweep, "done")
    store.queue.cancelled(OWNER, run_in(store, sweep, "running"))
    app = open_sweep(sweep)
    assert "cancel-sweep" not in keys(app)  # nothing runs any more
    app.button(key="resume-sweep").click().run()
    checked(app)
    counts = store.sweeps.frame(sweep).iloc[0]
    assert (counts["queued"], counts["done"]) == (6, 1)
    assert "cancel-sweep" in keys(app)  # the page watches again


def test_a_running_sweep_is_not_deleted_but_a_stopped_one_is(sweep, store):
    app = open_sweep(sweep)
    app.button(key="delete-sweep").click().run()
    assert "Cancel them first" in checked(app).error[0].value
    assert len(store.sweeps.frame(sweep)) == 1
    store.sweeps.cancel(sweep)
    store.queue.cancelled(OWNER, run_in(store, sweep, "running"))
    app.button(key="delete-sweep").click().run()
    checked(app)
    assert store.sweeps.frame(sweep).empty
    assert "sweep" not in app.query_params


def test_details_hold_scores_and_a_note_that_stays(sweep, store):
    done = run_in(store, sweep, "done")
    app = open_sweep(sweep)
    app.button(key=f"details-{done[:12]}").click().run()
    app.text_area(key=f"note-{done[:12]}").set_value("=1+1 <b>odd</b>")
    next(one for one in app.button if one.label == "Save the note").click().run()
    checked(app)
    assert store.runs.get(done).note == "=1+1 <b>odd</b>"
    again = open_sweep(sweep, run=done[:12])
    assert again.text_area(key=f"note-{done[:12]}").value == "=1+1 <b>odd</b>"
    scores = next(one.value for one in again.table if "test" in one.value)
    assert set(scores["test"]) == {"0.1000", "0.0200"}
    again.button(key="close-details").click().run()
    assert "run" not in checked(again).query_params


def test_a_wrong_address_is_explained(sweep):
    assert "may have been deleted" in open_sweep("nowhere").error[0].value
    assert "names no run" in open_sweep(sweep, run="nonsense").error[0].value


def test_planning_another_sweep_goes_on_with_the_same_dataset(sweep):
    app = open_sweep(sweep)
    app.button(key="plan-another").click().run()
    checked(app)
    assert "sweep" not in app.query_params
    assert app.query_params["dataset"] in ("gaussian_bivariate", ["gaussian_bivariate"])
    assert app.checkbox
    app.button(key=f"open-{sweep}").click().run()
    assert "1 of 7 runs done" in bars(checked(app))


def test_names_tell_runs_apart(sweep, store):
    names = run_names(store.runs.frame(sweep))
    assert len(set(names.values())) == 7
    assert "FREM, λ 0.1, γ 0.05, seed 0" in names.values()
    assert "Unfair, seed 0" in names.values()


def test_curves_are_those_of_begun_runs_only(sweep, store):
    runs = store.runs.frame(sweep)
    begun = set(runs[runs["epoch"] > 0]["id"])
    picked = automatic_runs(runs)
    assert picked
    assert set(picked) <= begun


def test_the_engine_is_described_in_words():
    up = EngineState(is_running=True, host="<b>", pid=7, workers=2)
    assert "trains with 2 workers" in engine_words(up, is_needed=True)
    assert "&#60;b&#62;" in engine_words(up, is_needed=True)
    assert "is idle" in engine_words(up, is_needed=False)
    assert "disk is full" in engine_words(replace(up, message="disk is full"), is_needed=True)
    down = EngineState(is_running=False)
    assert "is starting" in engine_words(down, is_needed=True)
    assert "not running" in engine_words(down, is_needed=False)
