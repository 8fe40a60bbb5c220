"""How many seconds on the clock one of the processor takes, at the load of now.

Workers of a sweep are slowed down by other programs and by each other: where a machine divides its
time among groups of processes (Linux' sessions and services, containers), two workers have one
share between them. So the last stack of a sweep, with none beside it, is faster than those before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Final

from frem_core.sweeps.timing.stack_costs import Costs, Stack
from frem_core.sweeps.timing.stopwatch import SECONDS_OF_LOAD

# The power with which a worker's slowdown grows with the number of workers: 0 where each has a
# share of the machine for itself, 1 where they have one together. Which it is nobody tells.
_SHARED: Final = 0.75
# A worker that has begun lately has met little of the load; until then a second of what its system
# says of the last minute counts as much as this part of a second it has met itself.
_TRUST: Final = 0.5
# So many of the newest stacks tell the load, where none told any lately.
_NEWEST: Final = 2
# As long as a worker has said nothing: what is read in this time says nothing about the load.
_LEAST_READING: Final = 2.0  # seconds


@dataclass(frozen=True)
class Slowdown:
    """The load as the workers of a sweep feel it.

    Attributes:
        alone: seconds on the clock for one of the processor, of a worker with no other beside it;
            as a factor, so it may be below 1 where more have been seen at full speed.
        most: how many workers have been seen side by side.
    """

    alone: float
    most: float

    @classmethod
    def of(cls, stacks: Sequence[Stack], costs: Costs, now: float) -> "Slowdown":
        """Learns from what stacks that run, or ended lately, have met."""
        known = sorted((one for one in stacks if one.slowdown is not None), key=_end)
        lately = [one for one in known if _end(one) > now - SECONDS_OF_LOAD] or known[-_NEWEST:]
        if not lately:
            # Nobody has said anything yet: reading that takes longer than it costs tells of a load.
            running = [one for one in stacks if not one.is_done]
            slow = [one.spent / max(costs.first, _LEAST_READING) for one in running]
            return cls(max([1.0, *slow]) / max(len(running), 1) ** _SHARED, len(running))
        speeds, seconds, beside = [], [], []
        for one in lately:
            since = max(one.started, _end(one) - SECONDS_OF_LOAD)
            beside.append(_workers(stacks, since, _end(one)))
            speeds.append(beside[-1] ** _SHARED / max(one.slowdown or 1.0, 1e-9))
            # Of what an ended one has met, only its part of the last seconds counts.
            seconds.append(max(_end(one) - max(since, now - SECONDS_OF_LOAD), 1e-3))
        met, most = _mean(speeds, seconds), max(beside)
        loads = [one.load for one in lately if one.load is not None]
        if loads:
            missing = _TRUST * max(SECONDS_OF_LOAD - max(seconds), 0.0)
            said = most**_SHARED / max(mean(loads), 1.0)
            met = _mean([met, said], [max(seconds), missing])
        return cls(1 / met, most)

    def beside(self, workers: int) -> float:
        """Seconds on the clock for one of the processor, where so many workers are busy."""
        shared: float = min(workers, self.most) ** _SHARED
        return max(self.alone * shared, 1.0)


def _end(stack: Stack) -> float:
    """When it ended, or now."""
    return stack.started + stack.spent


def _workers(stacks: Sequence[Stack], since: float, until: float) -> float:
    """How many stacks were trained at once, on average over some time; at least the one asked."""
    length = until - since
    if length <= 0:
        return 1.0
    shared = [max(min(_end(one), until) - max(one.started, since), 0.0) for one in stacks]
    return max(sum(shared) / length, 1.0)


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    total = sum(value * weight for value, weight in zip(values, weights, strict=True))
    return total / sum(weights)
