from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from frem_core.ablations import get_ablation
from frem_core.store import Store
from frem_core.sweeps import DatasetSpec, submit_once
from tests.browser.conftest import PATIENCE, Dashboard, settle
from tests.pages.ablation_runs import finish

FITS = """() => {const main = document.querySelector('[data-testid=stMain]');
 return main.scrollWidth <= main.clientWidth + 1}"""


@pytest.fixture(scope="module")
def trained_server(
    chromium: Browser,
    start_server: Callable[[Path], Dashboard],
    tmp_path_factory: pytest.TempPathFactory,
) -> Dashboard:
    """A dashboard over a store in which two ablations are finished."""
    home = tmp_path_factory.mktemp("ablations-home")
    store = Store(folder=home)
    for name in ("kernels-s", "mi-stability"):
        submit_once(store, get_ablation(name).spec(DatasetSpec(name="crime")))
    finish(store)
    store.close()
    return start_server(home)


def test_from_a_card_to_the_conclusion_and_its_table(
    visit: Callable[..., Page], trained_server: Dashboard
) -> None:
    page = visit("Ablations", at=trained_server)
    card = page.locator(".st-key-ablation-kernels-s")
    card.get_by_role("button", name="Look into it").click()
    expect(page.get_by_role("heading", name="Kernel for the sensitive attribute")).to_be_visible(
        timeout=PATIENCE
    )
    expect(page.get_by_test_id("stAlert")).to_contain_text("kernel", timeout=PATIENCE)
    expect(page.locator(".st-key-ablation-fronts-test .js-plotly-plot")).to_be_visible(
        timeout=PATIENCE
    )
    assert "ablation=kernels-s" in page.url
    with page.expect_download() as download:
        page.get_by_role("button", name="Download this table").click()
    table = pd.read_csv(download.value.path())
    assert table["Variant"].tolist() == [
        variant.title for variant in get_ablation("kernels-s").variants
    ]
    page.get_by_role("radio", name="Stability of the information score").click()
    expect(page.get_by_role("heading", name="Stability of the information score")).to_be_visible(
        timeout=PATIENCE
    )
    assert "ablation=mi-stability" in page.url


def test_the_bootstrap_grows_without_a_reload(
    visit: Callable[..., Page], trained_server: Dashboard
) -> None:
    page = visit("Ablations?ablation=mi-stability&dataset=crime&resamples=100", at=trained_server)
    expect(page.get_by_test_id("stAlert")).to_contain_text(
        "standard deviation between resamples", timeout=3 * PATIENCE
    )
    expect(page.locator(".st-key-stability .js-plotly-plot")).to_be_visible(timeout=PATIENCE)


@pytest.mark.parametrize("context", ["light", "dark"], indirect=True)
def test_cards_launch_and_results_are_accessible_and_fit(
    visit: Callable[..., Page], trained_server: Dashboard
) -> None:
    for path in ("Ablations", "Ablations?ablation=sigma", "Ablations?ablation=kernels-s"):
        page = visit(path, at=trained_server)
        expect(page.get_by_role("heading", level=1)).to_have_text("Ablations", timeout=PATIENCE)
        for width in (1024, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_function(FITS)
        settle(page)
        found = Axe().run(page).response["violations"]
        serious = [
            (path, item["id"], [node["html"][:160] for node in item["nodes"]])
            for item in found
            if item["impact"] in {"serious", "critical"}
        ]
        assert serious == []
        page.close()
