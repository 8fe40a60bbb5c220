"""Twenty viewers and four running sweeps on one machine: no error, quick pages, memory that stays.

Nineteen viewers speak the dashboard's WebSocket as browsers do (`viewers.py`), one is a real
Chromium that clicks through the menu. Engine, workers, dashboard and viewers share the machine.
``FREM_BENCHMARK_MINUTES`` sets how long; ten by default.
"""

import os
import statistics
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pytest
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import Page

from benchmarks.report import Check, Report, Table, seconds
from benchmarks.trust.growth import Growth
from benchmarks.trust.viewers import Crowd, Place, Seen
from frem_core.store import Store
from frem_core.sweeps import SweepSpec, ensure_engine, submit
from studio.page import menu_entries
from tests.sweeps.processes import own_home
from tools.dashboard import Dashboard, settle, start_chromium, start_dashboard
from tools.trained_sweeps import train_sweep

_MINUTES = float(os.environ.get("FREM_BENCHMARK_MINUTES", "10"))
_WARM_UP = min(120.0, _MINUTES * 60 / 5)  # seconds that do not count for memory
_VIEWERS = 20
_SWEEPS = 4
_SEEDS = 60
_EVERY = 2.0
_MEDIAN, _SLOW = 1.0, 3.0
_PATIENCE = 60_000  # milliseconds
_SWEEP = """
name = "{name}"
seeds = {seeds}
[dataset]
name = "crime"
[training]
epochs = {epochs}
[[methods]]
method = "unfair"
[[methods]]
method = "frem"
fairness_weights = [0.1, 0.5, 2.0]
[[methods]]
method = "mmd"
fairness_weights = [0.1, 1.0]
"""
_PAINTED = """title => {const head = document.querySelector('h1');
 const main = document.querySelector('[data-testid=stMainBlockContainer]');
 return !!head && head.innerText === title && !!main
        && main.querySelectorAll('[data-stale=true]').length === 0
        && !document.querySelector('[data-testid=stSkeleton]')}"""


def run() -> Report:
    """Has everybody look at everything while the sweeps run."""
    report = None
    try:
        with TemporaryDirectory() as folder, own_home(Path(folder) / "home") as store:
            report = _measure(store)
    except pytest.fail.Exception as error:  # an engine that does not end loses no measurement
        if report is None:
            raise
        return replace(report, checks=[*report.checks, Check("engine ends", str(error), False)])
    return report


def _measure(store: Store) -> Report:
    finished = train_sweep(store, _SWEEP.format(name="finished", seeds=[0], epochs=1))
    running = [submit(store, SweepSpec.from_toml(_text(number))) for number in range(_SWEEPS)]
    ensure_engine(store)
    dashboard = start_dashboard(store.folder)
    try:
        return _watch(store, dashboard, finished, running)
    finally:
        dashboard.stop()


def _text(number: int) -> str:
    """A sweep with seeds that no other has: equal runs would be trained once only."""
    seeds = list(range(1000 * (number + 1), 1000 * (number + 1) + _SEEDS))
    return _SWEEP.format(name=f"sweep {number + 1}", seeds=seeds, epochs=40)


def _watch(store: Store, dashboard: Dashboard, finished: str, running: list[str]) -> Report:
    growth, stop, browsed = Growth(_WARM_UP), threading.Event(), Seen()
    browser = threading.Thread(target=_browse, args=(dashboard.address, stop, browsed))
    began, loads = time.monotonic(), []
    used = _used(dashboard)
    places = _places(store, finished, running)
    with Crowd(dashboard.address, places, _VIEWERS - 1) as crowd:
        browser.start()
        while time.monotonic() - began < _MINUTES * 60 and dashboard.process.poll() is None:
            ensure_engine(store)
            growth.look(store, {"dashboard": dashboard.process.pid})
            loads.append(psutil.getloadavg()[0])
            time.sleep(_EVERY)
        used = _used(dashboard) - used
        stop.set()
    browser.join()
    minutes = (time.monotonic() - began) / 60
    sweeps = store.sweeps.frame()
    sweeps = sweeps[sweeps["id"].isin(running)]
    pages = [wait for waits in crowd.seen.waits.values() for wait in waits]
    drawn = len(pages) + sum(map(len, browsed.waits.values()))
    facts = [
        ("minutes", f"{minutes:.1f}"),
        ("pages opened", f"{len(pages):,} and {sum(map(len, browsed.waits.values()))} in Chromium"),
        ("live parts drawn again", f"{crowd.seen.live:,}"),
        ("processor time of the dashboard", f"{used / minutes / 60:.0%} of one core"),
        ("the same for each page or live part", seconds(used / (drawn + crowd.seen.live))),
        ("runs finished meanwhile", f"{int(sweeps['done'].sum()):,} of {sweeps['runs'].sum():,}"),
        ("load of the machine, all programs, median", f"{statistics.median(loads):.1f}"),
    ]
    errors = crowd.seen.errors + browsed.errors
    checks = [
        *_promises(pages, errors, dashboard),
        Check(
            f"{_SWEEPS} sweeps under way to the end",
            f"{int((sweeps['done'] > 0).sum())} have results, "
            f"{int((sweeps['queued'] + sweeps['running'] > 0).sum())} go on",
            bool(((sweeps["done"] > 0) & (sweeps["queued"] + sweeps["running"] > 0)).all()),
        ),
    ]
    memory, kept = growth.judged()
    rows = [(name, *_row(waits)) for name, waits in sorted(crowd.seen.waits.items())]
    rows += [(f"{name}, Chromium", *_row(waits)) for name, waits in browsed.waits.items()]
    note = (
        "Wall time until the last part of a page has arrived; in Chromium, from the click until "
        "nothing old is left on the page. Viewers look at a page for 5 to 15 seconds. Whatever "
        "else the machine does lengthens these times; processor time hardly."
    )
    tables = [
        Table("What happened", ("", ""), facts, _told(errors)),
        Table("Pages", ("page", "times", "median", "95 %", "longest"), rows, note),
        memory,
    ]
    title = f"Load: {_VIEWERS} viewers and {_SWEEPS} sweeps for {minutes:.0f} minutes"
    return Report(title, tables, checks + kept)


def _used(dashboard: Dashboard) -> float:
    times = psutil.Process(dashboard.process.pid).cpu_times()
    return float(times.user + times.system)


def _places(store: Store, finished: str, running: list[str]) -> list[Place]:
    """Every page of the menu; live ones in turn with each running sweep."""
    runs = "&".join(f"run={run[:16]}" for run in store.runs.frame(finished)["id"].head(2))
    queries = {
        "Data": ["dataset=crime"],
        "Train": [f"sweep={sweep}" for sweep in running],
        "Trade-offs": [f"sweep={sweep}" for sweep in running],
        "Compare": [f"sweep={finished}&{runs}"],
        "Predict": [f"sweep={finished}&{runs.split('&')[0]}"],
    }
    names = ["", *(label.replace(" ", "_") for _, label in menu_entries()[1:])]
    return [(name, query) for name in names for query in queries.get(name, [""])]


def _browse(address: str, stop: threading.Event, seen: Seen) -> None:
    """A real browser that clicks through the menu."""
    with start_chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(_PATIENCE)
        while not stop.is_set():
            try:
                page.goto(address)
                settle(page, _PATIENCE)
                _click_through(page, stop, seen)
            except BrowserError as error:
                if not stop.is_set():
                    seen.errors.append(f"Chromium: {error.message.splitlines()[0]}")
        with suppress(BrowserError):
            page.close()


def _click_through(page: Page, stop: threading.Event, seen: Seen) -> None:
    while True:
        for _, label in [*menu_entries()[1:], menu_entries()[0]]:
            if stop.wait(5):
                return
            title = "FREM Studio" if label == "Start" else label
            began = time.perf_counter()
            page.get_by_test_id("stSidebar").get_by_role("link", name=label, exact=True).click()
            page.wait_for_function(_PAINTED, arg=title)
            seen.waits[label].append(time.perf_counter() - began)


def _promises(pages: Sequence[float], errors: list[str], dashboard: Dashboard) -> list[Check]:
    failures = dashboard.last_words(10_000_000).count("A page failed")
    median, slow = statistics.median(pages), _high(pages)
    return [
        Check("no error", f"{len(errors)} seen, {failures} logged", not errors and not failures),
        Check("pages in less than 1 s, median", seconds(median), median < _MEDIAN),
        Check("pages in less than 3 s, 95 of 100", seconds(slow), slow < _SLOW),
    ]


def _told(errors: list[str]) -> str:
    return "" if not errors else "Errors, e.g.: " + "; ".join(sorted(set(errors))[:5])


def _row(waits: Sequence[float]) -> tuple[object, ...]:
    middle, slow = seconds(statistics.median(waits)), seconds(_high(waits))
    return len(waits), middle, slow, seconds(max(waits))


def _high(waits: Sequence[float]) -> float:
    """What 95 of 100 do not exceed."""
    return sorted(waits)[max(0, -(-len(waits) * 95 // 100) - 1)]
