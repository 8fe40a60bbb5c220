"""From the runs of a search to the runs it trains next; computed by a worker, beside trainings."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from frem_core.evaluation import get_score
from frem_core.methods import get_method
from frem_core.metrics import Metric, usual_metric
from frem_core.store.rows import NewRun
from frem_core.sweeps.bundles import bundle_runs
from frem_core.sweeps.run_config import RunConfig
from frem_core.sweeps.search.expected_front import Trial
from frem_core.sweeps.search.next_stack import next_stack
from frem_core.sweeps.search.search_spec import AROUND, WEIGHT, SearchSpec
from frem_core.sweeps.spec import SweepSpec

_STANDARD_ERRORS = 2.0


def next_runs(
    spec_toml: str, runs: pd.DataFrame, configs: Mapping[str, Any], stack: int
) -> list[NewRun]:
    """Returns the next runs of every method that has settings left to choose.

    Args:
        spec_toml: the description of the sweep as it is in the store.
        runs: its runs so far, as `Store.runs.frame` gives them.
        configs: the configuration of one run by method: what is not searched stays as it is there.
        stack: most members of one stack.
    """
    spec = SweepSpec.from_toml(spec_toml)
    assert spec.search is not None
    found: list[NewRun] = []
    for one in spec.methods:
        if not get_method(one.method).uses_fairness_weight:
            continue
        own = runs[runs["method"] == one.method]
        template = RunConfig.from_dict(configs[one.method])
        usual = usual_settings(template)
        weights = _weights(own)
        if not len(weights):
            continue
        space = spec.search.space(weights, usual)
        trials = _trials(own, spec.search, space, usual_metric(template.task))
        settings = next_stack(spec.search, space, usual, trials, seed=len(trials))
        for seed in spec.seeds:
            chosen = [changed(template, values, spec, seed) for values in settings]
            for start in range(0, len(chosen), stack):
                found += bundle_runs(chosen[start : start + stack])
    return found


def usual_settings(template: RunConfig) -> dict[str, float]:
    """What a run has for the settings that are searched, without λ; rules are left as they are."""
    values = {**template.method.to_dict(), **template.training.to_dict()}
    values["width"] = template.training.hidden[0]
    return {
        name: float(values[name]) for name in AROUND if isinstance(values.get(name), int | float)
    }


def changed(
    template: RunConfig, values: Mapping[str, float], spec: SweepSpec, seed: int
) -> RunConfig:
    """The same run with other settings and another seed."""
    training = replace(
        template.training,
        learning_rate=values.get("learning_rate", template.training.learning_rate),
        hidden=(round(values["width"]),) * len(template.training.hidden)
        if "width" in values
        else template.training.hidden,
    )
    own: dict[str, Any] = {name: values[name] for name in ("gamma", "sigma") if name in values}
    return replace(
        template,
        method=replace(template.method, **own),
        training=training,
        relative_weight=None,
        member=replace(template.member, fairness_weight=values[WEIGHT], seed=seed),
        split=spec.split.of_seed(seed),
    )


def _weights(runs: pd.DataFrame) -> list[float]:
    """The λ that were trained so far; relative ones are known when they are finished."""
    known = runs["config.fairness_weight"].dropna().astype(float)
    return [weight for weight in known if weight > 0]


def _trials(
    runs: pd.DataFrame, search: SearchSpec, space: Mapping[str, tuple[float, float]], usual: Metric
) -> list[Trial]:
    """The settings so far, averaged over their seeds; unfinished and failed ones have no scores."""
    columns = {
        WEIGHT: "config.fairness_weight",
        "gamma": "config.method.gamma",
        "sigma": "config.method.sigma",
        "learning_rate": "config.training.learning_rate",
        "width": "config.training.hidden",
    }
    if "config.relative_weight" in runs:  # what is not finished has no λ yet, but counts
        weight = runs["config.fairness_weight"].fillna(runs["config.relative_weight"])
        runs = runs.assign(**{"config.fairness_weight": weight})
    prediction = get_score(search.prediction) if search.prediction else usual
    table = pd.DataFrame(
        {name: [_number(value) for value in runs[columns[name]]] for name in space},
        index=runs.index,
    )
    scores = _scores(runs, prediction, search.fairness)
    trials = []
    for key, rows in table.groupby(list(space), sort=False).groups.items():
        values = dict(zip(space, key if isinstance(key, tuple) else (key,), strict=True))
        mean = scores.loc[rows].mean()  # of the seeds that are finished
        if mean[["prediction", "fairness"]].isna().any():
            trials.append(Trial(values))
        else:
            trials.append(
                Trial(values, *map(float, (mean["prediction"], mean["fairness"], mean["lead"])))
            )
    return trials


def _scores(runs: pd.DataFrame, metric: Metric, fairness: str) -> pd.DataFrame:
    """Both scores and the lead over the constant, from rows that testing never sees."""
    part = "validation" if f"validation.{metric.name}" in runs else "test"
    best = f"facts.constant.{part}.{metric.name}"

    def numbers(name: str) -> "pd.Series[float]":
        return runs[name].astype(float) if name in runs else pd.Series(float("nan"), runs.index)

    sign = 1.0 if metric.higher_is_better else -1.0
    score = numbers(f"{part}.{metric.name}")
    error = numbers(f"{best}.error").fillna(0.0)
    lead = sign * (score - numbers(f"{best}.value")) - _STANDARD_ERRORS * error
    return pd.DataFrame(
        {
            "prediction": score.map(metric.axis_value),
            "fairness": numbers(f"{part}.{fairness}"),
            "lead": lead.fillna(1.0),
        }
    )


def _number(value: Any) -> float:
    """A setting as a number; of layer sizes the first."""
    return float(value[0] if isinstance(value, list | tuple) else value)
