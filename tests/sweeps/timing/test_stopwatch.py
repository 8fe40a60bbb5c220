"""Costs in processor time, by clocks that the tests set."""

import pytest

from frem_core.sweeps.timing import stopwatch
from frem_core.sweeps.timing.stopwatch import Stopwatch, stacked


class Clocks:
    """A clock on the wall and one of the processor."""

    def __init__(self) -> None:
        self.wall = self.processor = 100.0

    def compute(self, seconds: float, load: float = 1.0) -> None:
        """Lets both go on."""
        self.processor += seconds
        self.wall += seconds * load


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks()
    monkeypatch.setattr(stopwatch.time, "perf_counter", lambda: clocks.wall)
    monkeypatch.setattr(stopwatch.time, "process_time", lambda: clocks.processor)
    return clocks


def test_costs_do_not_depend_on_the_load(clocks: Clocks) -> None:
    watch = Stopwatch()
    clocks.compute(1.0, load=7.0)
    watch.data_is_there()
    clocks.compute(2.0, load=3.0)
    watch.training_starts()
    for number in range(10):
        clocks.compute(5.0 if number == 0 else 0.3, load=1.0 + number)  # it warms up
        watch.epoch_ends(3)
    watch.evaluated(0.8, 4)
    costs = {name: value for name, value in watch.timings.items() if name != "load"}
    assert costs == pytest.approx(
        {
            "reading_processor": 1.0,
            "probing_processor": 2.0,
            "epoch_processor": 0.1,
            "evaluation_processor": 0.2,
        }
    )


def test_the_load_is_that_of_the_last_seconds(clocks: Clocks) -> None:
    watch = Stopwatch()
    watch.look()
    assert "slowdown" not in watch.timings  # nothing has been computed yet
    loads = []
    for load in [1.0] * 20 + [4.0] * 20:
        clocks.compute(1.0, load)
        watch.look()
        loads.append(watch.timings["slowdown"])
    assert loads[:20] == pytest.approx([1.0] * 20)
    assert loads[-1] == pytest.approx(4.0)
    assert loads == sorted(loads)


def test_what_is_between_trainings_counts(clocks: Clocks) -> None:
    watch = Stopwatch()
    for _ in range(5):  # γ is chosen: after each training the candidate is judged
        watch.training_starts()
        for _ in range(100):
            clocks.compute(0.01)
            watch.epoch_ends(1)
        clocks.compute(0.5)
    assert watch.timings["epoch_processor"] == pytest.approx((5 * 1.0 + 4 * 0.5) / 500, rel=0.01)


def test_the_unfair_model_has_its_own_pace(clocks: Clocks) -> None:
    watch = Stopwatch()
    for what, epoch, runs in [("unfair_processor", 0.1, 1), ("epoch_processor", 0.8, 2)]:
        watch.training_starts(what)
        for _ in range(4):
            clocks.compute(epoch)
            watch.epoch_ends(runs)
        clocks.compute(3.0)  # a probe
    assert watch.timings["unfair_processor"] == pytest.approx(0.1)
    assert watch.timings["epoch_processor"] == pytest.approx(0.4)


def test_a_probe_tells_what_is_left_of_it_and_foretells_epochs(clocks: Clocks) -> None:
    watch = Stopwatch()
    clocks.compute(1.0)  # warms up
    watch.probed(10, 800, steps_of_epoch=8, size=10)
    assert "epoch_processor" not in watch.timings
    clocks.compute(0.2)
    watch.probed(110, 800, steps_of_epoch=8, size=10)
    assert watch.timings["probing_left"] == pytest.approx(0.002 * 690)
    assert watch.timings["epoch_processor"] == pytest.approx(0.002 * 8 * stacked(10))
    watch.training_starts()
    assert "probing_left" not in watch.timings
    clocks.compute(1.9)  # warms up once more
    watch.epoch_ends(10)
    assert watch.timings["epoch_processor"] == pytest.approx(0.002 * 8 * stacked(10))
    clocks.compute(0.5)
    watch.epoch_ends(10)
    watch.probed(210, 800, steps_of_epoch=8, size=10)  # once more, for the final training
    assert watch.timings["epoch_processor"] == pytest.approx(0.05)


@pytest.mark.parametrize(("first", "told"), [(1.0, False), (60.0, True)])
def test_a_first_epoch_tells_only_where_another_one_would_take_long(
    clocks: Clocks, first: float, told: bool
) -> None:
    watch = Stopwatch()
    watch.training_starts()
    clocks.compute(first)
    watch.epoch_ends(3)
    assert ("epoch_processor" in watch.timings) == told
    clocks.compute(0.3)
    watch.epoch_ends(3)
    assert watch.timings["epoch_processor"] == pytest.approx(0.1)
