"""Settings from the environment: what counts as a number, and what is refused by its name."""

import pytest

from frem_core.errors import ConfigError
from frem_core.settings import seconds, size, whole_number

NAME = "FREM_OF_A_TEST"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("500MB", 500_000_000),
        ("2 GB", 2_000_000_000),
        ("1.5gb", 1_500_000_000),
        ("2GiB", 2 * 1024**3),
        ("64k", 64_000),
        ("1e6", 1_000_000),
        ("700", 700),
        ("0", 0),
    ],
)
def test_sizes(given: str, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, given)
    assert size(NAME) == expected


@pytest.mark.parametrize("read", [size, seconds, whole_number])
@pytest.mark.parametrize("given", ["abc", "-1", "nan", "inf", "1e999", "²", "٣GB", "1,5", "0x10"])
def test_what_is_no_number(read, given: str, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv(NAME, given)
    with pytest.raises(ConfigError, match=f"{NAME} must be .*, not '{given}'"):
        read(NAME)


@pytest.mark.parametrize("read", [size, seconds, whole_number])
def test_what_is_not_set(read, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    assert read(NAME) is None
    monkeypatch.setenv(NAME, "  ")
    assert read(NAME) is None


def test_seconds_and_whole_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, " 7 ")
    assert (seconds(NAME), whole_number(NAME, least=7)) == (7.0, 7)
    with pytest.raises(ConfigError, match="at least 8"):
        whole_number(NAME, least=8)
    monkeypatch.setenv(NAME, "0.5")
    assert seconds(NAME) == 0.5
    monkeypatch.setenv(NAME, "9" * 30)
    with pytest.raises(ConfigError, match="must be a whole number"):
        whole_number(NAME)
