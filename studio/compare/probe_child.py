"""``python -m studio.compare.probe_child SWEEP RUN …``: probes the representations of runs.

One report per run, in the order given: ``run`` and ``probe``, or ``run`` and ``error``.
"""

from dataclasses import asdict, replace
from typing import Any

import torch

from frem_core.datasets import PreparedData, prepare, split_dataset
from frem_core.errors import FremError
from frem_core.evaluation import probe_split
from frem_core.library import open_store_with
from frem_core.store import Store
from frem_core.store.identity import canonical_json
from frem_core.sweeps import DatasetSpec, load_model
from studio.child import Report, run_child

_SETTINGS = ("gamma", "sigma")


def main(report: Report, sweep: str, *runs: str) -> None:
    """Probes and reports."""
    torch.set_num_threads(1)
    store = open_store_with(sweep)
    prepared: dict[str, PreparedData] = {}
    for run in runs:
        try:
            report(run=run, probe=_probe(store, run, prepared))
        except FremError as error:
            report(run=run, error=str(error))


def _probe(store: Store, run: str, prepared: dict[str, PreparedData]) -> dict[str, Any]:
    config = store.runs.get(run).config
    key = canonical_json([config["dataset"], config["task"], config["split"]])
    if key not in prepared:
        source = store.datasets.get(config["dataset"]).source
        dataset = DatasetSpec.from_dict(source).load(store.tables)
        dataset = replace(dataset, task=config["task"])
        prepared[key] = prepare(dataset, split_dataset(dataset, **config["split"]))
    model = load_model(store, run)
    method = model.method.to_dict()
    # EIPM as the run was trained on; a method without it is measured like FREM by default.
    settings = {name: method[name] for name in _SETTINGS if name in method}
    advice = model.method.advice_on_leakage
    probe = probe_split(model, prepared[key], advice=advice, **settings)
    return asdict(probe) | {"best_r2": probe.representation.best_r2}


if __name__ == "__main__":
    run_child(main)
