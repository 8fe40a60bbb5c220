"""Fronts per method over repeated seeds: means, standard errors, and who is on the front."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from frem_core.pareto.front import non_dominated
from frem_core.pareto.objectives import Objectives, require


def method_fronts(
    frame: pd.DataFrame,
    objectives: Objectives,
    *,
    setting: Sequence[str],
    method: str = "method",
) -> pd.DataFrame:
    """Averages runs over seeds and marks each method's non-dominated settings.

    Args:
        frame: one row per run.
        objectives: direction by column.
        setting: columns that together name a setting within a method; rows that agree in all of
            them are repetitions.
        method: column of the method.

    Returns:
        One row per method and setting: the setting, for every objective its mean under its own
        name and its standard error under ``<name>.se`` (NaN for one seed), ``seeds`` (how many
        runs were averaged) and ``on_front`` (non-dominated among the means of its method).

    >>> runs = pd.DataFrame({
    ...     "method": ["frem"] * 4, "weight": [1, 1, 2, 2],
    ...     "accuracy": [0.8, 0.9, 0.7, 0.7], "hgr": [0.2, 0.4, 0.5, 0.5]})
    >>> table = method_fronts(runs, {"accuracy": "max", "hgr": "min"}, setting=["weight"])
    >>> table[["weight", "accuracy", "seeds", "on_front"]].values.tolist()
    [[1, 0.8500000000000001, 2, True], [2, 0.7, 2, False]]
    """
    names = list(objectives)
    require(frame, [method, *setting, *names])
    known = frame.dropna(subset=names)
    groups = known.groupby([method, *setting], dropna=False, sort=True)[names]
    table = groups.mean()
    spread, seeds = groups.std(ddof=1), groups.size()
    for name in names:
        table[f"{name}.se"] = spread[name] / np.sqrt(seeds)
    table["seeds"] = seeds
    table = table.reset_index()
    table["on_front"] = False
    for rows in table.groupby(method, sort=False).groups.values():
        points = table.loc[rows, names].to_numpy(dtype=float)
        table.loc[rows, "on_front"] = non_dominated(points, list(objectives.values()))
    return table
