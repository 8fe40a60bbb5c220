"""Which runs a sweep stands for, in which order, and which of them are trained side by side."""

from collections.abc import Sequence
from itertools import islice

from frem_core.datasets import Dataset, split_dataset
from frem_core.limits import shadows_needed
from frem_core.store.identity import identity_of
from frem_core.store.rows import NewRun
from frem_core.sweeps.run_config import RunConfig
from frem_core.sweeps.spec import SweepSpec
from frem_core.training.stack_size import stacks, step_rows


def planned_runs(spec: SweepSpec, dataset: Dataset) -> list[NewRun]:
    """Returns the runs of a sweep as they are queued; estimates of its length look at the same.

    Args:
        spec: what to train.
        dataset: the dataset of the spec.

    Raises:
        ConfigError: a method cannot be trained on this dataset.
    """
    train = split_dataset(dataset, **spec.split.of_seed(spec.seeds[0])).train
    # Seed by seed: all methods can be compared as soon as the first one is through.
    by_seed = sorted(spec.expand(dataset), key=lambda run: run.member.seed)
    return new_runs(by_seed, len(train), None if dataset.graph is None else dataset.graph.n_nodes)


def new_runs(runs: Sequence[RunConfig], rows: int, nodes: int | None = None) -> list[NewRun]:
    """Prepares runs for the queue; each says with which others it is to be stacked.

    The fairness weights of one seed form a bundle, where stacking is faster: a finished bundle
    is a whole front, and several workers share the seeds. Bundles depend on the runs alone, not
    on how many workers there are, so that the same sweep gives the same numbers anywhere.

    Args:
        runs: the runs of a sweep.
        rows: how many training rows they have.
        nodes: how many nodes their graph has, or None for a table.
    """
    groups: dict[tuple[str, int], list[RunConfig]] = {}
    for run in runs:
        groups.setdefault((run.stack_key, run.member.seed), []).append(run)
    prepared = []
    for members in groups.values():
        batch_rows = step_rows(members[0].training, rows, nodes)
        if members[0].limit is not None:
            batch_rows *= 1 + shadows_needed(rows)
        rest = iter(members)
        for stack in stacks([run.member for run in members], batch_rows, None):
            prepared += bundle_runs(list(islice(rest, len(stack))))
    return prepared


def bundle_runs(members: Sequence[RunConfig]) -> list[NewRun]:
    """Prepares runs that are trained side by side; they differ in λ and seed only."""
    name = identity_of({"bundle": [run.identity for run in members]})
    return [
        NewRun(
            config=run.to_dict(),
            dataset=run.dataset,
            method=run.method.name,
            seed=run.member.seed,
            epochs=run.epochs,
            bundle=name,
        )
        for run in members
    ]
