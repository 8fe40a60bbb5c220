"""What the form asks, and the sweep that its answers stand for."""

import io

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.figures import plain_text
from frem_core.limits import Limit
from frem_core.methods import available_methods, get_method
from frem_core.store import table_id_of
from frem_core.training import TrainingConfig, relative_weights
from studio.style import _PATHS, marker_picture
from studio.train.fields import log_grid
from tests.pages.train.form import (
    KEY,
    checked,
    control,
    described,
    errors,
    exploring,
    form,
    in_address,
    labelled,
    open_train,
    section,
)

pytestmark = pytest.mark.usefixtures("store")


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


def test_a_form_belongs_to_its_viewer_alone():
    first, second = form(), form()
    first.number_input(key=f"{KEY}-frem-gamma").set_value(0.7).run()
    second.run()
    assert second.number_input(key=f"{KEY}-frem-gamma").value == 0.05
