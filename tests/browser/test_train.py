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

LONG = 3 * PATIENCE  # whole trainings are waited for
PLAN = "Train?dataset=gaussian_bivariate"
SHARE = re.compile(r"(\d+)% · (\d+) of 12 runs done")
FITS = """() => {const main = document.querySelector('[data-testid=stMain]');
 return main.scrollWidth <= main.clientWidth + 1}"""


@pytest.fixture(scope="module")
def training_server(
    chromium: Browser,
    start_server: Callable[[Path], Dashboard],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Dashboard]:
    """A dashboard of its own, whose engine ends with these tests."""
    expect.set_options(timeout=LONG)
    dashboard = start_server(tmp_path_factory.mktemp("train-home"))
    yield dashboard
    store = Store(folder=dashboard.home)
    engine = engine_state(store)
    if engine.is_running:
        process = psutil.Process(engine.pid)
        process.terminate()
        process.wait(60)
    store.close()


def open_page(browser: Browser, address: str, scheme: str = "light") -> Page:
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, color_scheme="dark" if scheme == "dark" else None
    )
    context.set_default_timeout(LONG)
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_have_text("Train")
    return page


def typed_gamma(page: Page):
    return page.get_by_role("spinbutton", name="Bandwidth on the sensitive attribute (γ), typed")


def progress(page: Page) -> tuple[int, int]:
    text = page.get_by_test_id("stProgress").filter(has_text="runs done").inner_text()
    found = SHARE.search(text)
    assert found is not None, text
    return int(found.group(1)), int(found.group(2))


def wait_for_progress(page: Page, above: int) -> None:
    page.wait_for_function(
        """above => {const found = document.body.innerText.match(/(\\d+)% · \\d+ of/);
        return found && Number(found[1]) > above}""",
        arg=above,
    )


def check_access(page: Page) -> None:
    for width in (1024, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(FITS)
    found = Axe().run(page).response["violations"]
    serious = [
        (item["id"], [node["html"][:160] for node in item["nodes"]])
        for item in found
        if item["impact"] in {"serious", "critical"}
    ]
    assert serious == []


def plan_two_methods(page: Page) -> None:
    """FREM with two fairness weights of our own and Reg-GDP with those suggested, one seed."""
    page.locator(".st-key-train-gaussian_bivariate-use-unfair label").click()
    page.locator(".st-key-train-gaussian_bivariate-use-reg_gdp label").click()
    expect(page.get_by_role("tab", name="Reg-GDP")).to_be_visible()
    page.get_by_role("slider", name="Repetitions (seeds)").press("Home")
    epochs = page.get_by_role("spinbutton", name="Epochs", exact=True)
    epochs.fill("60")
    epochs.press("Enter")
    page.get_by_role("radio", name="A range of my own").first.click()
    count = page.get_by_role("slider", name="How many values between them")
    count.press("Home")
    count.press("ArrowRight")
    expect(page.get_by_text("λ = 0.01, 10")).to_be_visible()
    page.get_by_role("slider", name="Bandwidth on the sensitive attribute (γ)").press("ArrowRight")
    expect(typed_gamma(page)).to_have_value("0.07")


@pytest.mark.timeout(900)
def test_from_a_form_to_a_finished_sweep_that_everyone_sees(
    training_server: Dashboard, chromium: Browser, start_server: Callable[[Path], Dashboard]
) -> None:
    page = open_page(chromium, f"{training_server.address}/{PLAN}")
    plan_two_methods(page)
    expect(
        page.get_by_text(re.compile("Timing a few training steps|About .* trained"))
    ).to_be_visible()

    other = open_page(chromium, f"{training_server.address}/{PLAN}", "dark")
    expect(typed_gamma(other)).to_have_value("0.05")  # not what the first viewer set
    check_access(other)

    page.get_by_role("button", name="Train 12 runs").click()
    page.wait_for_url(re.compile("sweep="))
    wait_for_progress(page, 0)  # without a reload
    page.reload()
    wait_for_progress(page, 0)
    page.get_by_role("button", name="Cancel", exact=True).first.click()
    other.goto(page.url)
    expect(other.get_by_role("button", name="Resume", exact=True)).to_have_count(1)
    expect(page.get_by_role("button", name="Resume", exact=True)).to_have_count(1)

    for viewer in (page, other):
        text = viewer.get_by_text("11 of 12 runs done · 1 cancelled")
        expect(text).to_be_visible()
        points = viewer.locator(".st-key-train-front path.point")
        expect(points).to_have_count(11)  # without a reload
        settle(viewer)
        assert viewer.get_by_role("button", name="Cancel the sweep").count() == 0
    check_access(page)
    # A second server over the same folder is what a restarted dashboard is.
    again = open_page(
        chromium,
        page.url.replace(training_server.address, start_server(training_server.home).address),
    )
    expect(again.get_by_text("11 of 12 runs done · 1 cancelled")).to_be_visible()
    check_links_and_note(again)
    for viewer in (page, other, again):
        viewer.context.close()


def check_links_and_note(page: Page) -> None:
    page.get_by_role("button", name="Details", exact=True).nth(1).click()
    note = page.get_by_role("textbox", name="Note")
    note.fill("<b>bold</b> $x$")
    page.get_by_role("button", name="Save the note").click()
    expect(page.get_by_text("The note is saved.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("textbox", name="Note")).to_have_value("<b>bold</b> $x$")
    settle(page)
    check_access(page)
    page.get_by_role("link", name="Weigh accuracy against fairness").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Trade-offs")
    assert "sweep=" in page.url


def test_the_empty_page_leads_to_a_form_and_a_bad_file_is_explained(
    training_server: Dashboard, chromium: Browser
) -> None:
    page = open_page(chromium, f"{training_server.address}/Train")
    expect(page.get_by_role("heading", name="First, a dataset")).to_be_visible()
    settle(page)
    check_access(page)
    page.get_by_role("radio", name="From a file").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "bad.toml", "mimeType": "text/plain", "buffer": b'name = "<b>x</b>"\nmethds = 1'}
    )
    expect(page.get_by_test_id("stAlert")).to_contain_text("Did you mean 'methods'?")
    check_access(page)
    page.context.close()
