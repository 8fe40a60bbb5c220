"""Runs as the paper's figures show them: one series per method and cut, scores as on the axes."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from frem_core.evaluation import available_scores, get_score
from frem_core.figures.looks import SeriesLook
from frem_core.figures.run_titles import WEIGHT
from frem_core.methods import get_method

_CUT = "config.method.cut"
# What a run spent by the clock; the store knows processor time and paces of the same as well.
_SPENT = ("seconds.training", "seconds.choosing_gamma", "seconds.evaluation")


def tidy_runs(frame: pd.DataFrame, series: "pd.Series[str] | None" = None) -> pd.DataFrame:
    """Returns one row per run with short names.

    Args:
        frame: rows of ``Store.runs.frame``.
        series: what to call the series of each row; by default its method and cut.

    Returns:
        Columns ``id, method, series, weight, seed, gamma, seconds``, every test score under its
        name and every train score under ``train.<name>``, as charts show them (1 − MAE).
    """
    table = pd.DataFrame({"id": frame["id"], "method": frame["method"], "seed": frame["seed"]})
    if series is None:
        table["series"] = [series_name(row) for row in frame.to_dict("records")]
    else:
        table["series"] = series
    table["weight"] = frame.get(WEIGHT, np.nan)
    table["gamma"] = _first_known(frame, ("facts.gamma", "config.method.gamma"))
    seconds = [name for name in _SPENT if name in frame]
    table["seconds"] = frame[seconds].sum(axis=1) if seconds else np.nan
    for split, prefix in (("test", ""), ("train", "train.")):
        for score in available_scores():
            if f"{split}.{score}" in frame:
                shown = frame[f"{split}.{score}"].map(get_score(score).axis_value)
                table[f"{prefix}{score}"] = shown.astype(float)
    return table.reset_index(drop=True)


def series_name(run: dict[Any, Any]) -> str:
    """Names the series of a run: its method, and after a colon where it cuts S.

    >>> series_name({"method": "mmd", "config.method.cut": "mean"})
    'mmd:mean'
    """
    cut = run.get(_CUT)
    return f"{run['method']}:{cut}" if isinstance(cut, str) else str(run["method"])


def series_title(series: str) -> str:
    """The words for a series in legends and tables.

    >>> series_title("mmd:mean"), series_title("frem")
    ('MMD (mean)', 'FREM')
    """
    method, _, cut = series.partition(":")
    title = get_method(method).title
    return f"{title} ({cut})" if cut else title


def series_looks(names: Iterable[str]) -> dict[str, SeriesLook]:
    """Colour and marker of the method; a cut at the mean leaves the marker hollow."""
    looks = {}
    for name in names:
        method, _, cut = name.partition(":")
        kind = get_method(method)
        symbol = f"{kind.symbol}-open" if cut == "mean" else kind.symbol
        looks[name] = SeriesLook(series_title(name), kind.colour, symbol)
    return looks


def _first_known(frame: pd.DataFrame, names: tuple[str, ...]) -> "pd.Series[float]":
    known = pd.Series(np.nan, index=frame.index)
    for name in names:
        if name in frame:
            known = known.fillna(pd.to_numeric(frame[name]))
    return known
