"""What chance alone gives: every score of fairness with sensitive values dealt out at random."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from frem_core.errors import FremError
from frem_core.metrics import NoiseFloor
from frem_core.sweep_report.subject import Subject
from frem_core.sweeps.run_floor import run_noise_floor

_NAMES = {"recommended": "recommended", "unfair": "without fairness"}


def chance_level(subject: Subject, run: str, score: str) -> NoiseFloor | None:
    """The chance level of a score of a run; None where its files are gone."""
    try:
        return run_noise_floor(subject.store, run, score)
    except FremError:
        return None


def chance_table(
    subject: Subject, best: Mapping[str, Any] | None, unfair: Mapping[str, Any] | None
) -> pd.DataFrame:
    """One row per score of fairness that is shuffled within seconds; empty without files.

    Those of single dimensions of the representation are not: shuffling them would take longer than
    all the rest of a report.

    Args:
        subject: what the report is about.
        best: the recommended point.
        unfair: the point of the model without fairness.
    """
    points = {"recommended": best, "unfair": unfair}
    there = {name: point for name, point in points.items() if point is not None}
    rows = []
    for metric in subject.fairness_scores:
        single = metric.measures == "representation" and metric.slow_on_many_rows
        if not there or single or not metric.has_noise_floor:
            continue
        level = chance_level(subject, next(iter(there.values()))["runs"][0], metric.name)
        if level is None:
            continue
        values = {
            _NAMES[name]: _mean(subject, point["runs"], f"test.{metric.name}")
            for name, point in there.items()
        }
        rows.append(
            {
                "score": metric.full_name,
                **values,
                "by chance": level.mean,
                "in 95 % of shuffles at most": level.upper,
            }
        )
    return pd.DataFrame(rows)


def _mean(subject: Subject, runs: tuple[str, ...], column: str) -> float:
    found = subject.runs.loc[subject.runs["id"].isin(runs), column].dropna()
    return float(found.mean()) if len(found) else math.nan
