"""Computes a metric on many random rearrangements of its rows, in parallel and repeatably."""

from collections.abc import Callable
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.random import Generator, SeedSequence
from numpy.typing import ArrayLike, NDArray

from frem_core.errors import ConfigError
from frem_core.metrics.inputs import check_rows

Arrays = list[NDArray[Any] | None]
Rearrange = Callable[[Generator, Arrays, NDArray[Any]], tuple[Arrays, NDArray[Any]]]

# Repeats sent to a worker at once: sending the rows again for each repeat would cost more.
_BATCH = 25


def check_repeats(name: str, repeats: int) -> None:
    """Raises a ConfigError unless there are at least two repeats to summarise."""
    if repeats < 2:
        raise ConfigError(f"{name}={repeats} is not allowed; give at least 2.")


def check_share(name: str, share: float) -> None:
    """Raises a ConfigError unless 0 < share < 1."""
    if not 0 < share < 1:
        raise ConfigError(f"{name}={share} is not allowed; give a share between 0 and 1.")


def row_arrays(arrays: tuple[ArrayLike | None, ...], s: ArrayLike) -> tuple[Arrays, NDArray[Any]]:
    """Returns all arrays ready for row selection, after checking that their rows match."""
    given: Arrays = [None if array is None else np.asarray(array) for array in arrays]
    sensitive = np.asarray(s)
    lengths = {f"array {k + 1}": len(a) for k, a in enumerate(given) if a is not None}
    check_rows(lengths | {"sensitive_features": len(sensitive)}, fewest=1)
    return given, sensitive


def repeat_metric(
    metric: Callable[..., float],
    arrays: Arrays,
    sensitive: NDArray[Any],
    rearrange: Rearrange,
    *,
    repeats: int,
    random_state: int | None,
    n_jobs: int | None,
    options: dict[str, Any],
) -> NDArray[np.float64]:
    """Returns the metric's value on ``repeats`` rearrangements of the rows.

    Every repeat has its own random stream, so the values do not depend on ``n_jobs``.
    """
    seeds = SeedSequence(random_state).spawn(repeats)
    batches = [seeds[start : start + _BATCH] for start in range(0, repeats, _BATCH)]
    values = Parallel(n_jobs=n_jobs)(
        delayed(_values)(metric, arrays, sensitive, rearrange, batch, options) for batch in batches
    )
    return np.concatenate(values)


def _values(
    metric: Callable[..., float],
    arrays: Arrays,
    sensitive: NDArray[Any],
    rearrange: Rearrange,
    seeds: list[SeedSequence],
    options: dict[str, Any],
) -> NDArray[np.float64]:
    values = np.empty(len(seeds))
    for k, seed in enumerate(seeds):
        rows, s = rearrange(np.random.default_rng(seed), arrays, sensitive)
        values[k] = metric(*rows, sensitive_features=s, **options)
    return values
