from html import unescape

import numpy as np
import pandas as pd

from studio.audit.job import job_for
from studio.audit.order import AuditOrder, usual_columns
from studio.tables import the_tables
from tests.pages.conftest import OpenPage


def _kept() -> str:
    random = np.random.default_rng(0)
    age = random.integers(18, 90, 200)
    frame = pd.DataFrame(
        {
            "years": age,
            "risk": np.clip(age / 100 + random.normal(0, 0.1, 200), 0, 1),
            "risk_b": random.random(200),
            "wahr": random.choice(["ja", "nein"], 200),
            "job": random.choice(["a", "b"], 200),
        }
    )
    the_tables().keep(frame, table_id="a" * 20, name="scored.csv", kind="table")
    return "a" * 20


def test_two_predictions_share_axes_and_rules_are_decided(open_audit: OpenPage) -> None:
    table = _kept()
    address = {"table": table, "prediction": "risk", "sensitive": "years", "target": "wahr"}
    app = open_audit(**address, factor="job", **{"with": "column:risk_b"})
    for name in ("risk", "risk_b"):
        job_for(
            AuditOrder(
                title=name,
                prediction=name,
                sensitive="years",
                table=table,
                target="wahr",
                factors=("job",),
            )
        ).wait()
    app.run()
    assert not app.exception
    words = " ".join(one.value for one in app.markdown)
    assert "Predictions follow years" in words
    assert "the smallest that so many shuffles allow" in words
    assert any("the smallest that 199 shuffles can give" in one.value for one in app.caption)
    assert any("Class 1 is wahr = ja" in unescape(one.value) for one in app.caption)
    assert "Between people alike in the given factors" in words
    assert len(app.subheader) == 2  # one for each prediction
    assert "**broken**: `range<=0.05`" in words
    assert [tab.label for tab in app.tabs][-1] == "Documents"


def test_a_first_guess_needs_no_known_names() -> None:
    sample = pd.DataFrame({"alter": [1.0, 2.0], "vorhersage": [0.1, 0.2], "wort": ["a", "b"]})
    guess = usual_columns(list(sample.columns), sample)
    assert guess["sensitive"] == "alter"
    assert guess["prediction"] in ("vorhersage", "alter")


def test_decisions_in_words_are_guessed_where_the_only_number_is_the_attribute() -> None:
    sample = pd.DataFrame({"Alter": [31, 62], "Ort": ["a", "b"], "Entscheidung": ["ja", "nein"]})
    guess = usual_columns(list(sample.columns), sample)
    assert (guess["sensitive"], guess["prediction"]) == ("Alter", "Entscheidung")


def test_the_positive_class_is_chosen_and_stays_in_the_address(open_audit: OpenPage) -> None:
    table = _kept()
    app = open_audit(table=table)
    boxes = {one.label: one for one in app.selectbox}
    boxes["Prediction"].set_value("job")
    boxes["Sensitive attribute (S)"].set_value("years")
    boxes["True outcome, if known"].set_value("(none)")
    boxes["Positive class"].set_value(("wahr", "ja"))
    submit = next(one for one in app.button if one.label == "Audit")
    submit.click().run()
    assert "'wahr', which is neither prediction nor" in unescape(app.error[0].value)
    boxes["Positive class"].set_value(("job", "a"))
    submit.click().run()
    assert app.query_params["positive"] == "a"
    order = AuditOrder(title="job", prediction="job", sensitive="years", table=table, positive="a")
    job_for(order).wait()
    app.run()
    assert not app.exception
    assert any(
        "Class 1 is job = a, class 0 is job = b" in unescape(one.value) for one in app.caption
    )
    chosen = next(one for one in app.selectbox if one.label == "Positive class")
    assert chosen.value == ("job", "a")


def test_a_file_with_too_few_rows_is_refused_before_its_columns(open_audit: OpenPage) -> None:
    frame = pd.DataFrame({"age": range(9), "score": range(9)})
    the_tables().keep(frame, table_id="b" * 20, name="few.csv", kind="table")
    app = open_audit(table="b" * 20)
    assert "few.csv has 9 rows; an audit needs 10 at least" in unescape(app.error[0].value)
    assert "Prediction" not in [one.label for one in app.selectbox]
