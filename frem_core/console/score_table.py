"""Scores in plain words: what each means, which way is better, and where chance begins."""

from collections.abc import Mapping

from rich.markup import escape
from rich.table import Table

from frem_core.evaluation import get_score
from frem_core.metrics import Metric, NoiseFloor


def score_table(
    scores: Mapping[str, Mapping[str, float]],
    chance: Mapping[str, NoiseFloor],
    constant: Mapping[str, float] | None = None,
    *,
    title: str | None = None,
) -> Table:
    """Builds a table with one row per score and one column per set of rows.

    Args:
        scores: scores by name for each set of rows, e.g. ``{"train": …, "test": …}``.
        chance: chance levels by score name; scores at or below theirs are no fairer than it.
        constant: scores of the best constant prediction on the test rows, by name.
        title: above the table.
    """
    table = Table(title=title)
    table.add_column("score")
    for rows in scores:
        table.add_column(rows, justify="right")
    if constant:
        table.add_column("best constant", justify="right")
    if chance:
        table.add_column("chance level", justify="right")
    table.add_column("better")
    names = dict.fromkeys(name for values in scores.values() for name in values)
    for metric in map(get_score, names):
        cells = [_number(values.get(metric.name)) for values in scores.values()]
        if constant:
            cells.append("" if metric.name not in constant else _number(constant[metric.name]))
        if chance:
            level = chance.get(metric.name)
            cells.append("" if level is None else _number(level.mean))
        table.add_row(_words(metric), *cells, metric.own_direction)
    return table


def _words(metric: Metric) -> str:
    """What a score is called; of one of several attributes in short, as the long name came first.

    >>> _words(get_score("gdp@sex"))
    'ΔGDP of sex'
    """
    if "@" in metric.name:
        return escape(metric.symbol)
    return f"{metric.label}, {metric.symbol}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
