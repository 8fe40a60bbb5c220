"""A 200 MB upload while another viewer works: how long that viewer waits for an answer.

Two Chromiums look at one dashboard. The first moves a slider again and again and measures the time
until the chart has changed; the second one uploads a large table meanwhile. Waiting times during
the upload are compared with those before and after it, in the same run. The server, the reader and
both browsers share the machine, so a busy machine misses the promises even when it is quiet: read
them together with the waits before and after.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.load_table import write_csv
from benchmarks.report import Check, Report, Table, seconds, times
from tools.dashboard import PATIENCE, settle, start_chromium, start_dashboard

ROWS = 780_000  # about 200 MB
LONGEST_PHASE = 600.0  # seconds; after this the upload has failed
QUIET_STEPS = 25
FLUENT = 1.0  # seconds; beyond this a user's flow of thought is interrupted
FROZEN = 10.0  # seconds; beyond this a user takes the page for dead
_TICKS = "count => document.querySelectorAll('.st-key-outcome .xtick').length === count"
_PHASES = ("before", "sending", "reading", "choosing columns", "after")


class Viewer:
    """Somebody who looks at Communities and Crime and moves the slider of groups."""

    def __init__(self, page: Page, address: str) -> None:
        self._page = page
        self._groups = 5
        page.goto(f"{address}/?dataset=crime")
        page.wait_for_function(_TICKS, arg=self._groups, timeout=PATIENCE)
        settle(page)
        self._slider = page.get_by_role("slider", name="Groups along racepctblack")
        self.step()

    def step(self) -> float:
        """Moves the slider by one and returns the seconds until the chart shows it."""
        up = self._groups == 5
        self._groups = 6 if up else 5
        began = time.perf_counter()
        self._slider.press("ArrowRight" if up else "ArrowLeft")
        self._page.wait_for_function(_TICKS, arg=self._groups, timeout=PATIENCE)
        return time.perf_counter() - began


def run() -> Report:
    waits: dict[str, list[float]] = {phase: [] for phase in _PHASES}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "large.csv"
        write_csv(file, ROWS)
        size = file.stat().st_size / 1e6
        dashboard = start_dashboard(Path(folder) / "home")
        try:
            with start_chromium() as first, start_chromium(first) as second:
                pages = first.new_page(), second.new_page()
                lasted = _watch(*pages, file, dashboard.address, waits)
        finally:
            dashboard.stop()
    return _report(waits, lasted, size)


def _watch(
    page: Page, other: Page, file: Path, address: str, waits: dict[str, list[float]]
) -> dict[str, float]:
    """Fills ``waits`` by phase and returns how long each phase lasted."""
    viewer = Viewer(page, address)
    waits["before"] += [viewer.step() for _ in range(QUIET_STEPS)]
    other.goto(address)
    settle(other)
    lasted = {}
    other.locator("input[type=file]").set_input_files(file)
    use = other.get_by_role("button", name="Use these columns")
    lasted["sending"] = _step_until(
        viewer, waits["sending"], lambda: "reading=" in other.url or use.is_visible()
    )
    lasted["reading"] = _step_until(viewer, waits["reading"], use.is_visible)
    settle(other)
    use.click()
    shown = other.get_by_role("heading", name="How the data differs along")
    lasted["choosing columns"] = _step_until(viewer, waits["choosing columns"], shown.is_visible)
    settle(other)
    waits["after"] += [viewer.step() for _ in range(QUIET_STEPS)]
    return lasted


def _step_until(viewer: Viewer, waits: list[float], over: Callable[[], bool]) -> float:
    began = time.perf_counter()
    while not over():
        waits.append(viewer.step())
        if time.perf_counter() - began > LONGEST_PHASE:
            raise TimeoutError("The upload did not come to an end.")
    return time.perf_counter() - began


def _report(waits: dict[str, list[float]], lasted: dict[str, float], size: float) -> Report:
    usual = statistics.median(waits["before"] + waits["after"])
    rows = [
        (
            phase,
            seconds(lasted[phase]) if phase in lasted else "",
            len(steps),
            seconds(statistics.median(steps)),
            seconds(max(steps)),
            times(statistics.median(steps) / usual),
        )
        for phase, steps in waits.items()
        if steps
    ]
    during = [wait for phase in lasted for wait in waits[phase]]
    quiet = waits["before"] + waits["after"]
    median, longest = statistics.median(during), max(during)
    title = f"One viewer's waiting time while another uploads {size:.0f} MB"
    columns = ("phase", "lasted", "steps", "median wait", "longest wait", "against quiet")
    return Report(
        "Uploading a large table",
        [Table(title, columns, rows)],
        [
            Check(
                f"median wait during the upload below {seconds(FLUENT)}",
                f"{seconds(median)}; {seconds(usual)} when quiet, {times(median / usual)}",
                median < FLUENT,
            ),
            Check(
                f"longest wait during the upload below {seconds(FROZEN)}",
                f"{seconds(longest)}; {seconds(max(quiet))} when quiet",
                longest < FROZEN,
            ),
        ],
    )
