"""Reads sections of a sweep's description and says clearly what is wrong with them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from frem_core.errors import ConfigError, did_you_mean


def check_keys(section: str, values: Mapping[str, Any], allowed: Iterable[str]) -> None:
    """Raises a ConfigError for the first key that a section does not know."""
    known = list(allowed)
    for key in values:
        if key not in known:
            raise ConfigError(
                f"{section} has no setting '{key}'; it has {', '.join(known)}."
                + did_you_mean(str(key), known)
            )


def table(section: str, value: Any) -> Mapping[str, Any]:
    """Returns a section, which must be a table of settings."""
    if not isinstance(value, Mapping):
        raise ConfigError(f"{section} must be a table of settings, not {value!r}.")
    return value


def text(section: str, key: str, value: Any) -> str:
    """Returns a text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise ConfigError(f"{key} in {section} must be a text, not {value!r}.")
    return value


def choice(section: str, key: str, value: Any, allowed: Sequence[str]) -> str:
    """Returns one of the allowed words."""
    if value not in allowed:
        words = " or ".join(f"'{word}'" for word in allowed)
        hint = did_you_mean(value, allowed) if isinstance(value, str) else ""
        raise ConfigError(f"{key} in {section} must be {words}, not {value!r}.{hint}")
    return str(value)


def numbers(section: str, key: str, value: Any) -> tuple[float, ...]:
    """Returns one or more numbers, each of them once."""
    items = value if isinstance(value, list | tuple) else [value]
    for item in items:
        if isinstance(item, bool) or not isinstance(item, int | float):
            raise ConfigError(f"{key} in {section} must be numbers, not {item!r}.")
    if not items:
        raise ConfigError(f"{key} in {section} is empty; give at least one number.")
    return tuple(dict.fromkeys(float(item) for item in items))


def seeds(section: str, value: Any) -> tuple[int, ...]:
    """Returns seeds from a list of them, or from how many there shall be."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 1000:
        return tuple(range(value))
    items = value if isinstance(value, list | tuple) else []
    whole = [item for item in items if isinstance(item, int) and not isinstance(item, bool)]
    if not items or len(whole) != len(items) or min(whole) < 0 or max(whole) >= 2**32:
        raise ConfigError(
            f"seeds in {section} must be a list of whole numbers of at least 0, or how many "
            f"there shall be, not {value!r}."
        )
    return tuple(dict.fromkeys(whole))
