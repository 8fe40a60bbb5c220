"""What the runs of a sweep are called."""

from collections.abc import Mapping

import pandas as pd

from frem_core.figures.front_points import WEIGHT, setting_columns
from frem_core.methods import Parameter, get_method


def run_names(runs: pd.DataFrame) -> dict[str, str]:
    """Names every run by what tells it from the others: method, λ, other settings, seed.

    Args:
        runs: of one sweep, as `Store.runs.frame` gives them.

    Returns:
        Names such as "FREM, λ 0.1, γ 0.05, seed 0" by the id of the run; plain text.
    """
    names: dict[str, str] = {}
    for method, own in runs.groupby("method", sort=False):
        kind = get_method(str(method))
        plain = [name for name in own.columns if name.startswith("config.method.")]
        settings = setting_columns(own[[WEIGHT, *plain]])
        labels = {column: _label(kind.parameters(), column) for column in settings[1:]}
        if kind.uses_fairness_weight:
            labels = {WEIGHT: "λ", **labels}
        for row in own.to_dict("records"):
            parts = [f"{label} {_shown(row[column])}" for column, label in labels.items()]
            names[str(row["id"])] = ", ".join([kind.title, *parts, f"seed {row['seed']}"])
    return names


def _label(parameters: Mapping[str, Parameter], column: str) -> str:
    name = column.rsplit(".", 1)[-1]
    declared = parameters.get(name)
    return name.replace("_", " ") if declared is None else declared.symbol or declared.label


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)
