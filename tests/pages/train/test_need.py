"""What a viewer asks for where there are several sensitive attributes."""

from streamlit.testing.v1 import AppTest


def _draw() -> None:
    import numpy as np
    import streamlit as st

    from frem_core.attributes import Attributes
    from studio.train.need import need_field

    people = Attributes(("age", "sex"), np.zeros((2, 2)), (None, ("f", "m")))
    need = need_field(
        "here",
        fairness="dp",
        task="regression",
        sensitive="age",
        test_rows=100,
        attributes=people,
    )
    st.session_state["asked"] = need.limit and need.limit.text


def test_a_limit_is_about_each_attribute_or_about_one():
    app = AppTest.from_function(_draw, default_timeout=60).run()
    assert not app.exception
    assert "age and sex" in app.get("button_group")[0].label
    assert app.session_state["asked"] == "age:gdp=50%; sex:gdp=50%"
    measured = app.selectbox(key="here-need-score-dp-category")
    assert len(measured.options) == 2  # a category has no ΔHGR and no MI
    app.selectbox(key="here-need-attribute").set_value("age").run()
    app.slider(key="here-need-share").set_value(20).run()
    assert app.session_state["asked"] == "age:hgr=20%"
    app.selectbox(key="here-need-attribute").set_value("sex").run()
    assert app.session_state["asked"] == "sex:gdp=20%"


def test_a_value_below_chance_is_told_before_training():
    app = AppTest.from_function(_draw, default_timeout=60).run()
    app.selectbox(key="here-need-attribute").set_value("age").run()
    app.get("button_group")[0].set_value("most").run()
    assert app.session_state["asked"] == "age:hgr=0.2"
    assert not app.warning
    app.number_input(key="here-need-value-hgr").set_value(0.05).run()
    assert not app.exception
    (warning,) = app.warning
    assert "below what chance alone shows on 100 test rows" in warning.value
