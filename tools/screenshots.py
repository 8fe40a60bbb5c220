"""``python -m tools.screenshots``: pictures of every page, light and dark, in docs/screenshots."""

import tempfile
from pathlib import Path

from playwright.sync_api import Browser

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
# The Start page is most telling with a dataset open, below its top.
EXTRA = (
    ("dataset", "?dataset=crime", "How the data differs along racepctblack"),
    ("columns", "?dataset=crime", "Columns that move with racepctblack"),
)
_DRAWN = "() => document.querySelectorAll('.js-plotly-plot').length > 3"


def main() -> None:
    """Takes all pictures."""
    if CHROMIUM is None:
        raise SystemExit("No Chromium is installed here (Debian: apt-get install chromium).")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        dashboard = start_dashboard(Path(home))
        try:
            with start_chromium() as browser:
                for scheme in ("light", "dark"):
                    _take(browser, dashboard, scheme)
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
            page.wait_for_function(_DRAWN)
            page.get_by_role("heading", name=heading).evaluate("it => it.scrollIntoView()")
            settle(page)
        page.screenshot(path=FOLDER / f"{name}-{scheme}.png")
        print(f"{name}-{scheme}.png")
        page.close()
    context.close()


def _path(script: str) -> str:
    return "" if script == "app.py" else Path(script).stem.split("_", 1)[1]


if __name__ == "__main__":
    main()
