"""What environment variables give: numbers, addresses, files; refused where it makes no sense."""

import math
import os
import re
from pathlib import Path
from typing import Final

from frem_core.errors import ConfigError

_SIZE: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?(?:e[0-9]+)?)\s*([kmgt]?)(i?)b?", re.ASCII)
_POWERS: Final = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def whole_number(variable: str, least: int = 0) -> int | None:
    """The whole number that a variable gives; None when it is not set.

    Raises:
        ConfigError: it is something else, or less than the least that makes sense.
    """
    given = os.environ.get(variable, "").strip()
    if not given:
        return None
    if re.fullmatch("[0-9]{1,18}", given) is None or int(given) < least:
        raise ConfigError(
            f"{variable} must be a whole number of at least {least}, not '{given[:40]}'."
        )
    return int(given)


def seconds(variable: str) -> float | None:
    """The seconds that a variable gives; None when it is not set.

    Raises:
        ConfigError: it is no number, negative or without end.
    """
    given = os.environ.get(variable, "").strip()
    if not given:
        return None
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:  # NaN is not either
        raise ConfigError(f"{variable} must be seconds such as 60, not '{given[:40]}'.")
    return number


def size(variable: str) -> int | None:
    """The bytes that a variable gives, such as ``500MB`` or ``2 GiB``; None when it is not set.

    Raises:
        ConfigError: it is no size.
    """
    given = os.environ.get(variable, "").strip()
    if not given:
        return None
    found = _SIZE.fullmatch(given.casefold())
    number = math.inf if found is None else float(found[1])
    if found is None or number > 1e18:
        raise ConfigError(f"{variable} must be a size such as 500MB or 2GB, not '{given[:40]}'.")
    return int(number * (1024 if found[3] else 1000) ** _POWERS[found[2]])


def address_of(variable: str) -> str:
    """The address of a service that a variable gives, such as ``tls://host:8786``, or "".

    Raises:
        ConfigError: it has no scheme, host or port.
    """
    given = os.environ.get(variable, "").strip()
    found = re.fullmatch(r"\w+://[^\s/]+:([0-9]{1,5})", given, re.ASCII)
    if given and (found is None or not 0 < int(found[1]) < 65_536):
        raise ConfigError(
            f"{variable} must be an address such as tls://scheduler:8786, not '{given[:80]}'."
        )
    return given


def file_of(variable: str) -> str | None:
    """The file that a variable names; None when it is not set.

    Raises:
        ConfigError: there is no such file.
    """
    given = os.environ.get(variable, "").strip()
    if given and not Path(given).is_file():
        raise ConfigError(f"{variable} must name a file, and there is none called '{given}'.")
    return given or None
