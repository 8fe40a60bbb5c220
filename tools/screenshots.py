"""``python -m tools.screenshots``: pictures of every page, light and dark, in docs/screenshots."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from frem_core.sweeps.example import example_sweep
from studio.menu import menu_entries
from tools.dashboard import (
    CHROMIUM,
    PATIENCE,
    ROOT,
    Dashboard,
    settle,
    start_chromium,
    start_dashboard,
)

FOLDER = ROOT / "docs" / "screenshots"
WIDTH, HEIGHT = 1280, 860
# The Data page is most telling with a dataset open, below its top.
EXTRA = (
    ("dataset", "Data?dataset=crime", "How the data differs along racepctblack"),
    ("columns", "Data?dataset=crime", "Columns that move with racepctblack"),
    ("reliability", "Data?dataset=crime", "How reliable the data is along racepctblack"),
)
# Pages that need a trained sweep: name, path, number of charts to wait for.
OF_A_SWEEP = (
    ("train-sweep", "Train?sweep={sweep}", 2),
    ("trade-offs-sweep", "Trade-offs?sweep={sweep}&fairness=hgr", 1),
    ("compare-sweep", "Compare?sweep={sweep}", 5),
)
_DRAWN = "count => document.querySelectorAll('.js-plotly-plot .plot').length >= count"
_FEWEST_CHARTS = 4


def main() -> None:
    """Takes all pictures."""
    if CHROMIUM is None:
        raise SystemExit("No Chromium is installed here (Debian: apt-get install chromium).")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        sweep = _train_example(Path(home))
        dashboard = start_dashboard(Path(home))
        try:
            with start_chromium() as browser:
                for scheme in ("light", "dark"):
                    _take(browser, dashboard, scheme)
                    _take_sweep(browser, dashboard, scheme, sweep)
        finally:
            dashboard.stop()


def _take(browser: Browser, dashboard: Dashboard, scheme: str) -> None:
    pages = [
        (label.casefold().replace(" ", "-"), _path(script), None)
        for script, label in menu_entries()
    ]
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    context.set_default_timeout(PATIENCE)
    for name, path, heading in (*pages, *EXTRA):
        page = context.new_page()
        page.goto(f"{dashboard.address}/{path}")
        settle(page)
        if heading is not None:
            page.wait_for_function(_DRAWN, arg=_FEWEST_CHARTS)
            page.get_by_role("heading", name=heading).evaluate("it => it.scrollIntoView()")
            settle(page)
        page.screenshot(path=FOLDER / f"{name}-{scheme}.png")
        print(f"{name}-{scheme}.png")
        page.close()
    context.close()


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


def _take_sweep(browser: Browser, dashboard: Dashboard, scheme: str, sweep: str) -> None:
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    context.set_default_timeout(PATIENCE)
    for name, path, charts in OF_A_SWEEP:
        page = context.new_page()
        page.goto(f"{dashboard.address}/{path.format(sweep=sweep)}")
        page.wait_for_function(_DRAWN, arg=charts)
        settle(page)
        page.screenshot(path=FOLDER / f"{name}-{scheme}.png")
        print(f"{name}-{scheme}.png")
        page.close()
    context.close()


def _path(script: str) -> str:
    return "" if script == "app.py" else Path(script).stem.split("_", 1)[1]


if __name__ == "__main__":
    main()
