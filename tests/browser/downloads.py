"""Files that a page hands out."""

from playwright.sync_api import Download, Locator
from playwright.sync_api import TimeoutError as TooLateError

# Milliseconds; the last one is for a machine that is busy, the others for a click that got lost.
_PATIENCE = (15_000, 60_000, 300_000)


def download(button: Locator) -> Download:
    """Clicks and waits for the file.

    Once more where the page was drawn anew under the mouse, as when the last run of a sweep
    arrives; a person would click again too.
    """
    for patience in _PATIENCE[:-1]:
        try:
            return _click(button, patience)
        except TooLateError:
            continue
    return _click(button, _PATIENCE[-1])


def _click(button: Locator, patience: int) -> Download:
    with button.page.expect_download(timeout=patience) as coming:
        button.click()
    return coming.value
