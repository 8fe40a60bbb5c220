"""``python -m tools.screenshots``: pictures of every page, light and dark, in docs/screenshots."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page

from frem_core.sweeps.example import example_sweep
from tools.dashboard import (
    CHROMIUM,
    PATIENCE,
    ROOT,
    settle,
    start_chromium,
    start_dashboard,
)

FOLDER = ROOT / "docs" / "screenshots"
WIDTH = 1280
_PATIENCE = 2 * PATIENCE  # pictures may be taken beside other work
_DRAWN = """count => [...document.querySelectorAll('.js-plotly-plot')]
  .filter(chart => chart.querySelector('.subplot')).length >= count"""


@dataclass(frozen=True)
class _Shot:
    """One picture.

    Attributes:
        name: of the file, without scheme and ending.
        path: the address behind the server's.
        charts: how many charts to wait for.
        heading: what to scroll to; the top of the page when empty.
        height: of the window, in pixels.
        until: a text to wait for.
        without: a text whose disappearance to wait for.
    """

    name: str
    path: str
    charts: int = 0
    heading: str = ""
    height: int = 860
    until: str = ""
    without: str = ""


_CRIME = "Data?dataset=crime"
_EXAMPLE = "sweep=example-crime"
# Before anything was trained: what a new user sees.
_FIRST = (
    _Shot("start", "", 1),
    _Shot("data", "Data"),
    _Shot("dataset", _CRIME, 7, "How the data differs along"),
    _Shot("columns", _CRIME, 7, "Columns that tell most about"),
    _Shot("reliability", _CRIME, 7, "How reliable the data is along"),
    _Shot("train", "Train?dataset=crime", until="Methods"),
    _Shot(
        "trade-offs",
        f"Trade-offs?{_EXAMPLE}&fairness=hgr",
        1,
        height=1240,
        until="what chance alone gives",
    ),
    _Shot(
        "promises",
        f"Trade-offs?{_EXAMPLE}&fairness=hgr",
        1,
        "What can be promised",
        until="what chance alone gives",
    ),
    _Shot("compare", f"Compare?{_EXAMPLE}", 5, height=1240),
    _Shot("compare-predictions", f"Compare?{_EXAMPLE}", 5, "What is predicted along"),
    _Shot("compare-representation", f"Compare?{_EXAMPLE}", 5, "What the representation looks like"),
    _Shot("compare-profile", f"Compare?{_EXAMPLE}", 5, "Where along"),
    _Shot(
        "estimator-lab",
        "Estimator_lab?run=1&n=100&n=180&n=300&replicates=100",
        2,
        "Estimate minus truth",
        without="Stop simulation",
    ),
    _Shot("ablations", "Ablations?dataset=crime"),
)
# After the example on the Start page.
_TRAINED = (
    _Shot("start-answer", "", 1, until="The answer"),
    _Shot("train-sweep", "Train?sweep={sweep}", 2, height=1240),
)


def main() -> None:
    """Takes all pictures anew."""
    if CHROMIUM is None:
        raise SystemExit("No Chromium is installed here (Debian: apt-get install chromium).")
    os.environ["FREM_EXAMPLES"] = "on"
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory() as home:
        dashboard = start_dashboard(Path(home))
        try:
            with start_chromium() as browser:
                _take(browser, dashboard.address, _FIRST)
                sweep = _train_example(Path(home))
                _take(browser, dashboard.address, _TRAINED, sweep=sweep)
        finally:
            dashboard.stop()


def _take(browser: Browser, address: str, shots: tuple[_Shot, ...], sweep: str = "") -> None:
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
        context.set_default_timeout(_PATIENCE)
        for shot in shots:
            page = context.new_page()
            page.set_viewport_size({"width": WIDTH, "height": shot.height})
            page.goto(f"{address}/{shot.path.format(sweep=sweep)}")
            _wait_for(page, shot)
            page.screenshot(path=FOLDER / f"{shot.name}-{scheme}.png")
            print(f"{shot.name}-{scheme}.png")
            page.close()
        context.close()


def _wait_for(page: Page, shot: _Shot) -> None:
    settle(page, _PATIENCE)
    page.wait_for_function(_DRAWN, arg=shot.charts)
    if shot.until:
        page.get_by_text(shot.until).first.wait_for()
    if shot.without:
        page.get_by_text(shot.without).wait_for(state="detached")
    if shot.heading:
        page.get_by_role("heading", name=shot.heading).evaluate("it => it.scrollIntoView()")
    settle(page, _PATIENCE)


def _train_example(home: Path) -> str:
    """Trains the first example, which takes a minute or two; returns the sweep's id."""
    done = subprocess.run(
        [sys.executable, "-m", "frem_core", "sweep", "-", "--wait", "--json"],
        input=example_sweep().to_toml(),
        env={**os.environ, "FREM_HOME": str(home), "FREM_ENGINE_IDLE": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return str(json.loads(done.stdout)["sweep"])


if __name__ == "__main__":
    main()
