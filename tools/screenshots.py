"""``python -m tools.screenshots [name …]``: pictures of every page into docs/screenshots.

Every page at the widths of a desk, a small laptop and a phone, light and dark; details at the first
width only. With names, only the pictures whose name begins like one of them are taken anew.
"""

import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page

from frem_core.datasets import DatasetSpec
from frem_core.store import Store
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
_DESK, _LAPTOP, _PHONE = 1440, 1024, 400
# A window is as high as its page, between these; on a phone pages are long.
WIDTHS = {_DESK: (900, 1700), _LAPTOP: (900, 1700), _PHONE: (800, 2600)}
_PATIENCE = 2 * PATIENCE  # pictures may be taken beside other work
_COLOURS = 256
_SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
_MOST_LOOKS, _PAUSE = 12, 700  # milliseconds between two looks at a page
_DRAWN = """count => [...document.querySelectorAll('.js-plotly-plot')]
  .filter(chart => chart.querySelector('.subplot')).length >= count"""
_HEIGHT = "() => document.querySelector('[data-testid=stMainBlockContainer]').scrollHeight"


@dataclass(frozen=True)
class _Shot:
    """One picture.

    Attributes:
        name: of the file, without width, scheme and ending.
        path: the address behind the server's; may name the trained ``{sweep}`` and its ``{run}``.
        charts: how many charts to wait for.
        heading: what to scroll to; the top of the page when empty.
        until: a text to wait for.
        without: a text whose disappearance to wait for.
        gives_rows: whether the page gets a file with new rows.
    """

    name: str
    path: str
    charts: int = 0
    heading: str = ""
    until: str = ""
    without: str = ""
    gives_rows: bool = False


_CRIME = "Data?dataset=crime"
_EXAMPLE = "sweep=example-crime"
_FRONT = f"Trade-offs?{_EXAMPLE}&fairness=hgr"
_CHANCE = "what chance alone gives"
# Before anything was trained: what a new user sees.
_FIRST = (
    _Shot("start", "", 1),
    _Shot("data", _CRIME, 7),
    _Shot("train", "Train?dataset=crime", until="Methods"),
    _Shot("trade-offs", _FRONT, 1, until=_CHANCE),
    _Shot("compare", f"Compare?{_EXAMPLE}", 5),
    _Shot(
        "estimator-lab",
        "Estimator_lab?run=1&n=100&n=180&n=300&replicates=100",
        2,
        without="Stop simulation",
    ),
    _Shot("ablations", "Ablations?dataset=crime"),
    _Shot("health", "Health", until="What is kept"),
)
_FIRST_DETAILS = (
    _Shot("choose-data", "Data"),
    _Shot("columns", _CRIME, 7, "Columns that tell most about"),
    _Shot("reliability", _CRIME, 7, "How reliable the data is along"),
    _Shot("promises", _FRONT, 1, "What can be promised", until=_CHANCE),
    _Shot("compare-predictions", f"Compare?{_EXAMPLE}", 5, "What is predicted along"),
    _Shot("compare-representation", f"Compare?{_EXAMPLE}", 5, "What the representation looks like"),
    _Shot("compare-profile", f"Compare?{_EXAMPLE}", 5, "Where along"),
)
# After the example on the Start page.
_TRAINED = (
    _Shot(
        "predict",
        "Predict?sweep={sweep}&run={run}",
        until="Download predictions as CSV",
        gives_rows=True,
    ),
    _Shot("audit", "Audit?from=run&sweep={sweep}&run={run}", 1, until="Predictions follow"),
)
_TRAINED_DETAILS = (
    _Shot("start-answer", "", 1, until="The answer"),
    _Shot("train-sweep", "Train?sweep={sweep}", 2),
)


def main() -> None:
    """Takes all pictures anew, or those whose names were given."""
    if CHROMIUM is None:
        raise SystemExit("No Chromium is installed here (Debian: apt-get install chromium).")
    os.environ["FREM_EXAMPLES"] = "on"
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = tuple(sys.argv[1:]) or ("",)
    if wanted == ("",):
        for old in FOLDER.glob("*.png"):
            old.unlink()
    with tempfile.TemporaryDirectory() as home:
        dashboard = start_dashboard(Path(home))
        try:
            with start_chromium() as browser:
                album = _Album(browser, dashboard.address, wanted)
                album.take(_FIRST, _DESK, _LAPTOP)
                album.take(_FIRST, _PHONE)  # anew: the menu folds itself when a page opens
                album.take(_FIRST_DETAILS, _DESK)
                if album.wants((*_TRAINED, *_TRAINED_DETAILS)):
                    album.trained = _train_example(Path(home))
                    album.take(_TRAINED, _DESK, _LAPTOP)
                    album.take(_TRAINED, _PHONE)
                    album.take(_TRAINED_DETAILS, _DESK)
        finally:
            dashboard.stop()


class _Album:
    """Takes pictures of one dashboard.

    Attributes:
        trained: the ids of the sweep that was trained for the pictures and of one of its runs.
    """

    def __init__(self, browser: Browser, address: str, wanted: tuple[str, ...]) -> None:
        self._browser, self._address, self._wanted = browser, address, wanted
        self.trained: dict[str, str] = {}

    def wants(self, shots: Iterable[_Shot]) -> list[_Shot]:
        """Those that are to be taken."""
        return [shot for shot in shots if shot.name.startswith(self._wanted)]

    def take(self, shots: Iterable[_Shot], *widths: int) -> None:
        """Takes each shot at these widths from one visit to its page, once light and once dark."""
        for shot in self.wants(shots):
            lowest, highest = WIDTHS[widths[0]]
            for scheme in _SCHEMES:
                context = self._browser.new_context(
                    color_scheme=scheme, viewport={"width": widths[0], "height": highest}
                )
                context.set_default_timeout(_PATIENCE)
                page = context.new_page()
                page.goto(f"{self._address}/{shot.path.format(**self.trained)}")
                _wait_for(page, shot)
                for width in widths:
                    page.set_viewport_size({"width": width, "height": highest})
                    settle(page, _PATIENCE)
                    height = lowest
                    if not shot.heading:
                        height = min(highest, max(lowest, page.evaluate(_HEIGHT)))
                    page.set_viewport_size({"width": width, "height": height})
                    if shot.heading:
                        _scroll_to(page, shot.heading)
                    at = "" if width == _DESK else f"-{width}"
                    _save(_steady(page), FOLDER / f"{shot.name}{at}-{scheme}.png")
                context.close()


def _steady(page: Page) -> bytes:
    """A picture of the page once it stays as it is: charts draw themselves in several steps."""
    before = b""
    for _ in range(_MOST_LOOKS):
        settle(page, _PATIENCE)
        page.wait_for_timeout(_PAUSE)
        picture = page.screenshot()
        if picture == before:
            break
        before = picture
    return picture


def _wait_for(page: Page, shot: _Shot) -> None:
    settle(page, _PATIENCE)
    if shot.gives_rows:
        page.locator("input[type=file]").set_input_files(
            {"name": "new-communities.csv", "mimeType": "text/csv", "buffer": _new_rows()}
        )
    page.wait_for_function(_DRAWN, arg=shot.charts)
    if shot.until:
        page.get_by_text(shot.until).first.wait_for()
    if shot.without:
        page.get_by_text(shot.without).wait_for(state="detached")
    settle(page, _PATIENCE)


def _scroll_to(page: Page, heading: str) -> None:
    page.get_by_role("heading", name=heading).evaluate("it => it.scrollIntoView()")


def _new_rows() -> bytes:
    features = DatasetSpec(name="crime").load().features
    return features.head(250).to_csv(index=False).encode()


def _save(picture: bytes, file: Path) -> None:
    """Writes a picture with as many colours as a palette holds: a third of the size."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    # Colours that cover little, such as those of markers, must not be lost to shades of grey.
    few = image.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    few.save(file, optimize=True)
    print(f"{file.name}  {file.stat().st_size // 1000} kB", flush=True)


def _train_example(home: Path) -> dict[str, str]:
    """Trains the first example, which takes a minute or two; returns a sweep and a fair run."""
    done = subprocess.run(
        [sys.executable, "-m", "frem_core", "sweep", "-", "--wait", "--json"],
        input=example_sweep().to_toml(),
        env={**os.environ, "FREM_HOME": str(home), "FREM_ENGINE_IDLE": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    sweep = str(json.loads(done.stdout)["sweep"])
    store = Store(folder=home)
    runs = store.runs.frame(sweep)
    store.close()
    run = runs[(runs["method"] == "frem") & (runs["config.fairness_weight"] == 0.6)]["id"].iloc[0]
    return {"sweep": sweep, "run": str(run)}


if __name__ == "__main__":
    main()
