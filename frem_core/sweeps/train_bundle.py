"""Trains and evaluates the runs of one bundle; knows nothing of stores and clusters."""

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from frem_core.datasets import PreparedData
from frem_core.errors import ConfigError, DataError
from frem_core.evaluation.evaluate_split import evaluate_split, outputs_of
from frem_core.limits import WithinLimit, check_limit, train_within
from frem_core.methods import Method
from frem_core.store import RunResult
from frem_core.sweeps.baselines import baseline_facts
from frem_core.sweeps.outcome import library_versions, packed_files
from frem_core.sweeps.progress import PROBING, BundleProgress
from frem_core.sweeps.run_config import RunConfig
from frem_core.training import (
    BandwidthChoice,
    Member,
    TrainedModel,
    TrainingCancelledError,
    balance,
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
    started, processor = time.perf_counter(), time.process_time()
    choices = _choices(runs, data, progress, should_stop, checkpoints)
    chosen = time.perf_counter()
    methods = [
        run.method if choice is None else choice.method
        for run, choice in zip(runs, choices, strict=True)
    ]
    found: list[WithinLimit | TrainedModel] = []
    if runs[0].limit is None:
        found += _models(runs, methods, data, progress, should_stop, checkpoints)
    else:
        found += _within_limits(runs, data, progress, should_stop, checkpoints)
    share = 1 / len(runs)
    # Processor time does not depend on what else the machine does.
    timings = {
        "training": (time.perf_counter() - chosen) * share,
        "processor": (time.process_time() - processor) * share,
    }
    if choices[0] is not None:
        timings["choosing_gamma"] = (chosen - started) * share
    results = []
    for number, (one, choice) in enumerate(zip(found, choices, strict=True)):
        progress.stage(
            f"evaluating {number + 1} of {len(found)}" if len(found) > 1 else "evaluating"
        )
        if should_stop():
            raise TrainingCancelledError("The run was stopped on request.")
        facts: dict[str, object] = {"stacked": len(runs)}
        if choice is not None:
            facts |= {"gamma": choice.gamma, "gamma_choice": choice.table.to_dict("list")}
        results.append(_result(one, data, timings | progress.watch.timings, facts, runs[number]))
        took = [result.timings["evaluation_processor"] for result in results]
        progress.watch.evaluated(sum(took), len(took))
    return results


def _within_limits(
    runs: Sequence[RunConfig],
    data: PreparedData,
    progress: BundleProgress,
    should_stop: Callable[[], bool],
    checkpoints: Path | None,
) -> list[WithinLimit]:
    """Trains runs with limits; a bundle has one method and one seed."""
    first = runs[0]
    return train_within(
        data.train,
        task=data.task,
        method=first.method,
        limits=[run.limit for run in runs if run.limit is not None],
        config=first.training,
        seed=first.member.seed,
        validation=data.validation,
        callbacks=[progress.training(range(len(runs)))],
        callbacks_of_unfair=[progress.unfair()],
        should_stop=should_stop,
        checkpoints=checkpoints,
        stack_size=len(runs),
    )


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
        members=_members(runs, first.method, data, progress),
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
        members = _members([runs[number] for number in places], method, data, progress)
        trained = train(
            data.train,
            task=data.task,
            method=method,
            config=runs[0].training,
            members=members,
            validation=data.validation,
            callbacks=[progress.training(places)],
            should_stop=should_stop,
            checkpoints=None if checkpoints is None else checkpoints / f"part-{part}",
            stack_size=len(places),
        )
        models |= dict(zip(places, trained, strict=True))
    return [models[number] for number in range(len(runs))]


def _members(
    runs: Sequence[RunConfig], method: Method, data: PreparedData, progress: BundleProgress
) -> list[Member]:
    """The runs with their fairness weights; relative ones are in units that a probe measures."""
    if runs[0].relative_weight is None:
        return [run.member for run in runs]
    progress.stage(PROBING)
    unit = balance(
        data.train,
        task=data.task,
        method=method,
        config=runs[0].training,
        seed=runs[0].member.seed,
        callbacks=[progress.probing(len(data.train), runs[0].training.batch_size)],
    ).weight
    return [
        replace(run.member, fairness_weight=unit * run.relative_weight)
        for run in runs
        if run.relative_weight is not None
    ]


def _result(
    found: WithinLimit | TrainedModel,
    data: PreparedData,
    timings: dict[str, float],
    facts: dict[str, object],
    run: RunConfig,
) -> RunResult:
    started, processor = time.perf_counter(), time.process_time()
    model = found if isinstance(found, TrainedModel) else found.model
    if run.limit is not None or run.relative_weight is not None:
        facts["fairness_weight"] = model.member.fairness_weight
    if isinstance(found, WithinLimit):
        facts["limit"] = check_limit(found, data).to_dict()
    outputs = outputs_of(model, data)
    scores = evaluate_split(model, data, outputs)
    files = packed_files(model, data, outputs["test"])
    facts = facts | baseline_facts(data, outputs)
    history = model.history.drop(columns=["epoch", "phase"]).to_dict("records")
    return RunResult(
        scores=scores,
        history=history,  # type: ignore[arg-type]  # column names are texts
        files=files,
        facts=facts,
        timings=timings
        | {
            "evaluation": time.perf_counter() - started,
            "evaluation_processor": time.process_time() - processor,
        },
        versions=library_versions(),
    )
