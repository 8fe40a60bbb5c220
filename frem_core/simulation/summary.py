"""Bias, MAE and RMSE of simulated estimates, with the error of the simulation itself."""

import numpy as np
import pandas as pd

from frem_core.simulation.paper_tables import PAPER_REPLICATES, paper_values
from frem_core.simulation.replicates import KEYS, in_reading_order

ERRORS = ("bias", "mae", "rmse")
# Half a unit of the last digit the paper prints.
_ROUNDING = {"gaussian": 0.5e-4, "multivariate": 0.5e-3}


def summarise(estimates: pd.DataFrame) -> pd.DataFrame:
    """Summarises replicates to one row per cell, estimator and setting.

    With ``e = estimate − truth``: bias = mean e, MAE = mean |e|, RMSE = √mean e². Their
    Monte-Carlo standard errors are sd(e)/√R, sd(|e|)/√R and, by the delta method,
    sd(e²)/(2·RMSE·√R).

    Args:
        estimates: batches of ``simulate``, joined.

    Returns:
        Columns design, case, n, estimator, setting, truth, replicates, bias, bias_se, mae, mae_se,
        rmse, rmse_se. The standard errors are missing while there is one replicate.
    """
    error = estimates["estimate"] - estimates["truth"]
    table = estimates[[*KEYS, "truth"]].assign(e=error, size=error.abs(), square=error**2)
    grouped = table.groupby([*KEYS, "truth"], sort=False)
    mean, spread = grouped[["e", "size", "square"]].mean(), grouped[["e", "size", "square"]].std()
    count = grouped.size().rename("replicates")
    rmse = np.sqrt(mean["square"])
    root = np.sqrt(count)
    summary = pd.DataFrame(
        {
            "replicates": count,
            "bias": mean["e"],
            "bias_se": spread["e"] / root,
            "mae": mean["size"],
            "mae_se": spread["size"] / root,
            "rmse": rmse,
            # RMSE = 0 means every square is 0: no spread, and no 0/0.
            "rmse_se": spread["square"] / (2.0 * rmse.where(rmse > 0, 1.0) * root),
        }
    )
    return in_reading_order(summary.reset_index())


def compare_with_paper(summary: pd.DataFrame) -> pd.DataFrame:
    """Puts the paper's value beside each error that the paper prints.

    Args:
        summary: result of ``summarise``.

    Returns:
        One row per cell, estimator, setting and error: design, case, n, estimator, setting, truth,
        replicates, error, ours, se, paper, distance, differs. ``distance`` is (ours − paper) in
        standard errors of a run with the paper's 100 replicates. ``differs`` marks gaps beyond 3
        standard errors of the difference (the paper's run and ours) plus the rounding of the
        printed value. Where the paper has no such setting, ``paper`` and ``distance`` are missing
        and ``differs`` is False.
    """
    keys = [*KEYS, "truth", "replicates"]
    parts = [
        summary[keys].assign(error=error, ours=summary[error], se=summary[f"{error}_se"])
        for error in ERRORS
    ]
    table = pd.concat(parts, ignore_index=True)
    table = table.merge(paper_values(), on=[*KEYS, "error"], how="left")
    paper_se = table["se"] * np.sqrt(table["replicates"] / PAPER_REPLICATES)
    gap = table["ours"] - table["paper"]
    table["distance"] = gap / paper_se
    noise = np.hypot(paper_se, table["se"])
    table["differs"] = gap.abs() > 3.0 * noise + table["design"].map(_ROUNDING)
    return in_reading_order(table, "error")
