"""Live parts of pages give way to pages that are opened."""

import pytest

from studio.crowd import pace
from studio.crowd.pace import Load, slowness


class Clock:
    """A process that uses as much of a core as a test says."""

    now = used = 0.0

    def monotonic(self) -> float:
        return self.now

    def process_time(self) -> float:
        return self.used

    def passes(self, seconds: float, share: float) -> None:
        self.now += seconds
        self.used += seconds * share


def test_only_a_busy_server_draws_less_often() -> None:
    assert slowness(0.0) == slowness(0.4) == 1.0
    assert slowness(0.6) == pytest.approx(2.0)
    assert slowness(0.8) == slowness(1.9) == 3.0


def test_the_load_is_that_of_the_last_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(pace, "time", clock)
    load = Load()
    clock.passes(1.0, 1.0)
    assert load.share() == 0.0  # a moment says nothing
    clock.passes(9.0, 0.5)
    assert load.share() == pytest.approx(0.55)
    clock.passes(1.0, 1.0)
    assert load.share() == pytest.approx(0.55)
    clock.passes(9.0, 0.0)
    assert load.share() == pytest.approx(0.1)


def test_a_page_asks_for_its_live_parts_by_the_load(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(pace, "time", clock)
    monkeypatch.setattr(pace, "_load", Load())
    assert pace.in_good_time(2.0) == 2.0
    clock.passes(10.0, 0.9)
    assert pace.in_good_time(2.0) == 6.0
