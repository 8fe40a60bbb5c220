"""Whatever stands in an address: a page shows itself or a sentence, never a traceback."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from studio.store import close_store
from tests.generated.damage import generated

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *("1_Data", "2_Train", "3_Trade-offs", "4_Compare", "5_Estimator_lab", "6_Ablations"),
    *("7_Audit", "7_Predict"),
]
NAMES = [
    *("dataset", "table", "target", "sensitive", "features", "task", "edges", "id", "fairness"),
    *("sweep", "run", "subject", "split", "goal", "gamma", "groups", "ablation", "reading", "from"),
    *("prediction", "factor", "with", "rule", "cut", "design", "n", "seed", "estimator"),
]
texts = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            *(
                "",
                "crime",
                "adult",
                "0",
                "-1",
                "1e999",
                "nan",
                "inf",
                "0" * 64,
                "0" * 20,
                "a" * 9000,
            ),
            *("<script>alert(1)</script>", "../../../etc/passwd", "'; DROP TABLE runs; --"),
            *("%00", "\x00", "\x1b[2J", "run", "test", "{{7*7}}", "javascript:alert(1)", "eo"),
        ]
    ),
)
addresses = st.dictionaries(
    st.sampled_from(NAMES), st.lists(texts, min_size=1, max_size=3), max_size=8
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("FREM_EXAMPLES", "off")
    close_store()


def a_visit(page: str, address: dict[str, Any]) -> None:
    app = AppTest.from_file(str(ROOT / "pages" / f"{page}.py"), default_timeout=240)
    for name, given_values in address.items():
        app.query_params[name] = given_values
    app.run()
    assert not app.exception
    shown = [one.value for kind in (app.error, app.warning, app.markdown) for one in kind]
    assert not any("was not foreseen" in str(one.proto) for one in app.error)
    assert not any("<script>" in value for value in shown)


@generated(25)
@given(st.sampled_from(PAGES), addresses)
def test_addresses(page: str, address: dict[str, Any]) -> None:
    a_visit(page, address)


@pytest.mark.slow
@generated(500)
@given(st.sampled_from(PAGES), addresses)
def test_many_addresses(page: str, address: dict[str, Any]) -> None:
    a_visit(page, address)
