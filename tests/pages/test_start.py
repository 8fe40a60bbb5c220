import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.library import available_examples
from frem_core.store import Store, open_store
from frem_core.sweeps import example_sweep, submit, submit_once
from studio.start.example import answer_of
from studio.start.live import state_words
from tests.pages.conftest import OpenPage


def _texts(app: AppTest) -> str:
    shown = [*app.title, *app.header, *app.subheader, *app.markdown, *app.caption]
    return "\n".join(str(element.value) for element in shown)


def _links(app: AppTest) -> dict[str, str]:
    return {link.proto.label: link.proto.query_string for link in app.main.get("page_link")}


def _finish(runs: pd.DataFrame, scores: dict[str, tuple[float, float]]) -> pd.DataFrame:
    """Runs as they look once they are trained, with a (MAE, HGR) per method."""
    return runs.assign(
        state="done",
        **{
            "test.mae": [scores[name][0] for name in runs["method"]],
            "test.hgr": [scores[name][1] for name in runs["method"]],
        },
    )


def test_says_what_it_is_with_a_picture_and_offers_the_example(open_start: OpenPage) -> None:
    app = open_start()
    assert not app.exception
    assert not app.error
    assert "how much accuracy does fairness" in _texts(app)
    assert "Nothing has been trained yet" in _texts(app)
    assert "not running" in _texts(app)
    [picture] = app.get("plotly_chart")
    assert len(picture.proto.alt) > 50
    assert app.button(key="run-example")


def test_the_example_is_one_sweep_however_often_it_is_clicked(open_start: OpenPage) -> None:
    first, second = open_start(), open_start()
    first.button(key="run-example").click().run()
    second.button(key="run-example").click().run()  # another viewer, who saw the same offer
    store = open_store()
    sweeps = store.sweeps.frame()
    assert len(sweeps) == 1
    assert sweeps["name"][0] == example_sweep().name
    for app in (first, second, open_start()):
        assert not app.exception
        assert not any(button.key == "run-example" for button in app.button)
        assert "0 of 28 models trained" in "".join(bar.text for bar in app.get("progress"))
    store.close()


def test_links_lead_to_the_sweep_once_there_is_something_to_see(open_start: OpenPage) -> None:
    store = open_store()
    sweep = submit_once(store, example_sweep())
    app = open_start()
    assert _links(app)["Open the training"] == f"sweep={sweep}"
    assert "Open the trade-offs" not in _links(app)
    assert "As soon as the first models are trained" in _texts(app)
    store.close()


def test_a_cancelled_example_can_be_taken_up_again(open_start: OpenPage) -> None:
    store = open_store()
    sweep = submit_once(store, example_sweep())
    store.sweeps.cancel(sweep)
    app = open_start()
    assert "the others failed or were cancelled" in _texts(app)
    app.button(key="resume-example").click().run()
    assert store.sweeps.frame(sweep)["queued"][0] == 28
    store.close()


def test_names_of_sweeps_are_text(open_start: OpenPage) -> None:
    store = open_store()
    spec = example_sweep()
    submit(store, type(spec).from_dict(spec.to_dict() | {"name": "<b>$x$</b> :smile:"}))
    app = open_start()
    assert not app.exception
    assert "<b>" not in _texts(app)
    assert "0 of 28 runs done, 28 waiting" in _texts(app)
    store.close()


def test_finished_examples_are_one_click_away(
    open_start: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "See the trade-off" not in _links(open_start())  # where examples are left out
    monkeypatch.delenv("FREM_EXAMPLES")
    app = open_start()
    assert not app.exception
    assert "Finished results to look at" in _texts(app)
    shown = {
        link.proto.query_string
        for link in app.main.get("page_link")
        if link.proto.label == "See the trade-off"
    }
    assert shown == {f"sweep={example}" for example in available_examples()}
    for about in available_examples().values():
        assert f"{about.runs:,} trained models" in _texts(app)
        assert about.made in _texts(app)


def test_addresses_of_datasets_lead_to_the_data_page(open_start: OpenPage) -> None:
    app = open_start(dataset="crime", groups="7")
    assert not app.exception
    assert app.title[0].value == "Data"
    assert app.slider(key="groups-crime").value == 7


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """The example's runs before any of them is trained."""
    store = Store(folder=tmp_path_factory.mktemp("answer"))
    table = store.runs.frame(submit(store, example_sweep()))
    store.close()
    return table


class TestAnswer:
    def test_is_open_until_both_are_known(self, runs: pd.DataFrame) -> None:
        assert answer_of(runs) is None
        done = _finish(
            runs, {"unfair": (0.1, 0.5), "frem": (0.12, 0.2), "reg_gdp": (1, 1), "mmd": (1, 1)}
        )
        assert answer_of(done[done["method"] != "unfair"]) is None

    def test_names_the_price_of_halving_the_dependence(self, runs: pd.DataFrame) -> None:
        done = _finish(
            runs, {"unfair": (0.1, 0.5), "frem": (0.3, 0.2), "reg_gdp": (1, 1), "mmd": (1, 1)}
        )
        good = (done["method"] == "frem") & (done["config.fairness_weight"] == 0.6)
        done.loc[good, ["test.mae", "test.hgr"]] = (0.118, 0.24)
        words = answer_of(done)
        assert words is not None
        assert "HGR from 0.50 to 0.24" in words
        assert "makes the mean error 18 % larger: it goes from 0.100 to 0.118" in words
        assert "fairness weight (λ) 0.6" in words

    def test_says_so_when_it_costs_nothing_or_is_not_reached(self, runs: pd.DataFrame) -> None:
        scores = {"unfair": (0.1, 0.5), "frem": (0.1, 0.2), "reg_gdp": (1, 1), "mmd": (1, 1)}
        assert "does not make the mean error larger" in str(answer_of(_finish(runs, scores)))
        scores["frem"] = (0.1, 0.4)
        assert "down to 0.40 at best" in str(answer_of(_finish(runs, scores)))


def test_states_are_said_in_words() -> None:
    row = pd.Series({"done": 3, "runs": 9, "running": 1, "queued": 2, "failed": 2, "cancelled": 1})
    assert state_words(row) == "3 of 9 runs done, 1 training, 2 waiting, 2 failed, 1 cancelled"
