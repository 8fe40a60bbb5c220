"""One model per method at a given prediction score, as the paper's table shows them."""

from typing import Any

import pandas as pd


def matched_settings(runs: pd.DataFrame, prediction: str, levels: dict[str, float]) -> pd.DataFrame:
    """Returns for each series the fairness weight whose mean prediction is nearest to a level.

    Args:
        runs: tidy runs.
        prediction: score as charts show it.
        levels: the prediction score to match, by series; series without runs are left out.

    Returns:
        One row per series: ``series, weight, seeds``, and mean and standard error (``.se``) of
        every score over seeds.
    """
    scores = [name for name in _SCORES if name in runs.columns]
    rows: list[dict[str, Any]] = []
    for series, level in levels.items():
        own = runs[runs["series"] == series]
        if own.empty:
            continue
        groups = own.groupby("weight")[scores]
        means, errors = groups.mean(), groups.sem()
        place = int((means[prediction] - level).abs().to_numpy().argmin())
        weight = float(means.index[place])
        seeds = int(own.loc[own["weight"] == weight, "seed"].nunique())
        row: dict[str, Any] = {"series": series, "weight": weight, "seeds": seeds}
        for name in scores:
            row[name] = means[name].iloc[place]
            row[f"{name}.se"] = errors[name].iloc[place]
        rows.append(row)
    return pd.DataFrame(rows)


_SCORES = ("accuracy", "average_precision", "mae", "mse", "gdp", "hgr", "mutual_information")
