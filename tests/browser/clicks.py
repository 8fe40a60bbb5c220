"""Clicks as a person makes them: once more when nothing came of it.

A live page may be drawn anew between the moment the mouse is moved and the moment it is pressed,
and the click is lost. So whoever acts on a page that changes by itself names what is to come of it.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from playwright.sync_api import Error, Locator, expect

from tools.dashboard import PATIENCE

Outcome = TypeVar("Outcome")
# Milliseconds. The first ones are for a click that got lost, the last for a machine that is busy.
_ATTEMPTS = (10_000, 30_000, 90_000, PATIENCE)


def until(act: Callable[[float], Outcome]) -> Outcome:
    """Acts until it does not fail.

    Args:
        act: gets the milliseconds it may wait for what it wants; raises when that did not come.
    """
    for patience in _ATTEMPTS[:-1]:
        try:
            return act(patience)
        except (AssertionError, Error):  # what was replaced is no longer part of the page
            continue
    return act(_ATTEMPTS[-1])


def click_for(button: Locator, outcome: Locator) -> None:
    """Clicks until the outcome can be seen; one that is there already needs no click."""

    def click(patience: float) -> None:
        if not outcome.is_visible():
            # A button that is gone, because its click was heard, is not waited for.
            with suppress(Error):
                button.click(timeout=_ATTEMPTS[0])
        expect(outcome).to_be_visible(timeout=patience)

    until(click)
