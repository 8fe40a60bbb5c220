import io
import tomllib
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.figures import plain_text
from frem_core.limits import Limit
from frem_core.methods import available_methods, get_method
from frem_core.store import Store, table_id_of
from frem_core.sweeps import SweepSpec
from frem_core.training import TrainingConfig, relative_weights
from studio.engine import finished_runs
from studio.store import close_store, the_store
from studio.style import _PATHS, marker_picture
from studio.train.fields import choice_words, log_grid, log_stops, nearest_stop
from tests.pages.conftest import ROOT

KEY = "train-gaussian_bivariate"


@pytest.fixture(autouse=True)
def store(home: Path) -> Store:
    close_store()
    finished_runs.clear()
    return the_store()


def open_train(**address: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages" / "2_Train.py"), default_timeout=240)
    for name, value in address.items():
        app.query_params[name] = value
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def form() -> AppTest:
    app = open_train(dataset="gaussian_bivariate")
    assert not app.error
    return app


def described(app: AppTest) -> SweepSpec:
    """The sweep that the form stands for, as its file says."""
    text = next(code.value for code in app.code if "[dataset]" in code.value)
    return SweepSpec.from_toml(text)


def section(app: AppTest, method: str):
    return next(one for one in described(app).methods if one.method == method)


def labelled(widgets, label: str):
    [found] = [one for one in widgets if one.label == label]
    return found


def control(app: AppTest, key: str):
    return next(one for one in app.get("button_group") if one.key == key)


def in_address(app: AppTest, name: str) -> str:
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def errors(app: AppTest) -> str:
    return " ".join(error.value for error in app.error)


def test_without_a_dataset_one_click_takes_a_built_in_one():
    app = open_train()
    assert not app.checkbox
    app.button(key="train-on-gaussian_bivariate").click().run()
    assert in_address(app, "dataset") == "gaussian_bivariate"
    assert described(checked(app)).dataset.name == "gaussian_bivariate"


def test_a_table_without_named_columns_is_sent_back_to_name_them(store):
    frame = pd.DataFrame({"a": range(20), "b": range(20)})
    store.tables.keep(frame, table_id="0" * 20, name="t.csv")
    app = open_train(dataset="table-" + "0" * 20)
    assert "not named yet" in app.info[0].value
    assert not app.checkbox


def test_every_registered_method_has_a_card_with_its_own_words():
    app = form()
    words = " ".join(one.value for one in app.markdown)
    for name in available_methods():
        method = get_method(name)
        assert app.checkbox(key=f"{KEY}-use-{name}").label == plain_text(method.title)
        assert plain_text(method.explanation, longest=None) in words
        assert plain_text(method.citation, longest=None) in words


def test_every_method_has_a_marker_of_its_own():
    pictures = {marker_picture(get_method(name), dark=False) for name in available_methods()}
    assert len(pictures) == len(available_methods())
    drawn = {get_method(name).symbol for name in available_methods()} & _PATHS.keys()
    assert len({_PATHS[symbol] for symbol in drawn}) == len(drawn) >= 8


def test_the_untouched_form_is_frem_at_half_of_the_dependence_of_its_reference():
    spec = described(form())
    assert [one.method for one in spec.methods] == ["frem", "unfair"]
    assert [one.limits for one in spec.methods] == [(Limit(score="hgr", keep=0.5),), ()]
    assert spec.count() == 2 * len(spec.seeds)
    assert spec.seeds == (0, 1, 2, 3, 4)
    assert spec.fairness == "dp"
    assert spec.methods[0].settings["gamma"] == (0.05,)
    assert spec.training["epochs"] == TrainingConfig().epochs


def test_every_declared_setting_of_every_method_is_in_the_form():
    app = form()
    for name in available_methods():
        app.checkbox(key=f"{KEY}-use-{name}").check()
    checked(app.run())
    assert not app.error
    keys = {
        one.key
        for kind in ("select_slider", "number_input", "selectbox", "toggle", "button_group")
        for one in app.get(kind)
    }
    for name in available_methods():
        for setting in get_method(name).parameters():
            if setting != "fairness":
                assert f"{KEY}-{name}-{setting}" in keys


def test_slider_and_number_stay_in_step_and_reach_the_sweep():
    app = form()
    label = "Bandwidth on the sensitive attribute (γ)"
    labelled(app.select_slider, label).set_value(0.2).run()
    assert labelled(app.number_input, f"{label}, typed").value == 0.2
    assert section(app, "frem").settings["gamma"] == (0.2,)
    labelled(app.number_input, f"{label}, typed").set_value(0.0345).run()
    assert labelled(app.select_slider, label).value == 0.03
    assert section(app, "frem").settings["gamma"] == (0.0345,)


def test_fields_say_their_value_every_time_they_are_drawn():
    """A browser that is busy may see only the second of two quick drawings."""
    app = form()
    label = "Bandwidth on the sensitive attribute (γ)"
    labelled(app.number_input, f"{label}, typed").set_value(0.2).run()
    app.run()
    slider = labelled(app.select_slider, label).proto
    assert [float(slider.options[int(stop)]) for stop in slider.default] == [0.2]
    start = form().run()
    assert labelled(start.number_input, f"{label}, typed").proto.default == 0.05
    assert start.slider(key=f"{KEY}-seeds").proto.default == [5]
    assert start.checkbox(key=f"{KEY}-use-frem").proto.default


def test_a_limit_is_a_share_or_a_value_of_the_chosen_score():
    app = form()
    app.slider(key=f"{KEY}-need-share").set_value(20)
    app.selectbox(key=f"{KEY}-need-score-dp").set_value("gdp").run()
    assert section(app, "frem").limits == (Limit(score="gdp", keep=0.2),)
    control(app, f"{KEY}-need").set_value("most").run()
    app.number_input(key=f"{KEY}-need-value-gdp").set_value(0.03).run()
    assert section(app, "frem").limits == (Limit(score="gdp", at_most=0.03),)
    assert f"{KEY}-policy" not in [one.key for one in app.get("button_group")]


def test_one_range_in_units_of_the_balance_serves_all_methods():
    app = exploring()
    app.checkbox(key=f"{KEY}-use-mmd").check().run()
    assert section(app, "frem").relative_weights == relative_weights()
    app.slider(key=f"{KEY}-need-count").set_value(4).run()
    spec = described(app)
    assert {one.relative_weights for one in spec.methods} == {relative_weights(4), ()}
    assert spec.count() == (4 + 4 + 1) * len(spec.seeds)


def exploring():
    """A form for a whole trade-off."""
    app = form()
    return control(app, f"{KEY}-need").set_value("explore").run()


def test_a_range_of_fairness_weights_is_spread_evenly_on_the_log_scale():
    app = exploring()
    control(app, f"{KEY}-frem-weights-mode").set_value("own").run()
    app.select_slider(key=f"{KEY}-frem-weights-lowest-slider").set_value(0.01)
    app.select_slider(key=f"{KEY}-frem-weights-highest-slider").set_value(10.0).run()
    app.slider(key=f"{KEY}-frem-weights-count").set_value(4).run()
    assert section(app, "frem").fairness_weights == (0.01, 0.1, 1.0, 10.0)
    highest = "Highest fairness weight (λ)"
    labelled(app.number_input, f"{highest}, typed").set_value(0.001).run()
    assert labelled(app.select_slider, highest).value == 0.001
    assert section(app, "frem").fairness_weights == log_grid(0.001, 0.01, 4)
    assert app.button(key="launch-sweep").label == f"Train {4 * 5 + 5} runs"


def test_a_bandwidth_chosen_by_validation_is_not_asked_for():
    app = exploring()
    control(app, f"{KEY}-policy").set_value("validate").run()
    assert not [one for one in app.number_input if one.key == f"{KEY}-frem-gamma"]
    app.multiselect(key=f"{KEY}-candidates").set_value([0.5, 0.02]).run()
    spec = described(checked(app))
    assert spec.gamma.candidates == (0.02, 0.5)
    assert "gamma" not in spec.methods[0].settings
    app.multiselect(key=f"{KEY}-candidates").set_value([]).run()
    assert "candidates" in errors(app)
    assert not [one for one in app.button if one.key == "launch-sweep"]


def test_sigma_may_be_the_median_and_kernels_may_be_chosen():
    app = form()
    control(app, f"{KEY}-frem-sigma-kind").set_value("median").run()
    control(app, f"{KEY}-frem-sensitive_kernel").set_value("triangular").run()
    settings = section(checked(app), "frem").settings
    assert settings["sigma"] == ("median",)
    assert settings["sensitive_kernel"] == ("triangular",)


def test_advanced_settings_reach_the_sweep_and_wrong_ones_are_explained():
    app = form()
    app.number_input(key=f"{KEY}-epochs").set_value(7)
    app.text_input(key=f"{KEY}-mlp-hidden").set_value("30, 20, 10")
    app.toggle(key=f"{KEY}-each").set_value(False)
    app.text_input(key=f"{KEY}-name").set_value("  <b>mine</b> ").run()
    spec = described(checked(app))
    assert spec.name == "<b>mine</b>"
    assert spec.training["epochs"] == 7
    assert list(spec.training["hidden"]) == [30, 20, 10]
    assert spec.split.seed == 0
    app.text_input(key=f"{KEY}-mlp-hidden").set_value("thirty").run()
    assert plain_text("hidden = 'thirty' (layer sizes) must be whole numbers", longest=None) in (
        errors(checked(app))
    )


def test_encoders_are_those_that_can_read_the_data():
    assert control(form(), f"{KEY}-encoder").options == ["mlp"]
    graph = open_train(dataset="german")
    encoder = control(graph, "train-german-encoder")
    assert (encoder.value, set(encoder.options)) == ("gcn", {"gcn", "mlp", "sgc"})
    encoder.set_value("mlp").run()
    assert described(checked(graph)).training["encoder"] == "mlp"
    assert "hidden" not in described(graph).training  # what suits the encoder


def test_without_a_method_nothing_can_be_started():
    app = form()
    for name in ("frem", "unfair"):
        app.checkbox(key=f"{KEY}-use-{name}").uncheck()
    app.run()
    assert "Tick at least one" in errors(checked(app))
    assert not [one for one in app.button if one.key == "launch-sweep"]


def test_equal_opportunity_is_offered_only_where_it_exists(store, clinic):
    content = clinic.to_csv(index=False).encode()
    table_id = table_id_of(io.BytesIO(content).getbuffer())
    store.tables.keep(clinic.drop(columns="patient_id"), table_id=table_id, name="clinic.csv")
    address = {"dataset": f"table-{table_id}", "target": "recovered", "sensitive": "age"}
    app = open_train(**address, fairness="eo")
    spec = described(app)
    assert spec.fairness == "eo"
    assert spec.dataset.table == table_id
    for name in available_methods():
        able = get_method(name).supports_equal_opportunity
        assert app.checkbox(key=f"train-table-{table_id}-use-{name}").disabled is not able
    reasons = " ".join(one.value for one in app.caption)
    assert plain_text("LAFTR has no form for equal opportunity", longest=None) in reasons
    regression = open_train(dataset="crime", fairness="eo")
    assert described(regression).fairness == "dp"
    assert "Equal opportunity cannot be asked for here" in " ".join(
        one.value for one in regression.caption
    )


def test_an_unknown_dataset_is_named_and_others_are_offered():
    app = open_train(dataset="nonsense")
    assert not app.exception
    assert "nonsense" in app.error[0].value
    assert app.button(key="train-on-crime")


@pytest.mark.parametrize(("shown", "expected"), [("dp", {"sweep"}), ("eo", {"sweep", "fairness"})])
def test_a_notion_that_did_not_change_leaves_the_address_alone(shown, expected):
    def page(shown):
        import streamlit as st

        from studio.train.sweep_form import _take_notion

        st.query_params["sweep"] = "1a2b"
        st.session_state["notion"] = "dp"
        _take_notion("notion", shown)

    app = AppTest.from_function(page, args=(shown,)).run()
    assert not app.exception
    assert set(app.query_params) == expected


def test_choices_are_offered_in_words():
    assert choice_words("rbf") == "Gaussian (RBF)"
    assert choice_words("median") == "Median"
    assert choice_words("selu") == "selu"
    kernels = form().get("button_group")
    assert any(
        "Epanechnikov" in [option.content for option in one.proto.options] for one in kernels
    )


def test_a_form_belongs_to_its_viewer_alone():
    first, second = form(), form()
    first.number_input(key=f"{KEY}-frem-gamma").set_value(0.7).run()
    second.run()
    assert second.number_input(key=f"{KEY}-frem-gamma").value == 0.05


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


def test_log_stops_cover_their_range_with_round_numbers():
    stops = log_stops(0.001, 10)
    assert stops[0] == 0.001
    assert stops[-1] == 10
    assert all(after / before <= 2 for before, after in pairwise(stops))
    assert nearest_stop(stops, 0.0) == 0.001
    assert nearest_stop(stops, 1e9) == 10
    for stop in stops:
        assert nearest_stop(stops, stop) == stop


@pytest.mark.parametrize("count", [1, 2, 7, 30])
def test_a_log_grid_has_equal_ratios_and_both_ends(count):
    grid = log_grid(0.003, 40.0, count)
    assert len(grid) == count
    assert grid[0] == 0.003
    if count > 1:
        assert grid[-1] == 40.0
        wanted = (40.0 / 0.003) ** (1 / (count - 1))
        for before, after in pairwise(grid):
            assert after / before == pytest.approx(wanted, rel=0.02)
