"""How fast runs of one kind are, as far as finished ones tell."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from frem_core.sweeps import RunConfig

_NEWEST: Final = 50
_LIMIT: Final = "config.limit"


@dataclass(frozen=True)
class Pace:
    """How fast runs of one kind are.

    Attributes:
        epoch_seconds: of one run, as its share of the bundle it is trained in.
        evaluation_seconds: of one run.
        runs: how many finished runs this comes from; 0 when it was measured for the purpose.
    """

    epoch_seconds: float
    evaluation_seconds: float
    runs: int = 0


def kind_of(run: RunConfig) -> str:
    """Equal for runs that take equally long for an epoch: λ, γ, σ and the seed change nothing."""
    traits = {**_traits(run), _LIMIT: run.limit is not None}
    return "|".join(f"{name}={value}" for name, value in traits.items())


def data_of(kind: str) -> str:
    """The part of a kind that names its data: evaluation takes as long for every method."""
    return kind.split("|", 1)[0]


def _traits(run: RunConfig) -> Mapping[str, Any]:
    """What decides how long an epoch takes, by the column of the table of runs."""
    method, training = run.method, run.training
    declared = method.parameters()
    plain = {
        "dataset": run.dataset,
        "method": method.name,
        "config.training.batch_size": training.batch_size,
        "config.training.encoder": training.encoder,
        "config.training.hidden": list(training.hidden),
    }
    words = [name for name, one in declared.items() if one.kind in ("choice", "integer")]
    return plain | {f"config.method.{name}": getattr(method, name) for name in words}


def finished_pace(runs: pd.DataFrame, like: RunConfig) -> Pace | None:
    """The pace of the newest finished runs of the same kind; None when there are none.

    Args:
        runs: finished runs, as `Store.runs.frame` gives them.
        like: a run that is to be trained.
    """
    # Beside a model with a limit others are trained.
    same = runs if _LIMIT not in runs else runs[runs[_LIMIT].notna() == (like.limit is not None)]
    if like.limit is not None and _LIMIT not in runs:
        return None
    for column, value in _traits(like).items():
        if column not in same:
            return None
        same = same[same[column].map(str) == _as_stored(same[column], value)]
    if "facts.host" in same:  # another machine's pace is another one
        same = same[same["facts.host"].isna() | (same["facts.host"] == socket.gethostname())]
    if same.empty or "seconds.training" not in same:
        return None
    newest = same.nlargest(_NEWEST, "finished_at")
    times = newest.get("config.gamma_candidates")
    trainings = 1.0 if times is None else times.map(_candidates).to_numpy() + 1.0
    epochs = newest["epochs"] / trainings
    # Processor time, where it is known: how busy the machine was then says nothing about now.
    evaluation = _first_known(newest, "seconds.evaluation_processor", "seconds.evaluation")
    if "seconds.processor" in newest and newest["seconds.processor"].notna().any():
        per_epoch = newest["seconds.processor"] / newest["epochs"]  # choosing γ is in both
    else:
        per_epoch = newest["seconds.training"] / epochs
    return Pace(
        epoch_seconds=float(per_epoch.median()),
        evaluation_seconds=float(evaluation.median()),
        runs=len(newest),
    )


def _first_known(runs: pd.DataFrame, *columns: str) -> "pd.Series[float]":
    known = (name for name in columns if name in runs and runs[name].notna().any())
    return runs[next(known)].astype(float)


def _as_stored(column: pd.Series, value: Any) -> str:
    """A column of numbers with gaps holds whole numbers as 200.0."""
    is_float = pd.api.types.is_float_dtype(column)
    return str(float(value)) if is_float and isinstance(value, int) else str(value)


def _candidates(value: Any) -> int:
    return len(value) if isinstance(value, list) else 0
