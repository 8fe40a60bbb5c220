"""Round numbers along a logarithmic scale."""

import math
from collections.abc import Sequence

_STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)


def log_stops(low: float, high: float) -> tuple[float, ...]:
    """The round numbers from ``low`` to ``high``, both included, for the stops of a slider.

    >>> log_stops(0.01, 0.1)
    (0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1)
    """
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    rounded = (float(f"{step}e{decade}") for decade in decades for step in _STEPS)
    return tuple(sorted({low, high, *(stop for stop in rounded if low < stop < high)}))


def nearest_stop(stops: Sequence[float], value: float) -> float:
    """The stop with the smallest ratio to ``value``; below the lowest there is only the lowest."""
    if value <= stops[0]:
        return stops[0]
    return min(stops, key=lambda stop: abs(math.log(stop / value)))


def log_grid(low: float, high: float, count: int) -> tuple[float, ...]:
    """``count`` numbers from ``low`` to ``high`` with equal ratios, rounded to three digits.

    >>> log_grid(0.01, 1.0, 3)
    (0.01, 0.1, 1.0)
    >>> log_grid(0.5, 2.0, 1)
    (0.5,)
    """
    if count == 1 or low == high:
        return (float(low),)
    ratio = math.log(high / low)
    inner = (low * math.exp(ratio * place / (count - 1)) for place in range(1, count - 1))
    return tuple(dict.fromkeys((float(low), *(float(f"{value:.3g}") for value in inner), high)))
