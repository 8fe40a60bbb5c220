import re
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from frem_core.store import Store
from frem_core.sweeps import engine_state
from tests.browser.conftest import PATIENCE, Dashboard, settle

LONG = 3 * PATIENCE  # trainings are waited for
FITS = """() => {const main = document.querySelector('[data-testid=stMain]');
 return main.scrollWidth <= main.clientWidth + 1}"""


@pytest.fixture
def training_server(
    chromium: Browser, start_server: Callable[[Path], Dashboard], tmp_path: Path
) -> Iterator[Dashboard]:
    """A dashboard of its own, whose engine ends with the test."""
    dashboard = start_server(tmp_path)
    yield dashboard
    store = Store(folder=tmp_path)
    for sweep in store.sweeps.frame()["id"]:
        store.sweeps.cancel(sweep)
    engine = engine_state(store)
    if engine.is_running:
        process = psutil.Process(engine.pid)
        process.terminate()
        process.wait(60)
    store.close()


def _open(browser: Browser, address: str) -> Page:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(LONG)
    page = context.new_page()
    page.goto(address)
    return page


def test_one_click_trains_the_example_and_leads_through_it(
    chromium: Browser, training_server: Dashboard
) -> None:
    page = _open(chromium, training_server.address)
    page.get_by_role("button", name="Run the example").click()
    progress = page.get_by_text("of 28 models trained")
    expect(progress).to_be_visible(timeout=LONG)
    # Another viewer sees the same and cannot start it again.
    second = _open(chromium, training_server.address)
    expect(second.get_by_text("of 28 models trained")).to_be_visible(timeout=LONG)
    assert second.get_by_role("button", name="Run the example").count() == 0
    second.context.close()
    # Without a reload the first models appear, and with them the next steps.
    trade_offs = page.get_by_role("link", name="Open the trade-offs")
    expect(trade_offs).to_be_visible(timeout=LONG)
    expect(page.get_by_text("The engine on")).to_be_visible(timeout=LONG)
    store = Store(folder=training_server.home)
    [sweep] = store.sweeps.frame()["id"]
    store.sweeps.cancel(sweep)
    store.close()
    expect(page.get_by_role("button", name="Train the rest")).to_be_visible(timeout=LONG)
    trade_offs.click()
    page.wait_for_url(re.compile(f"Trade-offs\\?.*sweep={sweep}"), timeout=LONG)
    expect(page.get_by_role("heading", level=1)).to_have_text("Trade-offs", timeout=LONG)
    page.context.close()


def test_addresses_from_before_lead_to_the_data_page(visit: Callable[..., Page]) -> None:
    page = visit("?dataset=crime&groups=7")
    expect(page.get_by_role("heading", level=1)).to_have_text("Data", timeout=PATIENCE)
    expect(
        page.get_by_role("slider", name="Groups along the share of Black residents")
    ).to_have_value("7", timeout=PATIENCE)


@pytest.mark.parametrize("context", ["light", "dark"], indirect=True)
def test_start_is_accessible_and_fits(visit: Callable[..., Page]) -> None:
    page = visit()
    expect(page.locator(".st-key-start-picture .js-plotly-plot")).to_be_visible(timeout=PATIENCE)
    for width in (1024, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(FITS)
    settle(page)
    found = Axe().run(page).response["violations"]
    serious = [
        (item["id"], [node["html"][:120] for node in item["nodes"]])
        for item in found
        if item["impact"] in {"serious", "critical"}
    ]
    assert serious == []
