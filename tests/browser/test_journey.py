"""From a table of one's own to a decision, with others looking on."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from frem_core.store import RunState, Store
from frem_core.sweeps import SweepSpec, ensure_engine, submit
from tests.browser.access import check_access
from tests.browser.clicks import click_for, until
from tests.browser.clinic import check_predictions, check_report, clinic
from tests.browser.conftest import PATIENCE, Dashboard, address, settle
from tests.browser.downloads import download
from tests.browser.fronts import TRAIN, open_point, wait_for_points
from tests.sweeps.processes import halted, wait_until

LONG = 2 * PATIENCE  # whole trainings are waited for
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


def name_columns(page: Page) -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": "clinic.csv", "mimeType": "text/csv", "buffer": clinic()}
    )
    expect(page.get_by_role("heading", name="What are the columns of clinic.csv?")).to_be_visible()
    settle(page)
    view = page.get_by_role("heading", name="How the data differs along age")
    click_for(page.get_by_role("button", name="Use these columns"), view)
    settle(page)


def plan_two_methods(page: Page) -> None:
    """FREM and Reg-GDP with two fairness weights and two seeds each, and γ moved."""
    page.locator("[class*=use-unfair] label").click()
    page.locator("[class*=use-reg_gdp] label").click()
    expect(page.get_by_role("tab", name="Reg-GDP")).to_be_visible()
    page.get_by_role("radio", name="Explore a range of fairness weights").click()
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


def fill_in(page: Page, gamma: str, seeds: int) -> None:
    """Types γ and goes on at once with the number of seeds, as people do."""
    typed_gamma(page).fill(gamma)
    typed_gamma(page).press("Enter")
    slider = page.get_by_role("slider", name="Repetitions (seeds)")
    slider.fill(str(seeds - 1))
    slider.press("ArrowRight")


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 5])
def test_viewers_fill_in_forms_of_their_own_while_a_sweep_runs(
    count: int, training_server: Dashboard, new_viewer: Callable[[], BrowserContext]
) -> None:
    viewers = [new_viewer().new_page() for _ in range(count)]
    with endless_sweep(training_server):
        for viewer in viewers:
            viewer.goto(f"{training_server.address}/Train?dataset=gaussian_bivariate")
        # The first page that a server is asked for may be any page.
        expect(viewers[0].get_by_role("heading", level=1)).to_have_text("Train")
        for number, viewer in enumerate(viewers, start=1):
            settle(viewer)
            fill_in(viewer, gamma=f"0.{number}", seeds=number + 1)
        for number, viewer in enumerate(viewers, start=1):
            launch = viewer.get_by_role("button", name=f"Train {2 * (number + 1)} runs")
            expect(launch).to_be_visible()  # the server has answered
            expect(typed_gamma(viewer)).to_have_value(f"0.{number}")


@contextmanager
def endless_sweep(dashboard: Dashboard) -> Iterator[None]:
    """One that is under way from the first to the last moment, and leaves nothing behind.

    Its worker is halted, or it would take half of the machine without getting anywhere.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FREM_HOME", str(dashboard.home))
        patch.setenv("FREM_WORKERS", "1")
        store = Store(folder=dashboard.home)
        sweep = submit(store, SweepSpec.from_toml(ENDLESS))
        ensure_engine(store)
        wait_until(lambda: store.runs.frame(sweep)["epoch"][0] > 0, "the sweep was running")
        with halted(store):
            yield
            assert store.runs.frame(sweep)["state"][0] == "running"
            store.sweeps.cancel(sweep)
        wait_until(lambda: store.runs.frame(sweep)["state"][0] == "cancelled", "it was cancelled")
        store.sweeps.delete(sweep)
        store.close()


@contextmanager
def halfway(dashboard: Dashboard, sweep: str) -> Iterator[Store]:
    """Halts the training once a bundle is finished, so that a fast machine is not done too soon."""
    store = Store(folder=dashboard.home)
    wait_until(lambda: store.sweeps.frame(sweep)["done"][0] > 0, "the first runs were done")
    with halted(store):
        yield store
    store.close()


def finished_settings(store: Store, sweep: str) -> int:
    done = store.runs.frame(sweep, states=[RunState.DONE])
    return len(done[["method", "config.fairness_weight"]].drop_duplicates())


def test_from_a_file_to_a_comparison(
    training_server: Dashboard,
    visit: Callable[..., Page],
    new_viewer: Callable[[], BrowserContext],
    start_server: Callable[..., Dashboard],
    programs: Path,
    tmp_path: Path,
) -> None:
    page = visit("Data", at=training_server)
    name_columns(page)
    data = page.url
    train = page.get_by_role("heading", level=1, name="Train")
    click_for(page.get_by_role("link", name="Train models on it").first, train)
    settle(page)
    plan_two_methods(page)
    page.get_by_role("button", name="Train 8 runs").click()
    page.wait_for_url(re.compile("sweep="))
    other = new_viewer().new_page()
    [sweep] = address(page)["sweep"]
    with halfway(training_server, sweep) as store:
        wait_for_points(page, chart=TRAIN)  # without a reload
        page.reload()
        other.goto(page.url)
        settle(other)
        # Usually a bundle of two; what was on its way when all was halted counts too.
        done = store.sweeps.frame(sweep)["done"][0]
        for viewer in (page, other):
            expect(viewer.get_by_text(f"{done} of 8 runs done")).to_be_visible()
            wait_for_points(viewer, f"=== {finished_settings(store, sweep)}", chart=TRAIN)
        cancel_the_last(page, store, sweep)
        expect(other.get_by_role("button", name="Resume", exact=True)).to_have_count(1)
    for viewer in (page, other):
        finished = viewer.get_by_text("7 of 8 runs done · 1 cancelled")
        expect(finished).to_be_visible(timeout=LONG)
        wait_for_points(viewer, "=== 4", chart=TRAIN)  # without a reload
        settle(viewer)
        expect(viewer.get_by_role("button", name="Cancel the sweep")).to_have_count(0)
    selected = select_point(other)
    compare(other, selected)
    report = download(other.get_by_role("button", name="Download the report"))
    check_report(other, Path(report.path()))
    model = download(other.get_by_role("button", name="Download this model").first)
    run = model.suggested_filename.removeprefix("model-").removesuffix(".zip")
    model.save_as(tmp_path / "model.zip")
    check_predictions(training_server, run, programs, tmp_path)
    # A second server over the same folder is what a restarted dashboard is.
    again = start_server(training_server.home)
    page.goto(page.url.replace(training_server.address, again.address))
    expect(page.get_by_text("7 of 8 runs done · 1 cancelled")).to_be_visible()
    check_note(page)
    page.goto(data.replace(training_server.address, again.address))
    expect(page.get_by_test_id("stMetric").filter(has_text="Rows")).to_contain_text("300")


def cancel_the_last(page: Page, store: Store, sweep: str) -> None:
    """Cancels one run and no other, however often it takes to hit the button of a live page."""

    def click(patience: float) -> None:
        if store.sweeps.frame(sweep)["cancelled"][0] == 0:
            page.get_by_role("button", name="Cancel", exact=True).last.click(timeout=patience)
        resume = page.get_by_role("button", name="Resume", exact=True)
        expect(resume).to_have_count(1, timeout=patience)

    until(click)


def select_point(page: Page) -> str:
    """Opens a point of the front and what was trained there; returns the name of its method."""
    trade_offs = page.get_by_role("heading", level=1, name="Trade-offs")
    click_for(page.get_by_role("link", name="Weigh accuracy against fairness"), trade_offs)
    expect(page).to_have_url(re.compile("sweep="))
    wait_for_points(page, "=== 4")
    settle(page)
    inspection = open_point(page, "FREM")
    heading = inspection.get_by_role("heading", name="fairness weight (λ)")
    method = heading.inner_text().split(":")[0]  # points may lie on each other
    expect(page).to_have_url(re.compile("run="))
    compare = page.get_by_role("heading", level=1, name="Compare")
    click_for(inspection.get_by_role("link", name="Look at predictions on Compare"), compare)
    return method


def compare(page: Page, selected: str) -> None:
    settle(page)
    page.get_by_role("radio", name="At equal accuracy").click()
    titles = page.locator(".st-key-compare-profile .legendtext")
    beside = {"FREM": "Reg-GDP", "Reg-GDP": "FREM"}[selected]
    expect(titles).to_have_text([re.compile(selected), re.compile(beside)])
    settle(page)
    file = download(page.get_by_role("button", name="Download scores as CSV"))
    assert len(pd.read_csv(Path(file.path()))) > 0


def check_note(page: Page) -> None:
    note = page.get_by_role("textbox", name="Note")
    click_for(page.get_by_role("button", name="Details", exact=True).nth(1), note)
    note.fill("<b>bold</b> $x$")
    saved = page.get_by_text("The note is saved.")
    click_for(page.get_by_role("button", name="Save the note"), saved)
    page.reload()
    expect(note).to_have_value("<b>bold</b> $x$")
    settle(page)
    check_access(page)
