"""Files that a page hands out."""

from playwright.sync_api import Download, Locator

from tests.browser.clicks import until


def download(button: Locator) -> Download:
    """Clicks and waits for the file."""

    def click(patience: float) -> Download:
        with button.page.expect_download(timeout=patience) as coming:
            button.click(timeout=patience)
        return coming.value

    return until(click)
