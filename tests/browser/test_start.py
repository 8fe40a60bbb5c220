import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from frem_core.store import Store
from frem_core.sweeps.engine_lease import EngineLease
from tests.browser.access import check_access
from tests.browser.clicks import click_for
from tests.browser.conftest import PATIENCE, Dashboard
from tests.pages.ablation_runs import finish
from tests.sweeps.processes import end_engine

LONG = 2 * PATIENCE  # trainings are waited for


@pytest.fixture
def dashboard(
    chromium: Browser, start_server: Callable[[Path], Dashboard], tmp_path: Path
) -> Dashboard:
    """A dashboard of its own, over an empty store."""
    return start_server(tmp_path)


@pytest.fixture
def store(dashboard: Dashboard) -> Iterator[Store]:
    """What the dashboard shows; afterwards nothing trains in it any more."""
    store = Store(folder=dashboard.home)
    yield store
    for sweep in store.sweeps.frame()["id"]:
        store.sweeps.cancel(sweep)
    end_engine(store)
    store.close()


def follow_the_example(
    page: Page, second: Page, store: Store, train_some: Callable[[], None]
) -> None:
    progress = page.get_by_text("of 28 models trained")
    click_for(page.get_by_role("button", name="Run the example"), progress)
    # Another viewer sees the same and cannot start it again.
    second.goto(page.url)
    expect(second.get_by_text("of 28 models trained")).to_be_visible()
    expect(second.get_by_role("button", name="Run the example")).to_have_count(0)
    # Without a reload the first models appear, and with them the next steps.
    train_some()
    trade_offs = page.get_by_role("link", name="Open the trade-offs")
    expect(trade_offs).to_be_visible(timeout=LONG)
    expect(page.get_by_text("The engine on")).to_be_visible()
    [sweep] = store.sweeps.frame()["id"]
    store.sweeps.cancel(sweep)
    expect(page.get_by_role("button", name="Train the rest")).to_be_visible(timeout=LONG)
    click_for(trade_offs, page.get_by_role("heading", level=1, name="Trade-offs"))
    page.wait_for_url(re.compile(f"Trade-offs\\?.*sweep={sweep}"))


def test_one_click_starts_the_example_and_the_page_leads_through_it(
    visit: Callable[..., Page],
    new_viewer: Callable[[], BrowserContext],
    dashboard: Dashboard,
    store: Store,
) -> None:
    # This test stands in for the engine; other tests train for real.
    lease = EngineLease(store, "a test")
    assert lease.acquire()
    try:
        page = visit(at=dashboard)
        expect(page.locator(".st-key-start-picture .js-plotly-plot")).to_be_visible()
        check_access(page)
        follow_the_example(page, new_viewer().new_page(), store, lambda: finish(store, bundles=2))
    finally:
        lease.release()


@pytest.mark.slow
def test_one_click_trains_the_example(
    visit: Callable[..., Page],
    new_viewer: Callable[[], BrowserContext],
    dashboard: Dashboard,
    store: Store,
) -> None:
    page = visit(at=dashboard)
    follow_the_example(page, new_viewer().new_page(), store, lambda: None)
