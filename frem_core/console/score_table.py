"""Scores in plain words: what each means, which way is better, and where chance begins."""

from collections.abc import Mapping

from rich.table import Table

from frem_core.evaluation import get_score
from frem_core.metrics import Metric, NoiseFloor


def score_table(
    scores: Mapping[str, Mapping[str, float]],
    chance: Mapping[str, NoiseFloor],
    *,
    title: str | None = None,
) -> Table:
    """Builds a table with one row per score and one column per set of rows.

    Args:
        scores: scores by name for each set of rows, e.g. ``{"train": …, "test": …}``.
        chance: chance levels by score name; scores at or below theirs are no fairer than it.
        title: above the table.
    """
    table = Table(title=title)
    table.add_column("score")
    for rows in scores:
        table.add_column(rows, justify="right")
    if chance:
        table.add_column("chance level", justify="right")
    table.add_column("better")
    names = dict.fromkeys(name for values in scores.values() for name in values)
    for metric in map(get_score, names):
        cells = [_number(values.get(metric.name)) for values in scores.values()]
        if chance:
            level = chance.get(metric.name)
            cells.append("" if level is None else _number(level.mean))
        table.add_row(f"{metric.label}, {metric.symbol}", *cells, direction(metric))
    return table


def direction(metric: Metric) -> str:
    """Which way is better, for the score itself (charts may show 1 − score)."""
    end = "higher" if metric.higher_is_better else "lower"
    return f"{end} is {'fairer' if metric.purpose == 'fairness' else 'better'}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
