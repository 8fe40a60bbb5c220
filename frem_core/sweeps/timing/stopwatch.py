"""What the parts of a bundle cost in processor time, and how much slower they are on the clock.

Processor time hardly depends on what else the machine does; how long it takes on the clock does.
Kept apart, costs can be learned once, also for later sweeps, and the load of now is known as soon
as a worker has done anything at all, be it reading.
"""

import os
import time
from collections import deque
from typing import Final

SECONDS_OF_LOAD: Final = 15.0
"""The load is that of the last seconds, and of some processor time at least."""

_LEAST_PROCESSOR: Final = 0.1
_LONG_EPOCH: Final = 2.0  # seconds of the processor: nobody should wait for a second one
_BESIDE_IT: Final = 0.3  # of a member trained alone: what one more costs in a stack


def stacked(size: int) -> float:
    """What a member costs in a stack of so many, beside one that is trained alone.

    Measured for small networks on small batches, which are the ones that are stacked: 0.16 to 0.4
    for each further member.

    >>> stacked(1), stacked(10)
    (1.0, 0.37)
    """
    return (1 + _BESIDE_IT * (size - 1)) / size


class Stopwatch:
    """Watches one bundle in the worker that trains it.

    Attributes:
        timings: processor seconds of ``reading_processor`` the data, of ``probing_processor`` (from
            then to the first epoch), of ``probing_left``, of an ``epoch_processor`` of one run, of
            an epoch of the unfair model that limits refer to (``unfair_processor``) and of the
            evaluation of one run (``evaluation_processor``); ``slowdown``, seconds on the clock for
            a second of the processor; and ``load``, how many processes wanted to compute on each
            core in the minute before. As far as known.
    """

    def __init__(self) -> None:
        self.timings: dict[str, float] = {}
        self._began = time.process_time()
        self._moments = deque([(time.perf_counter(), self._began)])
        self._training: tuple[str, float, int] | None = None  # what, since when, epochs since then
        self._is_warm = False
        self._probe: tuple[float, int] | None = None  # since when, steps until then
        if hasattr(os, "getloadavg"):  # not on Windows
            self.timings["load"] = os.getloadavg()[0] / (os.cpu_count() or 1)

    def look(self) -> None:
        """Brings the load up to date."""
        now, processor = time.perf_counter(), time.process_time()
        self._moments.append((now, processor))
        while now - self._moments[1][0] > SECONDS_OF_LOAD:
            self._moments.popleft()
        since, before = self._moments[0]
        if processor - before >= _LEAST_PROCESSOR:
            self.timings["slowdown"] = (now - since) / (processor - before)

    def data_is_there(self) -> None:
        """Notes that reading is over."""
        self.timings["reading_processor"] = time.process_time() - self._began

    def probed(self, steps: int, of: int, *, steps_of_epoch: int, size: int) -> None:
        """Notes how many steps a probe has made with one member.

        They foretell what an epoch will cost, until one has been trained.

        Args:
            steps: so far.
            of: how many there will be.
            steps_of_epoch: of the training to come.
            size: of the stack to come.
        """
        if self._training is not None:  # epochs have told already
            return
        now = time.process_time()
        if self._probe is None:  # what comes first warms up
            self._probe = now, steps
            return
        since, before = self._probe
        step = (now - since) / (steps - before)
        self.timings["probing_left"] = step * (of - steps)
        self.timings["epoch_processor"] = step * steps_of_epoch * stacked(size)

    def training_starts(self, what: str = "epoch_processor") -> None:
        """Begins to watch epochs, of another kind than before unless it is called again."""
        if self._training is None:
            reading = self.timings.get("reading_processor", 0.0)
            self.timings["probing_processor"] = time.process_time() - self._began - reading
            self.timings.pop("probing_left", None)
        if self._training is None or self._training[0] != what:
            self._training, self._is_warm = (what, time.process_time(), 0), False

    def epoch_ends(self, runs: int) -> None:
        """Notes that so many runs have been trained for one more epoch."""
        assert self._training is not None
        what, since, before = self._training
        now, epochs = time.process_time(), before + runs
        if self._is_warm or now - since >= _LONG_EPOCH:
            self.timings[what] = (now - since) / epochs
        if self._is_warm:
            self._training = what, since, epochs
        else:  # a first epoch warms up, for half a second: the others tell
            self._training, self._is_warm = (what, now, 0), True

    def evaluated(self, seconds: float, runs: int) -> None:
        """Notes how much processor time the evaluation of so many runs took."""
        self.timings["evaluation_processor"] = seconds / runs
