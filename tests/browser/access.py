"""Whether a page fits its window and can be read by everyone."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tools.dashboard import settle

_WIDTHS = (1024, 1440)
_FITS = """() => {const main = document.querySelector('[data-testid=stMain]');
 return main.scrollWidth <= main.clientWidth + 1}"""
_IS_DARK = "() => matchMedia('(prefers-color-scheme: dark)').matches"
_COLOUR = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"


def check_access(page: Page) -> None:
    """Checks widths and all rules in the theme the page has, and contrast in the other one too.

    The other theme stays. What is no matter of colours is the same in both.
    """
    page.mouse.move(0, 0)  # a help text that fades out has little contrast
    expect(page.get_by_test_id("stTooltipContent")).to_have_count(0)
    for width in _WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(_FITS)
    settle(page)
    _check_rules(page)
    _change_theme(page)
    _check_rules(page, "color-contrast", "link-in-text-block")


def check_phone(page: Page) -> None:
    """Checks that a page opened at the width of a phone needs no scrolling sideways."""
    settle(page)
    page.wait_for_function(_FITS)


def check_descriptions(page: Page, charts: int) -> None:
    """Checks that there are so many charts and that each says in words what it shows."""
    drawn = page.get_by_test_id("stPlotlyChart")
    expect(drawn).to_have_count(charts)
    for chart in drawn.all():
        label = chart.locator("xpath=descendant-or-self::*[@aria-label]").first
        assert len(label.get_attribute("aria-label") or "") > 20


def _check_rules(page: Page, *only: str) -> None:
    """Has axe look at all rules, or only at these."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(only)} if only else {})
    serious = [
        (item["id"], [node["html"][:160] for node in item["nodes"]])
        for item in Axe().run(page, options=options).response["violations"]
        if item["impact"] in {"serious", "critical"}
    ]
    assert not serious, serious


def _change_theme(page: Page) -> None:
    """What the browser draws follows at once, what the server draws with the next run."""
    before = page.evaluate(_COLOUR)
    page.emulate_media(color_scheme="light" if page.evaluate(_IS_DARK) else "dark")
    page.wait_for_function(f"before => ({_COLOUR})() !== before", arg=before)
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("r")
    settle(page)
