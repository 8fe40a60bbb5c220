"""How soon the dashboard answers: sliders on Compare, page changes, five viewers beside a sweep.

Everything is measured in a real Chromium, from the key press or click to the changed picture, and
reported as medians. The runs that are looked at are really trained, for one epoch: how long a
chart takes depends on the number of rows and not on how good a model is.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
from playwright.sync_api import Browser, Page

from benchmarks.report import Check, Report, Table, seconds
from benchmarks.store import fill
from frem_core.store import Store, open_store
from frem_core.sweeps import SweepSpec, engine_state, ensure_engine, submit
from studio.page import menu_entries
from tools.dashboard import Dashboard, settle, start_chromium, start_dashboard
from tools.trained_sweeps import train_sweep

STEPS = 12  # of every slider
ROUNDS = 3  # through all pages
STORED_RUNS = 500
VIEWERS = 5
VIEWER_STEPS = 6
PATIENCE = 180_000  # milliseconds
_SWEEP = """
name = "{dataset}"
seeds = [{seed}]
[dataset]
name = "{dataset}"
[training]
epochs = {epochs}
[[methods]]
method = "unfair"
[[methods]]
method = "frem"
fairness_weights = [0.1, 1.0]
"""
_LINE = ".st-key-compare-profile .scatterlayer path.js-line"
_REDRAWN = """([where, before]) => {const line = document.querySelector(where);
 return !!line && line.getAttribute('d') !== before}"""
_PAINTED = """title => {const head = document.querySelector('h1');
 const app = document.querySelector('[data-testid=stApp]');
 const main = document.querySelector('[data-testid=stMainBlockContainer]');
 return !!head && head.innerText === title && app.dataset.testScriptState === 'notRunning'
        && main.querySelectorAll('[data-stale=true]').length === 0
        && !document.querySelector('[data-testid=stSkeleton]')}"""
_SLIDERS = {"γ": "Bandwidth on the attribute (γ)", "σ": "Scale of the representation (σ)"}


def run() -> Report:
    with tempfile.TemporaryDirectory() as folder, _own_home(Path(folder)) as store:
        fill(store, STORED_RUNS, 3)
        # Trained last: pages open on the newest sweep, and the filled one has nothing to draw.
        links = {name: _trained(store, name) for name in ("adult", "crime")}
        dashboard = start_dashboard(Path(folder))
        try:
            with start_chromium() as browser:
                sliders = _measure_sliders(browser, dashboard, links)
                pages = _measure_pages(browser, dashboard)
                viewers = _measure_viewers(browser, dashboard, store, links["crime"])
        finally:
            dashboard.stop()
    return _report(sliders, pages, viewers)


@contextmanager
def _own_home(folder: Path) -> Iterator[Store]:
    os.environ |= {"FREM_HOME": str(folder), "FREM_STORE": "", "FREM_ENGINE_IDLE": "5"}
    store = open_store()
    try:
        yield store
    finally:
        _end_engine(store)
        store.close()


def _end_engine(store: Store) -> None:
    state = engine_state(store)
    if state.is_running and state.pid is not None and psutil.pid_exists(state.pid):
        engine = psutil.Process(state.pid)
        engine.terminate()
        engine.wait(timeout=60)


def _trained(store: Store, dataset: str) -> str:
    """Trains a small sweep in this process; returns the address that compares its runs."""
    sweep = train_sweep(store, _SWEEP.format(dataset=dataset, epochs=1, seed=0))
    ids = store.runs.frame(sweep)["id"].head(2)
    return f"Compare?sweep={sweep}&" + "&".join(f"run={run[:16]}" for run in ids)


class Viewer:
    """Somebody who looks at Compare and moves a slider of the profile."""

    def __init__(self, page: Page, address: str, slider: str) -> None:
        self._page = page
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.locator(_LINE).first.wait_for()
        settle(page)
        self._slider = page.get_by_role("slider", name=_SLIDERS[slider])
        self._press("Home")

    def step(self) -> float:
        """Moves the slider on by one and returns the seconds until the curve has changed.

        Always upwards from the lowest value, so that no step finds what an earlier one computed.
        """
        return self._press("ArrowRight")

    def _press(self, key: str) -> float:
        before = self._page.locator(_LINE).first.get_attribute("d")
        began = time.perf_counter()
        self._slider.press(key)
        self._page.wait_for_function(_REDRAWN, arg=[_LINE, before], timeout=PATIENCE)
        return time.perf_counter() - began


def _measure_sliders(
    browser: Browser, dashboard: Dashboard, links: dict[str, str]
) -> dict[tuple[str, str], list[float]]:
    waits = {}
    for dataset, link in links.items():
        for slider in _SLIDERS:
            with _page(browser) as page:
                viewer = Viewer(page, f"{dashboard.address}/{link}", slider)
                waits[dataset, slider] = [viewer.step() for _ in range(STEPS)]
    return waits


def _measure_pages(browser: Browser, dashboard: Dashboard) -> dict[str, list[float]]:
    """Clicks through the menu; the first visit of a page also loads its code."""
    waits: dict[str, list[float]] = {label: [] for _, label in menu_entries()}
    with _page(browser) as page:
        page.goto(dashboard.address)
        settle(page)
        sidebar = page.get_by_test_id("stSidebar")
        for turn in range(ROUNDS + 1):
            for label in [*list(waits)[1:], "Start"]:
                title = "FREM Studio" if label == "Start" else label
                began = time.perf_counter()
                sidebar.get_by_role("link", name=label, exact=True).click()
                page.wait_for_function(_PAINTED, arg=title, timeout=PATIENCE)
                if label == "Compare":
                    page.locator(_LINE).first.wait_for()
                if turn > 0:
                    waits[label].append(time.perf_counter() - began)
                settle(page)
    return waits


def _measure_viewers(
    browser: Browser, dashboard: Dashboard, store: Store, link: str
) -> dict[str, list[float]]:
    """Five viewers, each with cookies and a session of its own, take turns while a sweep runs."""
    spec = _SWEEP.format(dataset="crime", epochs=100_000, seed=1)
    with ExitStack() as stack:
        pages = [stack.enter_context(_page(browser)) for _ in range(VIEWERS)]
        viewers = [Viewer(page, f"{dashboard.address}/{link}", "γ") for page in pages]
        sweep = submit(store, SweepSpec.from_toml(spec))
        ensure_engine(store)
        _until(lambda: bool((store.runs.frame(sweep)["epoch"] > 5).any()))
        waits: dict[str, list[float]] = {f"viewer {number + 1}": [] for number in range(VIEWERS)}
        for _ in range(VIEWER_STEPS):
            for viewer, some in zip(viewers, waits.values(), strict=True):
                some.append(viewer.step())
        store.sweeps.cancel(sweep)
        _until(lambda: store.queue.unfinished() == 0)
    return waits


def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE / 1000
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("The engine does not react.")
        time.sleep(0.1)


@contextmanager
def _page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE)
    try:
        yield context.new_page()
    finally:
        context.close()


def _report(
    sliders: dict[tuple[str, str], list[float]],
    pages: dict[str, list[float]],
    viewers: dict[str, list[float]],
) -> Report:
    limits = {"crime": 1.0, "adult": 2.0}
    checks = [
        _promise(f"{slider} slider on Compare, {dataset}: curve redrawn", waits, limits[dataset])
        for (dataset, slider), waits in sliders.items()
    ]
    slowest = max(pages, key=lambda label: statistics.median(pages[label]))
    what = f"page change with {STORED_RUNS} runs in the store, slowest page ({slowest})"
    checks.append(_promise(what, pages[slowest], 1.5))
    worst = max(viewers.values(), key=statistics.median)
    checks.append(_promise(f"slowest of {VIEWERS} viewers beside a running sweep", worst, 2.0))
    rows = [(f"{slider} slider, {dataset}", *_row(w)) for (dataset, slider), w in sliders.items()]
    rows += [(f"page {label}", *_row(waits)) for label, waits in pages.items()]
    rows += [(name, *_row(waits)) for name, waits in viewers.items()]
    note = (
        "Wall time from the key press or click to the changed picture. Every step of a slider is "
        "to a value not seen before; the five viewers move the same slider one after another."
    )
    columns = ("what", "times", "median", "first", "longest")
    return Report("Dashboard in a browser", [Table("Answers", columns, rows, note)], checks)


def _promise(what: str, waits: Sequence[float], limit: float) -> Check:
    median = statistics.median(waits)
    return Check(f"{what} in less than {seconds(limit)}", seconds(median), median < limit)


def _row(waits: Sequence[float]) -> tuple[object, ...]:
    return (
        len(waits),
        seconds(statistics.median(waits)),
        seconds(waits[0]),
        seconds(max(waits)),
    )
