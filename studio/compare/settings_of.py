"""What tells runs apart: method, fairness weight, other settings, seed and split."""

from collections.abc import Mapping, Sequence
from typing import Final

import pandas as pd

from frem_core.methods import Parameter, get_method

WEIGHT: Final = "config.fairness_weight"
_METHOD: Final = "config.method."
_TRAINING: Final = "config.training."
_CHOSEN_GAMMA: Final = "facts.gamma"
_SEEDS: Final = ("config.seed", "config.split.seed")
# What decides which rows a run was tested on.
_TEST_ROWS: Final = ("dataset", "config.split.kind", "config.split.seed", "config.split.test_size")
_NOTIONS: Final = {"dp": "demographic parity", "eo": "equal opportunity"}


def run_titles(runs: pd.DataFrame, beside: pd.DataFrame | None = None) -> list[str]:
    """Short names of runs, with whatever sets them apart from the runs beside them.

    They are made of the names of methods and settings alone, never of what users typed.

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
    several_seeds = among["config.seed"].nunique() > 1
    return [
        _title(row, varying.get(row["method"], []), several_seeds) for _, row in runs.iterrows()
    ]


def _described(runs: pd.DataFrame) -> list[str]:
    given = [name for name in map(str, runs.columns) if name.startswith((_METHOD, _TRAINING))]
    return [*given, *([_CHOSEN_GAMMA] if _CHOSEN_GAMMA in runs else [])]


def _title(row: pd.Series, varying: Sequence[str], with_seed: bool) -> str:
    method = get_method(str(row["method"]))
    parts = [method.title]
    if method.uses_fairness_weight:
        parts.append(f"λ {row[WEIGHT]:g}")
    parts += [_setting(method.parameters(), name, row[name]) for name in varying]
    if with_seed:
        parts.append(f"seed {row['config.seed']:g}")
    return ", ".join(parts)


def _setting(parameters: Mapping[str, Parameter], column: str, value: object) -> str:
    field = column.rsplit(".", 1)[1]
    if field == "fairness":
        return _NOTIONS.get(str(value), str(value))
    known = parameters.get(field)
    name = (known.symbol or known.label) if known else field.replace("_", " ")
    return f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"


def same_test_rows(runs: pd.DataFrame, run: pd.Series) -> pd.Series:
    """Which runs were tested on the same rows as one run."""
    same = pd.Series(True, index=runs.index)
    for name in _TEST_ROWS:
        same &= runs[name] == run[name]
    return same


def along_weight(runs: pd.DataFrame, run: pd.Series) -> pd.DataFrame:
    """The runs that differ from one run in their fairness weight only, by rising weight."""
    alike = runs[_signature(runs, {WEIGHT}) == _signature_of(run, runs, {WEIGHT})]
    return alike.sort_values(WEIGHT).drop_duplicates(WEIGHT)


def on_split_of(runs: pd.DataFrame, run: pd.Series, other: pd.Series) -> pd.DataFrame:
    """The runs with the settings of one run that were tested on the rows of another."""
    alike = runs[_signature(runs, set(_SEEDS)) == _signature_of(run, runs, set(_SEEDS))]
    return alike[same_test_rows(alike, other)]


def _signature(runs: pd.DataFrame, without: set[str]) -> pd.Series:
    names = [name for name in runs if str(name).startswith("config.") and name not in without]
    values = runs[names].itertuples(index=False, name=None)
    return pd.Series(["|".join(map(str, row)) for row in values], index=runs.index)


def _signature_of(run: pd.Series, runs: pd.DataFrame, without: set[str]) -> str:
    signatures = _signature(runs, without)[runs["id"] == run["id"]]
    return str(signatures.iloc[0]) if len(signatures) else ""


def why_not_comparable(runs: pd.DataFrame, titles: Sequence[str]) -> str | None:
    """The reason why runs cannot stand side by side, or None."""
    first = runs.iloc[0]
    for (_, run), title in zip(runs.iterrows(), titles, strict=True):
        if run["dataset"] != first["dataset"]:
            what = "was trained on another dataset"
        elif run["config.task"] != first["config.task"]:
            what = "was trained for another task"
        elif any(run[name] != first[name] for name in _TEST_ROWS):
            what = "was tested on other rows, from another split of the dataset,"
        else:
            continue
        return (
            f"{title} {what} than {titles[0]}. Differences between the two could come from the "
            "data and not from the models."
        )
    return None
