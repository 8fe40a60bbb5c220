"""Fronts of the variants of an ablation, and how much they differ."""

from typing import Literal

import pandas as pd

from frem_core.ablations.ablation import Ablation
from frem_core.errors import ConfigError
from frem_core.evaluation import get_score
from frem_core.figures.looks import SeriesLook
from frem_core.metrics import usual_metric
from frem_core.pareto import (
    Objectives,
    hypervolume_difference,
    hypervolume_interval,
    method_fronts,
    possible_area,
    reference_point,
)
from frem_core.types import Task

Split = Literal["test", "train"]
_SETTING = ["fairness_weight"]


def usual_scores(task: Task) -> tuple[str, str]:
    """The prediction and the fairness score to look at first: the paper's."""
    return usual_metric(task).name, usual_metric("dp").name


def variant_runs(
    ablation: Ablation, runs: pd.DataFrame, *, prediction: str, fairness: str, split: Split = "test"
) -> pd.DataFrame:
    """Finished runs with what the comparison needs of them.

    Args:
        ablation: which one.
        runs: a run table, as ``store.runs.frame(sweep)`` gives it; runs of no variant are left
            out.
        prediction: name of the prediction score.
        fairness: name of the fairness score.
        split: rows the scores are of.

    Returns:
        Columns ``variant, fairness_weight, seed`` and both scores under their names, as charts
        show them: the prediction score is better when higher, the fairness score when lower.
    """
    variant = ablation.variant_of(runs)
    keep = (runs["state"] == "done") & variant.notna()
    done = runs[keep]
    table = pd.DataFrame(
        {
            "variant": variant[keep],
            "fairness_weight": done["config.fairness_weight"],
            "seed": done["seed"],
        }
    )
    for name in (prediction, fairness):
        column = f"{split}.{name}"
        if len(done) and column not in done:
            raise ConfigError(f"These runs have no score '{name}' on their {split} rows.")
        values = done[column] if len(done) else pd.Series(dtype=float)
        table[name] = get_score(name).axis_value(values.astype(float))  # type: ignore[arg-type]
    return table.reset_index(drop=True)


def variant_fronts(
    ablation: Ablation, runs: pd.DataFrame, *, prediction: str, fairness: str, split: Split = "test"
) -> pd.DataFrame:
    """Every setting of every variant, averaged over seeds, as the figure of fronts takes it.

    Args:
        ablation: as for `variant_runs`, like all other arguments.
        runs: see there.
        prediction: see there.
        fairness: see there.
        split: see there.
    """
    table = variant_runs(ablation, runs, prediction=prediction, fairness=fairness, split=split)
    fronts = method_fronts(
        table, _objectives(prediction, fairness), setting=_SETTING, method="variant"
    )
    fronts["words"] = [f"fairness weight (λ) {weight:g}" for weight in fronts["fairness_weight"]]
    order = {variant.name: place for place, variant in enumerate(ablation.all_variants)}
    return fronts.sort_values("variant", key=lambda names: names.map(order), kind="stable")


def compare_variants(
    ablation: Ablation, runs: pd.DataFrame, *, prediction: str, fairness: str, split: Split = "test"
) -> pd.DataFrame:
    """One number per variant: the area its front dominates, and how that compares.

    All areas have one reference point, the worst scores of any run, and are shares of the area
    that the best prediction of any setting would dominate without any unfairness. Differences
    are those to the first variant, judged seed by seed.

    Args:
        ablation: as for `variant_runs`, like all other arguments.
        runs: see there.
        prediction: see there.
        fairness: see there.
        split: see there.

    Returns:
        Columns ``variant, title, area, area_low, area_high, share`` (difference to the first
        variant as a share of its area), ``share_low, share_high, seeds, settings``; NaN where
        there is nothing to compare yet.
    """
    table = variant_runs(ablation, runs, prediction=prediction, fairness=fairness, split=split)
    objectives = _objectives(prediction, fairness)
    known = table.dropna(subset=list(objectives))
    corner = reference_point(known, objectives) if len(known) else (0.0, 0.0)
    means = method_fronts(known, objectives, setting=_SETTING, method="variant")
    whole = possible_area(means, objectives, reference=corner) or float("nan")
    parts = dict(tuple(known.groupby("variant")))
    first = parts.get(ablation.variants[0].name, known.head(0))
    rows = []
    for variant in ablation.variants:
        own = parts.get(variant.name, known.head(0))
        area = hypervolume_interval(own, objectives, reference=corner, setting=_SETTING)
        gap = hypervolume_difference(own, first, objectives, reference=corner, setting=_SETTING)
        base = gap.base if gap.base > 0 else float("nan")
        rows.append(
            {
                "variant": variant.name,
                "title": variant.title,
                "area": area.value / whole if len(own) else float("nan"),
                "area_low": area.low / whole,
                "area_high": area.high / whole,
                "share": gap.value / base,
                "share_low": gap.low / base,
                "share_high": gap.high / base,
                "seeds": area.seeds,
                "settings": own["fairness_weight"].nunique(),
            }
        )
    return pd.DataFrame(rows)


def variant_looks(ablation: Ablation) -> dict[str, SeriesLook]:
    """How each variant is drawn."""
    return {
        variant.name: SeriesLook(variant.title, variant.colour, variant.symbol)
        for variant in ablation.all_variants
    }


def _objectives(prediction: str, fairness: str) -> Objectives:
    return {prediction: "max", fairness: "min"}
