"""How fast runs of one kind are, as far as finished ones tell."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from frem_core.sweeps import RunConfig

_NEWEST: Final = 50


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
    return "|".join(f"{name}={value}" for name, value in _traits(run).items())


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
    same = runs
    for column, value in _traits(like).items():
        if column not in same:
            return None
        same = same[same[column].map(str) == _as_stored(same[column], value)]
    if same.empty or "seconds.training" not in same:
        return None
    newest = same.nlargest(_NEWEST, "finished_at")
    times = newest.get("config.gamma_candidates")
    trainings = 1.0 if times is None else times.map(_candidates).to_numpy() + 1.0
    epochs = newest["epochs"] / trainings
    return Pace(
        epoch_seconds=float((newest["seconds.training"] / epochs).median()),
        evaluation_seconds=float(newest["seconds.evaluation"].median()),
        runs=len(newest),
    )


def _as_stored(column: pd.Series, value: Any) -> str:
    """A column of numbers with gaps holds whole numbers as 200.0."""
    is_float = pd.api.types.is_float_dtype(column)
    return str(float(value)) if is_float and isinstance(value, int) else str(value)


def _candidates(value: Any) -> int:
    return len(value) if isinstance(value, list) else 0
