import re
from collections.abc import Callable

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from frem_core.ablations import get_ablation
from frem_core.store import Store
from frem_core.sweeps import DatasetSpec, submit_once
from tests.browser.access import check_access
from tests.browser.clicks import click_for
from tests.browser.conftest import Dashboard
from tests.browser.downloads import download
from tests.pages.ablation_runs import finish


@pytest.fixture(scope="module")
def trained_server(finished_server: Dashboard) -> Dashboard:
    """A dashboard over a store in which an ablation is finished."""
    train(finished_server, "kernels-s")
    return finished_server


def train(server: Dashboard, ablation: str) -> None:
    store = Store(folder=server.home)
    submit_once(store, get_ablation(ablation).spec(DatasetSpec(name="crime")))
    finish(store)
    store.close()


def test_from_a_card_to_the_conclusion_and_its_table(
    visit: Callable[..., Page], trained_server: Dashboard
) -> None:
    page = visit("Ablations", at=trained_server)
    check_access(page)
    card = page.locator(".st-key-ablation-kernels-s")
    fronts = page.locator(".st-key-ablation-fronts-test .js-plotly-plot")
    click_for(card.get_by_role("button", name="Look into it"), fronts)
    expect(page.get_by_role("heading", name="Kernel for the sensitive attribute")).to_be_visible()
    expect(page.get_by_test_id("stAlert")).to_contain_text("kernel")
    expect(page).to_have_url(re.compile("ablation=kernels-s"))
    check_access(page)
    file = download(page.get_by_role("button", name="Download this table"))
    table = pd.read_csv(file.path())
    assert table["Variant"].tolist() == [
        variant.title for variant in get_ablation("kernels-s").variants
    ]


@pytest.mark.slow  # test_journey.py watches a page grow without a reload
def test_from_an_offer_to_a_bootstrap_that_grows_without_a_reload(
    visit: Callable[..., Page], trained_server: Dashboard
) -> None:
    train(trained_server, "mi-stability")
    page = visit("Ablations?ablation=sigma&dataset=crime&resamples=100", at=trained_server)
    expect(page.get_by_role("button", name="Train")).to_be_visible()
    check_access(page)
    other = page.get_by_role("radio", name="Stability of the information score")
    click_for(other, page.get_by_role("heading", name="Stability of the information score"))
    expect(page).to_have_url(re.compile("ablation=mi-stability"))
    expect(page.get_by_test_id("stAlert")).to_contain_text("standard deviation between resamples")
    chart = page.locator(".st-key-stability .js-plotly-plot")
    expect(chart).to_have_count(1)  # while it grows the old one may still be there
    expect(chart.first).to_be_visible()
