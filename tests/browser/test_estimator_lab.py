import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.access import check_access
from tests.browser.clicks import click_for
from tests.browser.conftest import settle
from tests.browser.downloads import download

LONG = "Estimator_lab?design=multivariate&m=10&n=600&n=800&replicates=1000&seed={seed}&run=1"
COUNT = re.compile(r"([\d,]+) of [\d,]+ samples")
MEDIANS = """() => [...document.querySelectorAll('.st-key-lab-boxes .js-plotly-plot')]
 .flatMap(chart => chart.data ?? []).filter(trace => trace.type === 'box')
 .map(trace => JSON.stringify(trace.median)).join()"""


def finished_samples(page: Page) -> int:
    text = page.get_by_text(COUNT).first.inner_text()
    return int(COUNT.search(text).group(1).replace(",", ""))


def wait_for_boxes(page: Page) -> str:
    page.wait_for_function(f"() => ({MEDIANS})() !== ''")
    return page.evaluate(MEDIANS)


def wait_until_done(page: Page) -> None:
    wait_for_boxes(page)
    expect(page.get_by_role("button", name="Stop simulation")).to_have_count(0)
    settle(page)


@pytest.mark.slow  # the other test waits for boxes that grow; tests/pages asks for the rest
def test_boxes_grow_without_reloading_and_outlive_a_refresh(
    visit: Callable[..., Page], new_viewer: Callable[[], BrowserContext]
) -> None:
    page = visit(LONG.format(seed=1))
    before = finished_samples(page)
    first = wait_for_boxes(page)
    page.wait_for_function(f"before => ({MEDIANS})() !== before", arg=first)
    expect(page.get_by_text(COUNT).first).not_to_have_text(f"{before} of 2,000 samples")
    assert finished_samples(page) > before
    page.reload()
    settle(page)
    wait_for_boxes(page)
    assert finished_samples(page) > before  # the same work, not a new start
    other = new_viewer().new_page()
    other.goto(page.url)
    wait_for_boxes(other)
    assert finished_samples(other) > before
    click_for(page.get_by_role("button", name="Stop simulation"), page.get_by_text("Stopped after"))
    expect(page.get_by_role("button", name="Run again")).to_be_visible()


def test_from_the_form_to_a_table_that_can_be_taken_along_and_to_another_truth(
    visit: Callable[..., Page],
) -> None:
    page = visit("Estimator_lab?n=50&n=100&replicates=20")
    form = page.url
    check_access(page)
    switch_the_design(page)
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url(re.compile("run=1"))
    wait_until_done(page)
    check_access(page)
    file = download(page.get_by_role("button", name="Download every estimate"))
    estimates = pd.read_csv(Path(file.path()))
    assert len(estimates) == 2 * 20 * 12
    file = download(page.get_by_role("button", name="Download this table"))
    table = pd.read_csv(Path(file.path()))
    assert "RMSE, paper" in table.columns
    assert len(table) == 2 * 12
    page.goto(form)
    settle(page)
    check_a_moved_slider(page)


def check_a_moved_slider(page: Page) -> None:
    """It takes effect with the run and stays in the address."""
    page.get_by_role("slider", name="Correlation of that feature with S (ρ)").press("ArrowRight")
    expect(page).not_to_have_url(re.compile("run=1"))
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url(re.compile("rho=0.45.*run=1"))
    wait_until_done(page)
    truth = page.get_by_test_id("stMetricValue").inner_text()
    assert truth != "0.10367"
    page.reload()
    settle(page)
    expect(page.get_by_test_id("stMetricValue")).to_have_text(truth)


def switch_the_design(page: Page) -> None:
    """To several dimensions and back."""
    dimensions = page.get_by_role("slider", name="Dimensions of the representation")
    click_for(page.get_by_role("radio", name="Several dimensions"), dimensions)
    expect(page).to_have_url(re.compile("design=multivariate"))
    settle(page)
    weight = page.get_by_role("slider", name="Weight of the tied feature")
    click_for(page.get_by_role("radio", name="One dimension"), weight)
    settle(page)
