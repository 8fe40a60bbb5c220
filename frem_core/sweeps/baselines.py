"""What a run is to be compared with before any fairness: the best constant, and its own units."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pandas as pd

from frem_core.datasets import Dataset, DatasetSpec, PreparedData, available_datasets, split_dataset
from frem_core.datasets.preparation import target_scale_of
from frem_core.evaluation import ConstantScore, against_constant
from frem_core.evaluation.evaluate_split import Outputs, constants_beside
from frem_core.store import Store, StoreError
from frem_core.sweeps.outcome import load_outcomes

_SPLIT = "config.split."


def baseline_facts(data: PreparedData, outputs: Outputs) -> dict[str, Any]:
    """What a finished run remembers: the best constant beside it, and its target's own range.

    In tables of runs these are ``facts.constant.<split>.<score>.value`` and ``….error`` (standard
    error of the run's lead over the constant), ``facts.target.low`` and ``facts.target.high``.
    """
    scale = data.target_scale
    return {
        "constant": {
            split: _plain(scores) for split, scores in constants_beside(data, outputs).items()
        },
        "target": {"low": scale.low, "high": scale.high},
    }


def earlier_baselines(store: Store, runs: pd.DataFrame) -> pd.DataFrame:
    """Works out what finished runs of earlier versions do not remember.

    Args:
        store: where the runs are.
        runs: as ``store.runs.frame`` gives them.

    Returns:
        One row per finished run that lacks its baselines, by its index in ``runs``, with the
        columns of `baseline_facts`. From its predictions where they are kept, else from the
        targets of a built-in dataset; empty where there is neither.
    """
    known = runs.filter(like="facts.constant.test.").notna().any(axis=1)
    found: dict[Any, dict[str, float]] = {}
    datasets: dict[str, Dataset | None] = {}
    of_split: dict[tuple[object, ...], dict[str, float]] = {}
    for index, run in runs[(runs["state"] == "done") & ~known].iterrows():
        fingerprint = str(run["dataset"])
        if fingerprint not in datasets:
            datasets[fingerprint] = _builtin(store, fingerprint)
        settings = _split_of(run)
        key = (fingerprint, run["config.task"], *sorted(settings.items()))
        if key not in of_split:
            of_split[key] = _of_targets(datasets[fingerprint], run["config.task"], settings)
        found[index] = of_split[key] | _of_predictions(store, str(run["id"]), run["config.task"])
    return pd.DataFrame.from_dict(found, orient="index")


def _of_predictions(store: Store, run: str, task: Any) -> dict[str, float]:
    try:
        table = load_outcomes(store, run)
    except StoreError:  # only scores are kept of it
        return {}
    scores = against_constant(table["y"], table["p"], task)
    return _columns("test", scores)


def _of_targets(
    dataset: Dataset | None, task: Any, settings: Mapping[str, Any]
) -> dict[str, float]:
    if dataset is None or dataset.task != task:
        return {}
    split = split_dataset(dataset, **settings)
    scale = target_scale_of(dataset, split)
    columns = {"facts.target.low": scale.low, "facts.target.high": scale.high}
    for name, rows in {"train": split.train, "test": split.test}.items():
        y = scale.transform(dataset.target[rows])
        columns |= _columns(name, against_constant(y, None, task))
    return columns


def _builtin(store: Store, fingerprint: str) -> Dataset | None:
    source = store.datasets.get(fingerprint).source
    if source.get("name") not in available_datasets():
        return None
    dataset = DatasetSpec.from_dict(source).load()
    return dataset if dataset.fingerprint == fingerprint else None


def _split_of(run: "pd.Series[Any]") -> dict[str, Any]:
    """The arguments of `split_dataset` that a run was made with."""
    settings = {
        str(name).removeprefix(_SPLIT): value
        for name, value in run.items()
        if str(name).startswith(_SPLIT) and not pd.isna(value)
    }
    return settings | {"seed": int(settings["seed"])}


def _columns(split: str, scores: Mapping[str, ConstantScore]) -> dict[str, float]:
    return {
        f"facts.constant.{split}.{name}.{part}": value
        for name, values in _plain(scores).items()
        for part, value in values.items()
    }


def _plain(scores: Mapping[str, ConstantScore]) -> dict[str, dict[str, float]]:
    return {name: asdict(score) for name, score in scores.items()}
