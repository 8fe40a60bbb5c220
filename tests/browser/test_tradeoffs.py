import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from frem_core.store import Store
from tests.browser.conftest import PATIENCE, Dashboard, settle
from tests.finished_sweeps import add_crime, finish_next

HOSTILE = "<b>bold</b> $x^2$ **md** <img src=x>"
VIEW = "Trade-offs?fairness=hgr&sweep={sweep}"
# Points with a marker that stands for runs; rings and the paper's points do not.
COUNT = """() => [...document.querySelectorAll('[class*=st-key-tradeoffs-chart] .js-plotly-plot')]
 .flatMap(chart => chart.data ?? [])
 .filter(trace => !trace.marker.symbol.endsWith('-open'))
 .reduce((sum, trace) => sum + (trace.customdata ?? []).length, 0)"""


@pytest.fixture(scope="module")
def trained(
    chromium: Browser,
    start_server: Callable[[Path], Dashboard],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Dashboard, Store, str]]:
    """A dashboard over a store with one finished sweep."""
    home = tmp_path_factory.mktemp("tradeoffs-home")
    store = Store(folder=home)
    sweep = add_crime(store, name=HOSTILE)
    finish_next(store)
    dashboard = start_server(home)
    first = chromium.new_page()
    first.goto(f"{dashboard.address}/{VIEW.format(sweep=sweep)}")
    # The first page of a server loads the libraries.
    first.wait_for_function(f"({COUNT})() > 0", timeout=3 * PATIENCE)
    first.close()
    yield dashboard, store, sweep
    store.close()


@pytest.fixture
def open_view(
    visit: Callable[..., Page], trained: tuple[Dashboard, Store, str]
) -> Callable[..., Page]:
    server, _, newest = trained

    def open_path(more: str = "", *, sweep: str = newest) -> Page:
        page = visit(VIEW.format(sweep=sweep) + more, at=server)
        page.wait_for_function(f"({COUNT})() > 0")
        settle(page)
        return page

    return open_path


def address(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlparse(page.url).query)


def click_point(page: Page, name: str) -> None:
    """Clicks the leftmost marker of a method's front."""
    chart = page.locator("[class*=st-key-tradeoffs-chart] .js-plotly-plot").first
    chart.scroll_into_view_if_needed()
    place = chart.evaluate(
        """(chart, name) => {
          const trace = chart._fullData.findIndex(t => t.name === name && t.showlegend);
          const {xaxis, yaxis} = chart._fullLayout;
          const full = chart._fullData[trace], box = chart.getBoundingClientRect();
          return [box.x + xaxis._offset + xaxis.l2p(full.x[0]),
                  box.y + yaxis._offset + yaxis.l2p(full.y[0])]}""",
        name,
    )
    page.mouse.move(place[0] - 3, place[1])
    page.mouse.move(*place)
    expect(chart.locator(".hoverlayer .hovertext").first).to_be_visible(timeout=PATIENCE)
    page.mouse.click(*place)


def test_click_a_point_move_a_limit_and_open_the_link_again(
    open_view: Callable[..., Page], chromium: Browser, trained: tuple[Dashboard, Store, str]
) -> None:
    _, store, sweep = trained
    runs = store.runs.frame(sweep)
    chosen = runs[(runs["method"] == "frem") & (runs["config.fairness_weight"] == 0.1)]
    store.runs.write_note(chosen["id"].iloc[0], HOSTILE)
    page = open_view()
    click_point(page, "FREM")
    inspection = page.locator(".st-key-tradeoffs-inspection")
    expect(inspection.get_by_role("heading", name="FREM: fairness weight (λ) 0.1")).to_be_visible(
        timeout=PATIENCE
    )
    expect(inspection.get_by_text(f"Note on seed 0: {HOSTILE}")).to_be_visible(timeout=PATIENCE)
    assert chosen["id"].iloc[0].startswith(address(page)["run"][0])
    settle(page)
    slider = page.get_by_role("slider", name="At most this unfair")
    expect(page.get_by_text("FREM is off by 0.130 on average")).to_be_visible(timeout=PATIENCE)
    slider.fill("0.419")
    slider.press("ArrowRight")
    expect(page.get_by_text("FREM is off by 0.110 on average")).to_be_visible(timeout=PATIENCE)
    settle(page)
    assert address(page)["at_most"] == ["0.42"]
    other = chromium.new_context()
    again = other.new_page()
    again.goto(page.url)
    expect(again.get_by_text("FREM is off by 0.110 on average")).to_be_visible(timeout=PATIENCE)
    expect(again.locator(".st-key-tradeoffs-inspection")).to_contain_text(HOSTILE, timeout=PATIENCE)
    assert again.locator("main b, main img[src=x]").count() == 0
    other.close()


def test_the_front_gains_points_without_reloading(
    open_view: Callable[..., Page], trained: tuple[Dashboard, Store, str]
) -> None:
    _, store, finished = trained
    store.runs.delete(store.runs.frame(finished)["id"])
    sweep = add_crime(store, name="live")
    finish_next(store, 2)
    page = open_view(sweep=sweep)
    assert page.evaluate(COUNT) == 2
    expect(page.get_by_text("2 of 12 runs are done")).to_be_visible(timeout=PATIENCE)
    page.evaluate("() => { window.untouched = true }")
    finish_next(store)
    page.wait_for_function(f"({COUNT})() === 6")
    expect(page.get_by_text("12 of 12 runs are done")).to_be_visible(timeout=PATIENCE)
    assert page.evaluate("() => window.untouched")
    settle(page)


def test_downloads(open_view: Callable[..., Page], trained: tuple[Dashboard, Store, str]) -> None:
    _, store, _ = trained
    sweep = str(store.sweeps.frame()["id"].iloc[0])
    page = open_view(sweep=sweep)
    with page.expect_download() as download:
        page.get_by_role("button", name="All runs as CSV").click()
    lines = Path(download.value.path()).read_text().splitlines()
    assert len(lines) == 1 + 12
    with page.expect_download() as download:
        page.get_by_role("button", name="Sweep as TOML").click()
    assert Path(download.value.path()).read_text() == store.sweeps.spec(sweep)


@pytest.mark.parametrize("context", ["light", "dark"], indirect=True)
def test_no_serious_accessibility_violation_and_nothing_too_wide(
    open_view: Callable[..., Page], trained: tuple[Dashboard, Store, str]
) -> None:
    _, store, _ = trained
    newest = store.sweeps.frame().iloc[0]
    run = store.runs.frame(newest["id"])["id"].iloc[0]
    page = open_view(f"&paper=1&run={run}", sweep=str(newest["id"]))
    expect(page.locator(".st-key-tradeoffs-inspection")).to_be_visible(timeout=PATIENCE)
    found = Axe().run(page).response["violations"]
    serious = [
        (item["id"], [node["html"][:160] for node in item["nodes"]])
        for item in found
        if item["impact"] in {"serious", "critical"}
    ]
    assert serious == []
    page.set_viewport_size({"width": 1024, "height": 900})
    page.wait_for_function(
        "() => {const main = document.querySelector('[data-testid=stMain]');"
        " return main.scrollWidth <= main.clientWidth + 1}"
    )


def test_an_empty_store_leads_to_training(
    visit: Callable[..., Page],
    start_server: Callable[[Path], Dashboard],
    tmp_path: Path,
    chromium: Browser,
) -> None:
    page = visit("Trade-offs", at=start_server(tmp_path))
    expect(page.get_by_role("heading", name="Nothing has been trained yet")).to_be_visible(
        timeout=PATIENCE
    )
    link = page.get_by_test_id("stMain").get_by_role("link", name="Train models")
    link.click()
    expect(page).to_have_url(re.compile("/Train"), timeout=PATIENCE)
