"""Two trained runs side by side in a real browser."""

import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from frem_core.store import open_store
from tests.browser.access import check_access, check_descriptions
from tests.browser.conftest import Dashboard, settle
from tests.browser.downloads import download
from tools.trained_sweeps import train_sweep

CRIME = """
name = "Crime, small"
seeds = [0]
[dataset]
name = "crime"
[training]
epochs = 2
hidden = [6, 4]
[[methods]]
method = "unfair"
[[methods]]
method = "frem"
fairness_weights = [0.1, 1.0, 3.0]
"""
PROFILE = ".st-key-compare-profile .scatterlayer path.js-line"
CHANGED = """([where, before]) => {
 const line = document.querySelector(where);
 return !!line && line.getAttribute('d') !== before}"""


@pytest.fixture(scope="module")
def dashboard(
    chromium: Browser,
    start_server: Callable[[Path], Dashboard],
    tmp_path_factory: pytest.TempPathFactory,
) -> Dashboard:
    """A dashboard over a store with four trained runs."""
    home = tmp_path_factory.mktemp("compare-browser")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FREM_HOME", str(home))
        patch.setenv("FREM_STORE", "")
        store = open_store()
        train_sweep(store, CRIME)
        store.close()
    return start_server(home)


@pytest.fixture(scope="module")
def runs(dashboard: Dashboard) -> dict[tuple[str, float], str]:
    """Ids by method and fairness weight."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FREM_HOME", str(dashboard.home))
        patch.setenv("FREM_STORE", "")
        store = open_store()
        table = store.runs.frame()
        store.close()
    keys = zip(table["method"], table["config.fairness_weight"], strict=True)
    return dict(zip(keys, table["id"], strict=True))


def _line(page: Page, name: str = "FREM") -> str:
    expect(page.locator(PROFILE)).to_have_count(2)
    return page.locator(PROFILE).last.get_attribute("d") or ""


def _wait_for_change(page: Page, before: str) -> None:
    where = ".st-key-compare-profile .scatterlayer .trace:last-child path.js-line"
    page.wait_for_function(CHANGED, arg=[where, before])
    settle(page)


def test_two_runs_live_sliders_and_links(
    visit: Callable[..., Page], dashboard: Dashboard, runs: dict[tuple[str, float], str]
) -> None:
    link = f"Compare?run={runs['unfair', 0.0][:16]}&run={runs['frem', 0.1][:16]}"
    page = visit(link, at=dashboard)
    titles = page.locator(".st-key-compare-profile .legendtext")
    expect(titles).to_have_text(["Unfair", "FREM, λ 0.1"])

    before = _line(page)
    page.get_by_role("slider", name="Scale of the representation (σ)").press("ArrowLeft")
    _wait_for_change(page, before)
    expect(page).to_have_url(re.compile(r"sigma=0\.7"))
    narrower = _line(page)
    page.get_by_role("slider", name="Bandwidth on the attribute (γ)").press("ArrowRight")
    _wait_for_change(page, narrower)

    page.get_by_role("slider", name="Fairness weight (λ)").press("ArrowRight")
    expect(titles).to_have_text(["Unfair", "FREM, λ 1"])
    curves = page.locator(".st-key-compare-curves .legendtext")
    expect(curves).to_contain_text(["FREM, λ 1"])
    settle(page)
    expect(page).to_have_url(re.compile(runs["frem", 1.0][:16]))
    shown = _line(page)

    again = visit(page.url.removeprefix(f"{dashboard.address}/"), at=dashboard)
    again_titles = again.locator(".st-key-compare-profile .legendtext")
    expect(again_titles).to_have_text(["Unfair", "FREM, λ 1"])
    assert _line(again) == shown


def test_charts_for_everyone_equal_accuracy_and_the_numbers_behind_a_chart(
    visit: Callable[..., Page], dashboard: Dashboard
) -> None:
    page = visit("Compare", at=dashboard)
    check_descriptions(page, charts=5)
    check_access(page)
    page.get_by_role("radio", name="At equal accuracy").click()
    expect(page.get_by_role("combobox", name="Run to match")).to_be_visible()
    settle(page)
    expect(page).to_have_url(re.compile("match="))
    behind = page.locator(".st-key-compare-profile-table")
    behind.get_by_text("Table and downloads").click()
    file = download(behind.get_by_role("button", name="Download as CSV"))
    table = pd.read_csv(file.path())
    assert set(table.columns) == {"s", "ipm", "effective_n", "run"}
    assert table["run"].nunique() == 2


def test_the_empty_state_leads_on(visit: Callable[..., Page], server: Dashboard) -> None:
    page = visit("Compare", at=server)
    expect(page.get_by_role("heading", name="Nothing to compare yet")).to_be_visible()
    expect(page.get_by_test_id("stMain").get_by_role("link", name="Train models")).to_be_visible()
