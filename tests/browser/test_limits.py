"""From a table of one's own to a model that keeps a limit, without touching λ."""

import re
from collections.abc import Callable

import numpy as np
import pandas as pd
from playwright.sync_api import Page, expect

from frem_core.store import Store
from tests.browser.clicks import click_for
from tests.browser.conftest import PATIENCE, Dashboard, address, settle

LONG = 3 * PATIENCE  # whole trainings are waited for


def flats(rows: int = 600) -> bytes:
    """Rents in euros that follow the tenants' income, and one thing that does not."""
    rng = np.random.default_rng(5)
    income = rng.gamma(4, 9000, rows).round()
    metres = rng.normal(70, 20, rows).round(1)
    rent = (200 + 7 * metres + 0.008 * income + rng.normal(0, 40, rows)).round()
    spending = (0.4 * income + rng.normal(0, 2000, rows)).round()
    frame = pd.DataFrame({"income": income, "metres": metres, "spending": spending, "rent": rent})
    return frame.to_csv(index=False).encode()


def choose_column(page: Page, label: str, name: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=name, exact=True).click()
    settle(page)


def test_half_of_the_dependence_of_a_table_of_ones_own(
    training_server: Dashboard, visit: Callable[..., Page]
) -> None:
    page = visit("Data", at=training_server)
    page.locator("input[type=file]").set_input_files(
        {"name": "flats.csv", "mimeType": "text/csv", "buffer": flats()}
    )
    expect(page.get_by_role("heading", name="What are the columns of flats.csv?")).to_be_visible()
    settle(page)
    choose_column(page, "Target: what is predicted", "rent")
    choose_column(page, "Sensitive attribute: what the prediction should not follow", "income")
    view = page.get_by_role("heading", name="How the data differs along income")
    click_for(page.get_by_role("button", name="Use these columns"), view)
    settle(page)
    form = page.get_by_role("heading", name="What do you need?")
    click_for(page.get_by_role("link", name="Train models on it").first, form)
    settle(page)
    page.get_by_role("slider", name="Repetitions (seeds)").press("Home")
    epochs = page.get_by_role("spinbutton", name="Epochs", exact=True)
    epochs.fill("40")
    epochs.press("Enter")
    page.get_by_role("button", name="Train 2 runs").click()
    page.wait_for_url(re.compile("sweep="))
    [sweep] = address(page)["sweep"]
    verdict = page.get_by_text(re.compile(r"asked for was at most 0\.\d+")).first
    expect(verdict).to_be_visible(timeout=LONG)
    said = verdict.inner_text()
    assert "50 % of the unfair model's ΔHGR" in said
    assert re.search(r"95 % interval 0\.\d+ to 0\.\d+, 120 held-out rows", said)
    # In the units of the rent, not on a scale from 0 to 1.
    miss = re.search(r"misses rent by ([\d.]+)", said)
    assert miss is not None
    assert 20 < float(miss.group(1)) < 400

    trade_offs = page.get_by_role("heading", level=1, name="Trade-offs")
    click_for(page.get_by_role("link", name="Weigh accuracy against fairness"), trade_offs)
    expect(page.get_by_text(said.splitlines()[-1])).to_be_visible()
    store = Store(folder=training_server.home)
    runs = store.runs.frame(sweep).set_index("method")
    store.close()
    assert runs.loc["frem", "config.limit"] == "hgr=50%"
    assert runs.loc["frem", "config.fairness_weight"] > 0
