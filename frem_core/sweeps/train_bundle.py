"""Trains and evaluates the runs of one bundle; knows nothing of stores and clusters."""

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from frem_core.datasets import PreparedData
from frem_core.errors import ConfigError, DataError
from frem_core.evaluation import evaluate_split
from frem_core.methods import Method
from frem_core.store import RunResult
from frem_core.sweeps.outcome import library_versions, packed_files
from frem_core.sweeps.progress import BundleProgress
from frem_core.sweeps.run_config import RunConfig
from frem_core.training import (
    BandwidthChoice,
    TrainedModel,
    TrainingCancelledError,
    select_bandwidths,
    train,
)


def train_bundle(
    runs: Sequence[RunConfig],
    data: PreparedData,
    *,
    progress: BundleProgress,
    should_stop: Callable[[], bool],
    checkpoints: Path | None = None,
) -> list[RunResult]:
    """Returns the results of runs that differ in fairness weight and seed only.

    Args:
        runs: the runs, with one stack key.
        data: their data.
        progress: is told about every epoch.
        should_stop: True raises `TrainingCancelledError` within a fraction of a second.
        checkpoints: a folder of this bundle's own; what an earlier attempt left there is taken
            up again, and the result is the same as without an interruption.
    """
    try:
        return _train_and_evaluate(runs, data, progress, should_stop, checkpoints)
    except (ConfigError, DataError):
        # A checkpoint cut off by a crash of the machine must not stop the run for ever.
        if checkpoints is None or not checkpoints.exists():
            raise
        shutil.rmtree(checkpoints)
        return _train_and_evaluate(runs, data, progress, should_stop, checkpoints)


def _train_and_evaluate(
    runs: Sequence[RunConfig],
    data: PreparedData,
    progress: BundleProgress,
    should_stop: Callable[[], bool],
    checkpoints: Path | None,
) -> list[RunResult]:
    started = time.perf_counter()
    choices = _choices(runs, data, progress, should_stop, checkpoints)
    chosen = time.perf_counter()
    methods = [
        run.method if choice is None else choice.method
        for run, choice in zip(runs, choices, strict=True)
    ]
    models = _models(runs, methods, data, progress, should_stop, checkpoints)
    share = 1 / len(runs)
    timings = {"training": (time.perf_counter() - chosen) * share}
    if choices[0] is not None:
        timings["choosing_gamma"] = (chosen - started) * share
    results = []
    for number, (model, choice) in enumerate(zip(models, choices, strict=True)):
        progress.stage(
            f"evaluating {number + 1} of {len(models)}" if len(models) > 1 else "evaluating"
        )
        if should_stop():
            raise TrainingCancelledError("The run was stopped on request.")
        results.append(_result(model, choice, data, timings, len(runs)))
    return results


def _choices(
    runs: Sequence[RunConfig],
    data: PreparedData,
    progress: BundleProgress,
    should_stop: Callable[[], bool],
    checkpoints: Path | None,
) -> Sequence[BandwidthChoice | None]:
    first = runs[0]
    if first.gamma_candidates is None:
        return [None] * len(runs)
    return select_bandwidths(
        data.train,
        task=data.task,
        method=first.method,
        config=first.training,
        members=[run.member for run in runs],
        candidates=first.gamma_candidates,
        seed=first.split["seed"],
        should_stop=should_stop,
        callbacks=[progress.choosing(first.gamma_candidates)],
        checkpoints=checkpoints,
    )


def _models(
    runs: Sequence[RunConfig],
    methods: Sequence[Method],
    data: PreparedData,
    progress: BundleProgress,
    should_stop: Callable[[], bool],
    checkpoints: Path | None,
) -> list[TrainedModel]:
    """Trains every run; those for which the same γ was chosen stay side by side."""
    models: dict[int, TrainedModel] = {}
    for part, method in enumerate(dict.fromkeys(methods)):
        places = [number for number, one in enumerate(methods) if one == method]
        trained = train(
            data.train,
            task=data.task,
            method=method,
            config=runs[0].training,
            members=[runs[number].member for number in places],
            validation=data.validation,
            callbacks=[progress.training(places)],
            should_stop=should_stop,
            checkpoints=None if checkpoints is None else checkpoints / f"part-{part}",
            stack_size=len(places),
        )
        models |= dict(zip(places, trained, strict=True))
    return [models[number] for number in range(len(runs))]


def _result(
    model: TrainedModel,
    choice: BandwidthChoice | None,
    data: PreparedData,
    timings: dict[str, float],
    stacked: int,
) -> RunResult:
    started = time.perf_counter()
    scores = evaluate_split(model, data)
    files = packed_files(model, data.test)
    facts: dict[str, object] = {"stacked": stacked}
    if choice is not None:
        facts |= {"gamma": choice.gamma, "gamma_choice": choice.table.to_dict("list")}
    history = model.history.drop(columns=["epoch", "phase"]).to_dict("records")
    return RunResult(
        scores=scores,
        history=history,  # type: ignore[arg-type]  # column names are texts
        files=files,
        facts=facts,
        timings=timings | {"evaluation": time.perf_counter() - started},
        versions=library_versions(),
    )
