"""Pages without a browser."""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.store import Store
from studio.store import close_store
from studio.train import estimate
from studio.train.pace import Pace

ROOT = Path(__file__).resolve().parents[2]
OpenPage = Callable[..., AppTest]


@pytest.fixture(autouse=True)
def no_engine(started_engines: list[Store]) -> None:
    """No page starts a real engine."""


class _Timed:
    """Stands for timings that are over, so that no page starts a process for them."""

    def ask(self, dataset: object, bundles: object) -> None:
        pass

    def paces(self, kinds: Iterable[str]) -> dict[str, Pace]:
        return dict.fromkeys(kinds, Pace(0.01, 1.0))

    def is_measuring(self, kinds: object) -> bool:
        return False


@pytest.fixture(autouse=True)
def finished_timings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No page measures how long training takes; that has tests of its own."""
    monkeypatch.setattr(estimate, "the_timings", _Timed)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder for one test; the store of the test before is let go of."""
    folder = tmp_path / "home"
    monkeypatch.setenv("FREM_HOME", str(folder))
    monkeypatch.setenv("FREM_EXAMPLES", "off")
    close_store()
    return folder


def _opener(script: str) -> OpenPage:
    def open_page(**address: str | list[str]) -> AppTest:
        app = AppTest.from_file(str(ROOT / script), default_timeout=240)
        for name, value in address.items():
            app.query_params[name] = value
        return app.run()

    return open_page


@pytest.fixture
def open_start(home: Path) -> OpenPage:
    """Opens the Start page with an address such as ``sweep="…"``."""
    return _opener("app.py")


@pytest.fixture
def open_data(home: Path) -> OpenPage:
    """Opens the Data page with an address such as ``dataset="crime"``."""
    return _opener("pages/1_Data.py")


@pytest.fixture
def open_ablations(home: Path) -> OpenPage:
    """Opens the Ablations page with an address such as ``ablation="sigma"``."""
    return _opener("pages/6_Ablations.py")


@pytest.fixture
def open_audit(home: Path) -> OpenPage:
    """Opens the Audit page with an address such as ``table="…"``."""
    return _opener("pages/7_Audit.py")


@pytest.fixture
def clinic() -> pd.DataFrame:
    """A small table as a user might bring it, with an identifier, gaps and hostile names."""
    rng = np.random.default_rng(0)
    age = rng.integers(18, 90, size=300)
    frame = pd.DataFrame(
        {
            "patient_id": [f"P{number:04d}" for number in range(300)],
            "age": age,
            "<b>dose</b>": age / 10 + rng.normal(size=300),
            "ward $x$": rng.choice(["**north**", "south", "=1+1"], size=300),
            "recovered": np.where(rng.random(300) < age / 100, "yes", "no"),
        }
    )
    frame.loc[::20, "<b>dose</b>"] = np.nan
    return frame
