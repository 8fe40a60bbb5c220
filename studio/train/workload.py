"""What a sweep would have to compute: the runs that are not finished yet, bundle by bundle."""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frem_core.datasets import Dataset
from frem_core.store import RunState, Store
from frem_core.sweeps import RunConfig, SweepSpec
from frem_core.sweeps.bundles import planned_runs
from studio.train.pace import Pace, kind_of

Bundles = tuple[tuple[RunConfig, ...], ...]


@dataclass(frozen=True)
class Workload:
    """The runs of a sweep, seen from the store.

    Attributes:
        total: how many runs the sweep has.
        done: how many of them are finished already and will not be trained again.
        bundles: the others, as they will be trained side by side.
    """

    total: int
    done: int
    bundles: Bundles


def workload_of(spec: SweepSpec, dataset: Dataset, store: Store) -> Workload:
    """Looks up what is left to train of a sweep.

    Raises:
        ConfigError: a method cannot be trained on this dataset.
    """
    planned = planned_runs(spec, dataset)
    runs = [RunConfig.from_dict(row.config) for row in planned]
    states = store.runs.states([run.identity for run in runs])
    bundles: dict[str | None, list[RunConfig]] = {}
    for row, run in zip(planned, runs, strict=True):
        if states.get(run.identity) != RunState.DONE:
            bundles.setdefault(row.bundle, []).append(run)
    left = tuple(tuple(members) for members in bundles.values())
    return Workload(total=len(runs), done=len(runs) - sum(map(len, left)), bundles=left)


def seconds_needed(
    bundles: Sequence[Sequence[RunConfig]], paces: Mapping[str, Pace], workers: int
) -> float:
    """How long the bundles take when each worker takes the next one as soon as it is free.

    Args:
        bundles: what is to be trained, in order.
        paces: by :func:`studio.train.pace.kind_of`.
        workers: how many bundles are trained at once.
    """
    free_at = [0.0] * max(workers, 1)
    for bundle in bundles:
        pace = paces[kind_of(bundle[0])]
        length = sum(pace.epoch_seconds * run.epochs + pace.evaluation_seconds for run in bundle)
        heapq.heapreplace(free_at, free_at[0] + length)
    return max(free_at)
