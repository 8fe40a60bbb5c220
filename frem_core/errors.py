"""The errors users meet: each says what was given, what is allowed and what to do next."""

from collections.abc import Iterable
from difflib import get_close_matches


class FremError(Exception):
    """Base of every error this project raises on purpose; its message is meant for users."""


class DataError(FremError, ValueError):
    """A table, column or array cannot be used as it is."""


class ConfigError(FremError, ValueError):
    """A setting has a value that is not allowed."""


def did_you_mean(given: str, allowed: Iterable[str]) -> str:
    """Returns " Did you mean 'x'?" for the closest allowed name, or "" when none is close.

    >>> did_you_mean("epanechnikof", ["rbf", "epanechnikov"])
    " Did you mean 'epanechnikov'?"
    >>> did_you_mean("cosine", ["rbf", "epanechnikov"])
    ''
    """
    names = {name.casefold(): name for name in allowed}
    close = get_close_matches(given.casefold(), names, n=1, cutoff=0.6)
    return f" Did you mean '{names[close[0]]}'?" if close else ""
