"""What all tests share."""

import functools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser
from streamlit.components.v2 import manifest_scanner
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.installed import build, install
from tools.dashboard import CHROMIUM, start_chromium

if TYPE_CHECKING:
    from frem_core.store import Store

# Two test processes with two threads each would wait for each other most of the time.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Tests wait for trainings: on a busy machine these would give way to everything else.
os.environ.setdefault("FREM_NICENESS", "0")
# A browser with a proxy asks this machine itself directly, as browsers of people do.
os.environ.setdefault("PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK", "1")

# How long an example takes says nothing about whether it is right.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


# One process begins with what is seen in a browser and keeps more than one core busy by itself,
# while the other runs the rest. Engines come when that is done, small files at the end.
_IN_A_BROWSER = ("tests/browser/", "tests/test_package.py")
_SHARES_TRAINED_RUNS = "tests/pages/compare/"
_FIRST = ("browser", "test_package.py", "pages", "training", "commands", "store", "sweeps")


class _OneBrowser(LoadFileScheduling):
    """One process per file, and one for all that is seen in a browser: it shares servers.

    What trains from a page shares an engine, what only looks shares finished sweeps. A folder whose
    files share runs that were trained for them is one process, too.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        if file.startswith(_SHARES_TRAINED_RUNS):
            return _SHARES_TRAINED_RUNS
        return "in a browser" if file.startswith(_IN_A_BROWSER) else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> _OneBrowser:
    """Which process runs which tests."""
    return _OneBrowser(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the longest files first; each file keeps its own order."""
    here = Path(__file__).parent

    def rank(item: pytest.Item) -> int:
        places = (n for n, part in enumerate(_FIRST) if item.path.is_relative_to(here / part))
        return next(places, len(_FIRST))

    items.sort(key=rank)


@pytest.fixture(scope="session", autouse=True)
def own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test touches the data folder of the person who runs it."""
    before = os.environ.get("FREM_HOME")
    os.environ["FREM_HOME"] = str(tmp_path_factory.mktemp("frem-home"))
    yield
    if before is None:
        del os.environ["FREM_HOME"]
    else:
        os.environ["FREM_HOME"] = before


@pytest.fixture(scope="session", autouse=True)
def packages_are_looked_through_once() -> Iterator[None]:
    """AppTest looks for components in all installed packages, most of the time of a short test."""
    with pytest.MonkeyPatch.context() as patch:
        found = functools.cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", found)
        yield


@pytest.fixture
def started_engines(monkeypatch: pytest.MonkeyPatch) -> "list[Store]":
    """The stores for which an engine was wanted; none is started, it would outlive the test."""
    from frem_core.sweeps import launch

    started: list[Store] = []
    monkeypatch.setattr(launch, "_start", lambda store, token: started.append(store))
    return started


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed here (Debian: apt-get install chromium)")
    with start_chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Wheel and source archive of this very tree."""
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="session")
def programs(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the wheel and not this tree."""
    return install(built[0], tmp_path_factory.mktemp("installed"))
