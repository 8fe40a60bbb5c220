"""From a table of one's own to a decision, with others looking on."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from frem_core.store import RunState, Store
from frem_core.sweeps import SweepSpec, ensure_engine, submit
from tests.browser.access import check_access
from tests.browser.conftest import PATIENCE, Dashboard, settle
from tests.browser.downloads import download
from tests.browser.fronts import open_point, wait_for_points
from tests.sweeps.processes import halted, wait_until

LONG = 2 * PATIENCE  # whole trainings are waited for
HOSTILE = "<b>dose</b> $x$"
ENDLESS = """
name = "endless"
seeds = 1
[dataset]
name = "gaussian_bivariate"
[training]
epochs = 100000
[[methods]]
method = "frem"
fairness_weights = [1.0]
"""


def clinic(rows: int = 300) -> bytes:
    rng = np.random.default_rng(0)
    age = rng.integers(18, 90, size=rows)
    frame = pd.DataFrame(
        {
            "age": age,
            HOSTILE: age / 10 + rng.normal(size=rows),
            "visits": rng.poisson(3, size=rows),
            "recovered": np.where(rng.random(rows) < age / 100, "yes", "no"),
        }
    )
    return frame.to_csv(index=False).encode()


def name_columns(page: Page) -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": "clinic.csv", "mimeType": "text/csv", "buffer": clinic()}
    )
    expect(page.get_by_role("heading", name="What are the columns of clinic.csv?")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Use these columns").click()
    expect(page.get_by_role("heading", name="How the data differs along age")).to_be_visible()
    settle(page)


def plan_two_methods(page: Page) -> None:
    """FREM and Reg-GDP with two fairness weights and two seeds each, and γ moved."""
    page.locator("[class*=use-unfair] label").click()
    page.locator("[class*=use-reg_gdp] label").click()
    expect(page.get_by_role("tab", name="Reg-GDP")).to_be_visible()
    seeds = page.get_by_role("slider", name="Repetitions (seeds)")
    seeds.press("Home")
    seeds.press("ArrowRight")
    epochs = page.get_by_role("spinbutton", name="Epochs", exact=True)
    epochs.fill("150")
    epochs.press("Enter")
    gamma = page.get_by_role("slider", name="Bandwidth on the sensitive attribute (γ)")
    gamma.press("ArrowRight")
    expect(typed_gamma(page)).to_have_value("0.07")
    for method in ("FREM", "Reg-GDP"):
        page.get_by_role("tab", name=method).click()
        panel = page.get_by_role("tabpanel", name=method)
        panel.get_by_role("radio", name="A range of my own").click()
        count = panel.get_by_role("slider", name="How many values between them")
        count.press("Home")
        count.press("ArrowRight")
        expect(panel.get_by_text(re.compile(r"λ = [\d.]+, [\d.]+$"))).to_be_visible()


def typed_gamma(page: Page) -> Locator:
    return page.get_by_role("spinbutton", name="Bandwidth on the sensitive attribute (γ), typed")


def points(page: Page) -> Locator:
    return page.locator(".st-key-train-front path.point")


@contextmanager
def halfway(dashboard: Dashboard) -> Iterator[Store]:
    """Halts the training once a bundle is finished, so that a fast machine is not done too soon."""
    store = Store(folder=dashboard.home)
    wait_until(lambda: store.sweeps.frame()["done"][0] > 0, "the first runs were done")
    with halted(store):
        yield store
    store.close()


def finished_settings(store: Store) -> int:
    done = store.runs.frame(states=[RunState.DONE])
    return len(done[["method", "config.fairness_weight"]].drop_duplicates())


def test_from_a_file_to_a_comparison(
    training_server: Dashboard,
    visit: Callable[..., Page],
    new_viewer: Callable[[], BrowserContext],
    start_server: Callable[..., Dashboard],
) -> None:
    page = visit("Data", at=training_server)
    name_columns(page)
    data = page.url
    page.get_by_role("link", name="Train models on it").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Train")
    settle(page)
    plan_two_methods(page)
    page.get_by_role("button", name="Train 8 runs").click()
    page.wait_for_url(re.compile("sweep="))
    other = new_viewer().new_page()
    with halfway(training_server) as store:
        expect(points(page).first).to_be_visible()  # without a reload
        page.reload()
        other.goto(page.url)
        settle(other)
        # Usually a bundle of two; what was on its way when all was halted counts too.
        done = store.sweeps.frame()["done"][0]
        for viewer in (page, other):
            expect(viewer.get_by_text(f"{done} of 8 runs done")).to_be_visible()
            expect(points(viewer)).to_have_count(finished_settings(store))
        page.get_by_role("button", name="Cancel", exact=True).last.click()
        for viewer in (page, other):
            expect(viewer.get_by_role("button", name="Resume", exact=True)).to_have_count(1)
    for viewer in (page, other):
        finished = viewer.get_by_text("7 of 8 runs done · 1 cancelled")
        expect(finished).to_be_visible(timeout=LONG)
        expect(points(viewer)).to_have_count(4)  # without a reload
        settle(viewer)
        expect(viewer.get_by_role("button", name="Cancel the sweep")).to_have_count(0)
    check_access(page)
    selected = select_point(other)
    compare_and_take_along(other, selected)
    # A second server over the same folder is what a restarted dashboard is.
    again = start_server(training_server.home)
    page.goto(page.url.replace(training_server.address, again.address))
    expect(page.get_by_text("7 of 8 runs done · 1 cancelled")).to_be_visible()
    check_note(page)
    page.goto(data.replace(training_server.address, again.address))
    expect(page.get_by_test_id("stMetric").filter(has_text="Rows")).to_contain_text("300")


def select_point(page: Page) -> str:
    """Opens a point of the front and what was trained there; returns the name of its method."""
    page.get_by_role("link", name="Weigh accuracy against fairness").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Trade-offs")
    expect(page).to_have_url(re.compile("sweep="))
    wait_for_points(page, "=== 4")
    settle(page)
    inspection = open_point(page, "FREM")
    heading = inspection.get_by_role("heading", name="fairness weight (λ)")
    method = heading.inner_text().split(":")[0]  # points may lie on each other
    expect(page).to_have_url(re.compile("run="))
    inspection.get_by_role("link", name="Look at predictions on Compare").click()
    return method


def compare_and_take_along(page: Page, selected: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare")
    page.get_by_role("radio", name="At equal accuracy").click()
    titles = page.locator(".st-key-compare-profile .legendtext")
    beside = {"FREM": "Reg-GDP", "Reg-GDP": "FREM"}[selected]
    expect(titles).to_have_text([re.compile(selected), re.compile(beside)])
    settle(page)
    file = download(page.get_by_role("button", name="Download scores as CSV"))
    assert len(pd.read_csv(Path(file.path()))) > 0


def check_note(page: Page) -> None:
    page.get_by_role("button", name="Details", exact=True).nth(1).click()
    note = page.get_by_role("textbox", name="Note")
    note.fill("<b>bold</b> $x$")
    page.get_by_role("button", name="Save the note").click()
    expect(page.get_by_text("The note is saved.")).to_be_visible()
    page.reload()
    expect(note).to_have_value("<b>bold</b> $x$")
    settle(page)
    check_access(page)


def fill_in(page: Page, gamma: str, seeds: int) -> None:
    """Types γ and goes on at once with the number of seeds, as people do."""
    typed_gamma(page).fill(gamma)
    typed_gamma(page).press("Enter")
    slider = page.get_by_role("slider", name="Repetitions (seeds)")
    slider.fill(str(seeds - 1))
    slider.press("ArrowRight")


def test_five_viewers_fill_in_forms_of_their_own_while_a_sweep_runs(
    training_server: Dashboard,
    new_viewer: Callable[[], BrowserContext],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FREM_HOME", str(training_server.home))
    monkeypatch.setenv("FREM_WORKERS", "1")
    store = Store(folder=training_server.home)
    sweep = submit(store, SweepSpec.from_toml(ENDLESS))
    ensure_engine(store)
    viewers = [new_viewer().new_page() for _ in range(5)]
    for viewer in viewers:
        viewer.goto(f"{training_server.address}/Train?dataset=gaussian_bivariate")
    wait_until(lambda: store.runs.frame(sweep)["epoch"][0] > 0, "the sweep was running")
    for number, viewer in enumerate(viewers, start=1):
        settle(viewer)
        fill_in(viewer, gamma=f"0.{number}", seeds=number + 1)
    for number, viewer in enumerate(viewers, start=1):
        launch = viewer.get_by_role("button", name=f"Train {11 * (number + 1)} runs")
        expect(launch).to_be_visible()  # the server has answered
        expect(typed_gamma(viewer)).to_have_value(f"0.{number}")
    assert store.runs.frame(sweep)["state"][0] == "running"
    store.sweeps.cancel(sweep)
    store.close()
