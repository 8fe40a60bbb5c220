"""From runs in the store to the points of a trade-off chart."""

import math
from typing import Any, Final, Literal

import pandas as pd

from frem_core.figures.run_titles import WEIGHT, finds_weight, setting_columns, setting_words
from frem_core.pareto import method_fronts

OBJECTIVES: Final[dict[str, Literal["max", "min"]]] = {"prediction": "max", "fairness": "min"}


def front_points(
    runs: pd.DataFrame, *, prediction: str, fairness: str, split: str = "test"
) -> pd.DataFrame:
    """Averages finished runs over seeds and marks each method's front.

    Args:
        runs: as ``Store.runs.frame`` returns; a run that occurs twice counts once.
        prediction: registered name of the prediction score.
        fairness: registered name of the fairness score.
        split: ``"test"`` or ``"train"``.

    Returns:
        One row per method and setting, FREM first and the model without fairness last, ready for
        :func:`frem_core.figures.pareto_fronts_figure`: ``point`` (the beginning of the id of its
        first run), ``method``, ``words`` (what sets it apart from the method's other points),
        ``fairness_weight``, ``prediction`` and ``fairness`` as charts show them (1 − MAE) with
        ``.se``, ``seeds``, ``on_front`` and ``runs`` (their ids). ``constant`` is what the best
        constant prediction reaches on the same rows (NaN where that is not known), ``no_better``
        whether the setting is no better than it within two standard errors, or explains nothing
        (R² ≤ 0), and ``target_span`` the range of the target in its own units (1 for labels).
        Empty without scored runs.
    """
    scored = scored_runs(runs, prediction=prediction, fairness=fairness, split=split)
    if scored.empty:
        return pd.DataFrame(columns=_COLUMNS)
    settings = setting_columns(scored)
    key = ["method", *settings]
    points = method_fronts(scored, OBJECTIVES, setting=settings)
    members = scored.groupby(key, dropna=False, sort=True)["id"].agg(tuple).reset_index()
    points["runs"] = members["id"]
    points = points.join(_beside_constant(scored, key))
    points["point"] = [names[0][:12] for names in points["runs"]]
    points["fairness_weight"] = points[WEIGHT]
    points["words"] = setting_words(points, settings)
    rank = points["method"].map(_RANK).fillna(1)
    order = rank.sort_values(kind="stable").index
    return points.loc[order, _COLUMNS].reset_index(drop=True)


# Charts and legends begin with FREM and end with what everything is compared to.
_RANK: Final = {"frem": 0, "unfair": 2}
_COLUMNS: Final = [
    "point",
    "method",
    "words",
    "fairness_weight",
    "prediction",
    "prediction.se",
    "fairness",
    "fairness.se",
    "seeds",
    "on_front",
    "runs",
    "constant",
    "no_better",
    "target_span",
]
_STANDARD_ERRORS: Final = 2.0


def constant_score(runs: pd.DataFrame, prediction: str, split: str = "test") -> float | None:
    """What the best constant reaches on the rows of finished runs, as charts show it."""
    from frem_core.evaluation import get_score  # here: the scores bring torch with them

    values = _numbers(runs[runs["state"] == "done"], f"facts.constant.{split}.{prediction}.value")
    return None if values.isna().all() else get_score(prediction).axis_value(float(values.mean()))


def no_better(runs: pd.DataFrame, prediction: str, split: str = "test") -> "pd.Series[bool]":
    """Which single runs are no better than the best constant; False where that is not known."""
    from frem_core.evaluation import get_score

    best = f"facts.constant.{split}.{prediction}"
    sign = 1 if get_score(prediction).higher_is_better else -1
    lead = sign * (_numbers(runs, f"{split}.{prediction}") - _numbers(runs, f"{best}.value"))
    error = _numbers(runs, f"{best}.error").fillna(0.0)
    return (lead <= _STANDARD_ERRORS * error) | (_numbers(runs, f"{split}.r2") <= 0)


def constant_of(points: pd.DataFrame) -> float | None:
    """What the best constant reaches in the prediction score of a chart; None where unknown."""
    value = float(points["constant"].mean()) if len(points) else float("nan")
    return None if math.isnan(value) else value


def _beside_constant(scored: pd.DataFrame, key: list[str]) -> pd.DataFrame:
    """Constant, verdict and span of every setting, in the order of `method_fronts`."""
    groups = scored.groupby(key, dropna=False, sort=True)
    lead = scored["prediction"] - scored["constant"]
    own = lead.groupby([scored[name] for name in key], dropna=False, sort=True)
    rows = (
        scored["constant_error"].pow(2).groupby([scored[name] for name in key], dropna=False).mean()
    )
    # Seeds can agree by luck, and rows say nothing of the training: the larger error counts.
    over_seeds = own.std(ddof=1).fillna(0.0) / own.size() ** 0.5
    over_rows = (rows.fillna(0.0) / own.size()) ** 0.5
    error = pd.concat([over_seeds, over_rows], axis=1).max(axis=1)
    nothing = groups["r2"].mean() <= 0
    return pd.DataFrame(
        {
            "constant": groups["constant"].mean().to_numpy(),
            "no_better": ((own.mean() <= _STANDARD_ERRORS * error) | nothing).to_numpy(),
            "target_span": groups["target_span"].mean().to_numpy(),
        }
    )


def scored_runs(
    runs: pd.DataFrame, *, prediction: str, fairness: str, split: str = "test"
) -> pd.DataFrame:
    """Finished runs that have both scores, each once, with ``prediction`` and ``fairness`` added.

    Also added: ``constant`` and ``constant_error`` (see `frem_core.sweeps.baselines`), ``r2`` and
    ``target_span``; NaN where a run does not know them. Settings that are lists become text, so
    that runs can be grouped by them.
    """
    from frem_core.evaluation import get_score  # here: the scores bring torch with them

    names = {"prediction": f"{split}.{prediction}", "fairness": f"{split}.{fairness}"}
    if not set(names.values()) <= set(runs.columns):
        return runs.iloc[:0].assign(**dict.fromkeys(_ADDED, float("nan")))
    done = runs[runs["state"] == "done"].drop_duplicates("id").copy()
    done["prediction"] = done[names["prediction"]].map(get_score(prediction).axis_value)
    done["fairness"] = done[names["fairness"]].map(get_score(fairness).axis_value)
    best = f"facts.constant.{split}.{prediction}"
    done["constant"] = _numbers(done, f"{best}.value").map(get_score(prediction).axis_value)
    done["constant_error"] = _numbers(done, f"{best}.error")
    done["r2"] = _numbers(done, f"{split}.r2")
    done["target_span"] = _numbers(done, "facts.target.high") - _numbers(done, "facts.target.low")
    for column in done.columns[done.columns.str.startswith("config.")]:
        if done[column].dtype == object:
            done[column] = done[column].map(_plain)
    return _with_common_weights(done.dropna(subset=["prediction", "fairness"]))


def _with_common_weights(runs: pd.DataFrame) -> pd.DataFrame:
    """Every seed finds a weight of its own for a limit; the point of a chart has their mean."""
    found = finds_weight(runs)
    if found.any():
        key = ["method", *setting_columns(runs)[1:]]
        groups = runs[found].groupby(key, dropna=False)[WEIGHT]
        runs.loc[found, WEIGHT] = groups.transform("mean")
    return runs


_ADDED: Final = ("prediction", "fairness", "constant", "constant_error", "r2", "target_span")


def _numbers(runs: pd.DataFrame, column: str) -> "pd.Series[float]":
    if column in runs:
        return runs[column].astype(float)
    return pd.Series(float("nan"), index=runs.index)


def _plain(value: Any) -> Any:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
