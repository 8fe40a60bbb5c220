import logging

import pytest
from streamlit.testing.v1 import AppTest


def _fails_on_purpose() -> None:
    from frem_core.errors import DataError
    from studio.page import page

    with page("Trial", lead="A trial."):
        raise DataError("Column '<b>x</b>' is missing.")


def _fails_by_surprise() -> None:
    from studio.page import page

    with page("Trial"):
        raise ZeroDivisionError("secret detail")


def _fails_in_a_fragment() -> None:
    import streamlit as st

    from studio.guard import guard
    from studio.page import page

    @st.fragment
    @guard()
    def part() -> None:
        if st.button("Go", key="go"):
            raise ZeroDivisionError("secret detail")

    with page("Trial"):
        part()
        st.markdown("after")


def _stops_and_reruns() -> None:
    import streamlit as st

    from studio.page import page

    with page("Trial"):
        st.session_state.setdefault("runs", 0)
        st.session_state["runs"] += 1
        if st.session_state["runs"] < 3:
            st.rerun()
        st.markdown(f"runs {st.session_state['runs']}")
        st.stop()


def test_an_error_for_users_is_shown_as_text() -> None:
    app = AppTest.from_function(_fails_on_purpose).run()
    assert not app.exception
    assert app.title[0].value == "Trial"
    assert len(app.error) == 1
    assert "is missing" in app.error[0].value
    assert "<b>" not in app.error[0].value


def test_a_surprise_is_logged_under_the_id_that_is_shown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        app = AppTest.from_function(_fails_by_surprise).run()
    assert not app.exception
    assert len(app.error) == 1
    shown = app.error[0].value
    assert "secret detail" not in shown
    record = next(record for record in caplog.records if "error id" in record.getMessage())
    assert record.getMessage().split()[-1] in shown
    assert record.exc_info is not None


def test_a_fragment_is_guarded_on_its_own_reruns() -> None:
    app = AppTest.from_function(_fails_in_a_fragment).run()
    app.button(key="go").click().run()
    assert not app.exception
    assert len(app.error) == 1
    assert "secret detail" not in app.error[0].value


def test_reruns_and_stops_pass_through() -> None:
    app = AppTest.from_function(_stops_and_reruns).run()
    assert not app.exception
    assert not app.error
    assert app.session_state["runs"] == 3
