"""What runs and settings are called: the method, its fairness weight, and what sets them apart."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from frem_core.words import NOTIONS

WEIGHT: Final = "config.fairness_weight"
# How λ was found where it was not given; the table then has what was found as the weight.
_LIMIT: Final = "config.limit"
_RELATIVE: Final = "config.relative_weight"
_METHOD: Final = "config.method."
_TRAINING: Final = "config.training."
_CHOSEN_GAMMA: Final = "facts.gamma"
# What differs between repetitions of one setting, or repeats another column.
_NOT_A_SETTING: Final = {
    "config.seed",
    "config.split.seed",
    "config.dataset",
    "config.method.method",
}


def run_titles(
    runs: pd.DataFrame, beside: pd.DataFrame | None = None, *, with_seeds: bool = False
) -> list[str]:
    """Short names of runs, with whatever sets them apart from the runs beside them.

    They are made of the names of methods and settings alone, never of what users typed.

    Args:
        runs: as `Store.runs.frame` gives them.
        beside: the runs to tell them from; themselves by default.
        with_seeds: whether seeds are named even when all are the same.

    >>> table = pd.DataFrame({"method": ["unfair", "frem"], "config.fairness_weight": [0.0, 0.1],
    ...                       "config.seed": [0, 0]})
    >>> run_titles(table)
    ['Unfair', 'FREM, λ 0.1']
    """
    among = runs if beside is None else beside
    varying = {
        method: [name for name in _described(some) if some[name].map(str).nunique() > 1]
        for method, some in among.groupby("method")
    }
    told = with_seeds or among["config.seed"].nunique() > 1
    return [
        ", ".join(
            [
                _title(row["method"]),
                *_parts(row, [WEIGHT, *varying.get(row["method"], [])], is_short=True),
                *([f"seed {row['config.seed']:g}"] if told else []),
            ]
        )
        for row in runs.to_dict("records")
    ]


def run_names(runs: pd.DataFrame) -> dict[str, str]:
    """The titles of all runs of a sweep by their ids, such as "FREM, λ 0.1, γ 0.05, seed 0".

    They are the same before and after a run has finished.
    """
    known_before = runs.drop(columns=_CHOSEN_GAMMA, errors="ignore")
    if WEIGHT in known_before:
        known_before[WEIGHT] = known_before[WEIGHT].mask(finds_weight(runs))
    return dict(zip(map(str, runs["id"]), run_titles(known_before, with_seeds=True), strict=True))


def finds_weight(runs: pd.DataFrame) -> pd.Series:
    """Which runs find their fairness weight themselves: for a limit, or relative to the data."""
    asked = [name for name in (_LIMIT, _RELATIVE) if name in runs]
    return runs[asked].notna().any(axis=1)


def setting_columns(runs: pd.DataFrame) -> list[str]:
    """The columns that together name a setting: the fairness weight and all that differs."""
    settings = [name for name in runs.columns if name.startswith("config.")]
    varying = [
        name
        for name in settings
        if name not in _NOT_A_SETTING and name != WEIGHT and runs[name].nunique(dropna=False) > 1
    ]
    return [WEIGHT, *varying]


def setting_words(points: pd.DataFrame, settings: Sequence[str]) -> list[str]:
    """What tells each setting from the others of its method, such as "fairness weight (λ) 0.1".

    Args:
        points: one row per setting; column ``method`` and the settings.
        settings: as :func:`setting_columns` gives them.
    """
    words: dict[object, str] = {}
    for _, rows in points.groupby("method", sort=False):
        told = [name for name in settings if name == WEIGHT or rows[name].nunique(dropna=False) > 1]
        for index, row in zip(rows.index, rows.to_dict("records"), strict=True):
            words[index] = ", ".join(_parts(row, told, is_short=False))
    return [words[index] for index in points.index]


def _described(runs: pd.DataFrame) -> list[str]:
    given = [name for name in map(str, runs.columns) if name.startswith((_METHOD, _TRAINING))]
    return [*given, *([_CHOSEN_GAMMA] if _CHOSEN_GAMMA in runs else [])]


def _title(method: str) -> str:
    from frem_core.methods import get_method  # here: methods bring torch with them

    return get_method(method).title


def _parts(row: Mapping[Any, Any], columns: Sequence[str], *, is_short: bool) -> list[str]:
    """Each setting of a run with its value; short ones say λ, long ones fairness weight (λ)."""
    from frem_core.methods import get_method
    from frem_core.training import TrainingConfig

    method = get_method(row["method"])
    known = {**TrainingConfig.parameters(), **method.parameters()}
    parts = []
    for column in columns:
        name, value = column.rsplit(".", 1)[-1], row[column]
        if column in (_LIMIT, _RELATIVE):
            continue  # said with the weight
        if column == WEIGHT:
            if method.uses_fairness_weight:
                parts.append(_weight_words(row, is_short=is_short))
        elif name == "fairness":
            parts.append(NOTIONS.get(str(value), str(value)))
        elif name not in known:
            parts.append(f"{name.replace('_', ' ')} {_shown(value)}")
        else:
            label, symbol = known[name].label, known[name].symbol
            long = f"{label} ({symbol})" if symbol else label
            parts.append(f"{symbol or label if is_short else long} {_shown(value)}")
    return parts


def _weight_words(row: Mapping[Any, Any], *, is_short: bool) -> str:
    from frem_core.limits import Limit

    name = "λ" if is_short else "fairness weight (λ)"
    value, limit, relative = row[WEIGHT], row.get(_LIMIT), row.get(_RELATIVE)
    is_found = value == value
    if isinstance(limit, str):
        found = f" ({name} {value:.3g})" if is_found else ""
        asked = Limit.parse(limit)
        return f"{asked.short if is_short else asked.words}{found}"
    if relative is not None and relative == relative:
        return f"{name} {value:.3g}" if is_found else f"{name} {relative:g} × balance"
    return f"{name} {_shown(value)}"


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
