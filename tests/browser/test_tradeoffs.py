import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from frem_core.store import Store
from tests.browser.access import check_access
from tests.browser.conftest import Dashboard, address, settle
from tests.browser.downloads import download
from tests.browser.fronts import open_point, wait_for_points
from tests.finished_sweeps import add_crime, finish_next

HOSTILE = "<b>bold</b> $x^2$ **md** <img src=x>"
VIEW = "Trade-offs?fairness=hgr&sweep={sweep}"


@pytest.fixture(scope="module")
def trained(finished_server: Dashboard) -> Iterator[tuple[Dashboard, Store, str]]:
    """A dashboard over a store with a finished sweep."""
    store = Store(folder=finished_server.home)
    sweep = add_crime(store, name=HOSTILE)
    finish_next(store)
    yield finished_server, store, sweep
    store.close()


@pytest.fixture
def open_view(
    visit: Callable[..., Page], trained: tuple[Dashboard, Store, str]
) -> Callable[..., Page]:
    server, _, newest = trained

    def open_path(more: str = "", *, sweep: str = newest) -> Page:
        page = visit(VIEW.format(sweep=sweep) + more, at=server)
        wait_for_points(page)
        settle(page)
        return page

    return open_path


def test_click_a_point_move_a_limit_and_open_the_link_again(
    open_view: Callable[..., Page],
    new_viewer: Callable[[], BrowserContext],
    trained: tuple[Dashboard, Store, str],
) -> None:
    _, store, sweep = trained
    runs = store.runs.frame(sweep)
    chosen = runs[(runs["method"] == "frem") & (runs["config.fairness_weight"] == 0.1)]
    store.runs.write_note(chosen["id"].iloc[0], HOSTILE)
    page = open_view()
    inspection = open_point(page, "FREM")
    expect(inspection.get_by_role("heading", name="FREM: fairness weight (λ) 0.1")).to_be_visible()
    expect(inspection.get_by_text(f"Note on seed 0: {HOSTILE}")).to_be_visible()
    expect(page).to_have_url(re.compile("run="))
    assert chosen["id"].iloc[0].startswith(address(page)["run"][0])
    settle(page)
    slider = page.get_by_role("slider", name="At most this unfair")
    expect(page.get_by_text("FREM is off by 0.130 on average")).to_be_visible()
    slider.fill("0.419")
    slider.press("ArrowRight")
    expect(page.get_by_text("FREM is off by 0.110 on average")).to_be_visible()
    expect(page).to_have_url(re.compile(r"at_most=0\.42\b"))
    again = new_viewer().new_page()
    again.goto(page.url + "&paper=1")
    expect(again.get_by_text("FREM is off by 0.110 on average")).to_be_visible()
    expect(again.locator(".st-key-tradeoffs-inspection")).to_contain_text(HOSTILE)
    assert again.locator("main b, main img[src=x]").count() == 0
    check_access(again)


@pytest.mark.slow  # test_journey.py watches a front gain points, takes report and model along
def test_the_front_gains_points_without_reloading_and_can_be_taken_along(
    open_view: Callable[..., Page], trained: tuple[Dashboard, Store, str]
) -> None:
    _, store, _ = trained
    sweep = add_crime(store, name="live", epochs=4)
    finish_next(store, 2)
    page = open_view(sweep=sweep)
    wait_for_points(page, "=== 2")
    expect(page.get_by_text("2 of 12 runs are done")).to_be_visible()
    page.evaluate("() => { window.untouched = true }")
    finish_next(store)
    wait_for_points(page, "=== 6")
    expect(page.get_by_text("12 of 12 runs are done")).to_be_visible()
    assert page.evaluate("() => window.untouched")
    settle(page)
    file = download(page.get_by_role("button", name="All runs as CSV"))
    assert len(Path(file.path()).read_text().splitlines()) == 1 + 12
    file = download(page.get_by_role("button", name="Sweep as TOML"))
    assert Path(file.path()).read_text() == store.sweeps.spec(sweep)
