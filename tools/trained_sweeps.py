"""Sweeps that were really trained, in a few seconds and without an engine."""

from frem_core.datasets import prepare, split_dataset
from frem_core.store import Store
from frem_core.sweeps import DatasetSpec, RunConfig, SweepSpec, submit
from frem_core.sweeps.progress import BundleProgress
from frem_core.sweeps.train_bundle import train_bundle

_OWNER = "a tool"


def train_sweep(store: Store, toml: str) -> str:
    """Queues a sweep, trains all of its runs in this process and returns its id."""
    sweep = submit(store, SweepSpec.from_toml(toml))
    for bundle in store.queue.claim(_OWNER, bundles=1000):
        configs = [RunConfig.from_dict(run.config) for run in bundle]
        source = store.datasets.get(configs[0].dataset).source
        dataset = DatasetSpec.from_dict(source).load(store.tables)
        results = train_bundle(
            configs,
            prepare(dataset, split_dataset(dataset, **configs[0].split)),
            progress=BundleProgress(len(configs), lambda report: None),
            should_stop=lambda: False,
        )
        for run, result in zip(bundle, results, strict=True):
            store.results.finish(_OWNER, run.id, result)
    return sweep
