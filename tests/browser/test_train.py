import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.access import check_access
from tests.browser.conftest import settle


def test_the_empty_page_a_bad_file_and_a_form_that_says_how_long_it_takes(
    visit: Callable[..., Page],
) -> None:
    page = visit("Train")
    expect(page.get_by_role("heading", name="First, a dataset")).to_be_visible()
    check_access(page)
    page.get_by_role("radio", name="From a file").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "bad.toml", "mimeType": "text/plain", "buffer": b'name = "<b>x</b>"\nmethds = 1'}
    )
    expect(page.get_by_test_id("stAlert")).to_contain_text("Did you mean 'methods'?")
    check_access(page)
    page.goto(page.url.split("?")[0] + "?dataset=gaussian_bivariate")
    estimate = page.get_by_text(re.compile("Timing a few training steps|About .* trained"))
    expect(estimate).to_be_visible()
    settle(page)
    check_access(page)
