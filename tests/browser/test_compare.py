"""Two trained runs side by side in a real browser."""

import re
from collections.abc import Callable

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from frem_core.store import Store
from tests.browser.access import check_access, check_descriptions
from tests.browser.clicks import click_for
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
def sweep(finished_server: Dashboard) -> str:
    """Four trained runs."""
    store = Store(folder=finished_server.home)
    identity = train_sweep(store, CRIME)
    store.close()
    return identity


@pytest.fixture(scope="module")
def runs(finished_server: Dashboard, sweep: str) -> pd.DataFrame:
    """What the store has of them."""
    store = Store(folder=finished_server.home)
    table = store.runs.frame(sweep)
    store.close()
    return table


def run_id(runs: pd.DataFrame, method: str, weight: float) -> str:
    [found] = runs["id"][(runs["method"] == method) & (runs["config.fairness_weight"] == weight)]
    return str(found)[:16]


def _line(page: Page, name: str = "FREM") -> str:
    expect(page.locator(PROFILE)).to_have_count(2)
    return page.locator(PROFILE).last.get_attribute("d") or ""


def _wait_for_change(page: Page, before: str) -> None:
    where = ".st-key-compare-profile .scatterlayer .trace:last-child path.js-line"
    page.wait_for_function(CHANGED, arg=[where, before])
    settle(page)


def test_two_runs_live_sliders_and_links(
    visit: Callable[..., Page], finished_server: Dashboard, runs: pd.DataFrame
) -> None:
    link = f"Compare?run={run_id(runs, 'unfair', 0.0)}&run={run_id(runs, 'frem', 0.1)}"
    page = visit(link, at=finished_server)
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
    expect(page).to_have_url(re.compile(run_id(runs, "frem", 1.0)))
    shown = _line(page)

    again = visit(page.url.removeprefix(f"{finished_server.address}/"), at=finished_server)
    again_titles = again.locator(".st-key-compare-profile .legendtext")
    expect(again_titles).to_have_text(["Unfair", "FREM, λ 1"])
    assert _line(again) == shown


def test_charts_for_everyone_equal_accuracy_and_the_numbers_behind_a_chart(
    visit: Callable[..., Page], finished_server: Dashboard, sweep: str
) -> None:
    page = visit(f"Compare?sweep={sweep}", at=finished_server)
    check_descriptions(page, charts=5)
    check_access(page)
    match = page.get_by_role("combobox", name="Run to match")
    click_for(page.get_by_role("radio", name="At equal accuracy"), match)
    settle(page)
    expect(page).to_have_url(re.compile("match="))
    behind = page.locator(".st-key-compare-profile-table")
    as_csv = behind.get_by_role("button", name="Download as CSV")
    click_for(behind.get_by_text("Table and downloads"), as_csv)
    file = download(as_csv)
    table = pd.read_csv(file.path())
    assert set(table.columns) == {"s", "ipm", "effective_n", "run"}
    assert table["run"].nunique() == 2
