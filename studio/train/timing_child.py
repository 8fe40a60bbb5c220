"""``python -m studio.train.timing_child``: times a few steps of some trainings.

Reads one JSON object from standard input: ``dataset`` (as `DatasetSpec.to_dict` gives it),
``bundles`` (lists of runs) and ``evaluate`` (whether to time that too). Reports ``kind`` and
``epoch_seconds`` of each bundle, then ``data`` and ``evaluation_seconds``.
"""

import json
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from frem_core.datasets import Part, PreparedData
from frem_core.evaluation import evaluate_split
from frem_core.home import data_home
from frem_core.limits import shadows_needed
from frem_core.sweeps import RunConfig
from frem_core.sweeps.data_source import prepared_data
from frem_core.training import Callback, EpochRecord, TrainedModel, TrainingStack, train
from studio.child import Report, run_child
from studio.train.pace import data_of, kind_of

_POLITENESS = 5  # training, too, is hardly polite: the times should be like its own
_BATCHES = 3  # of which an epoch consists while timing
_EPOCHS = 3  # the first one warms up


class _Watch(Callback):
    """Notes the processor time at which epochs end: what else the machine does is not in it."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def on_training_start(self, stack: TrainingStack) -> None:
        self.times.append(time.process_time())

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        self.times.append(time.process_time())

    @property
    def fastest(self) -> float:
        lengths = [
            after - before for before, after in zip(self.times, self.times[1:], strict=False)
        ]
        return min(lengths[1:] or lengths)


def main(report: Report) -> None:
    """Times and reports."""
    order = json.load(sys.stdin)
    bundles = [[RunConfig.from_dict(run) for run in bundle] for bundle in order["bundles"]]
    data = prepared_data(bundles[0][0], order["dataset"], data_home() / "tables")
    for bundle in bundles:
        seconds, model = _time_epoch(bundle, data)
        report(kind=kind_of(bundle[0]), epoch_seconds=seconds)
    if order["evaluate"]:
        started = time.process_time()
        evaluate_split(model, data)
        seconds = time.process_time() - started
        report(data=data_of(kind_of(bundles[0][0])), evaluation_seconds=seconds)


def _time_epoch(bundle: Sequence[RunConfig], data: PreparedData) -> tuple[float, TrainedModel]:
    """Seconds of an epoch of one run, as its share of the bundle; and a model to evaluate."""
    first = bundle[0]
    part = _some_rows(data.train, _BATCHES * first.training.batch_size)
    steps = math.ceil(len(part) / first.training.batch_size)
    all_steps = math.ceil(len(data.train) / first.training.batch_size)
    watch = _Watch()
    beside = 0 if first.limit is None else shadows_needed(len(data.train))
    members = [run.member for run in bundle for _ in range(1 + beside)]
    models = train(
        part,
        task=first.task,
        method=first.method,
        config=replace(first.training, epochs=_EPOCHS),
        members=members,
        callbacks=[watch],
        stack_size=len(members),
    )
    return watch.fastest * all_steps / steps / len(bundle), models[0]


def _some_rows(part: Part, count: int) -> Part:
    first = np.arange(min(count, len(part)))
    return part.of(first)


if __name__ == "__main__":
    run_child(main, politeness=_POLITENESS)
