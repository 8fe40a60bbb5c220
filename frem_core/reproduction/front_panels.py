"""From tidy runs to the panels and tables that several targets share."""

from collections.abc import Callable, Mapping, Sequence
from math import nan

import pandas as pd

from frem_core.evaluation import get_score
from frem_core.pareto import method_fronts
from frem_core.reproduction.drawing import Panel, draw
from frem_core.reproduction.front_comparison import FrontComparison
from frem_core.reproduction.report import Picture
from frem_core.reproduction.series import series_looks, series_title


def front_table(runs: pd.DataFrame, prediction: str, fairness: str) -> pd.DataFrame:
    """Means over seeds, standard errors and who is on the front, one row per series and λ."""
    return method_fronts(
        runs, {prediction: "max", fairness: "min"}, setting=["weight"], method="series"
    )


def front_panel(
    runs: pd.DataFrame, prediction: str, fairness: str, title: str = "", chance: float = nan
) -> Panel:
    """A chart of fairness along x and prediction along y: the upper left corner is best."""
    score, other = get_score(fairness), get_score(prediction)
    empty = pd.DataFrame(columns=["series", "x", "y", "x_error", "y_error", "on_front"])
    points = empty
    if not runs.empty and {prediction, fairness} <= set(runs.columns):
        table = front_table(runs, prediction, fairness)
        names = {
            fairness: "x",
            prediction: "y",
            f"{fairness}.se": "x_error",
            f"{prediction}.se": "y_error",
        }
        points = table.rename(columns=names)[empty.columns]
    return Panel(
        title=title or f"{_short(prediction)} against {_short(fairness)}",
        x_title=f"{_short(fairness)} ({score.direction})",
        y_title=f"{_short(prediction)} ({other.direction})",
        points=points,
        chance=chance,
    )


def front_picture(
    name: str,
    runs: pd.DataFrame,
    pairs: Sequence[tuple[str, str]],
    caption: str,
    order: Sequence[str] = (),
    columns: int = 3,
    chance: Mapping[str, float] | None = None,
) -> Picture:
    """A picture with one panel for each pair (prediction, fairness).

    Args:
        name: of the file.
        runs: tidy runs.
        pairs: the scores of each panel.
        caption: below the picture.
        order: of the series in the legend.
        columns: panels in a row.
        chance: what a fairness score reaches by chance, marked where it is known.
    """
    present = list(dict.fromkeys(runs["series"])) if not runs.empty else []
    names = [one for one in order if one in present]
    names += [one for one in present if one not in names]
    levels = chance or {}
    panels = [
        front_panel(runs, prediction, fairness, chance=levels.get(fairness, nan))
        for prediction, fairness in pairs
    ]
    return Picture(name, draw(panels, series_looks(names), columns), caption)


def comparison_table(
    comparisons: Sequence[FrontComparison], title: Callable[[str], str] = series_title
) -> pd.DataFrame:
    """Hypervolume differences in words and numbers.

    Args:
        comparisons: one row each.
        title: gives the words for a series.
    """
    rows = [
        {
            "front": f"{_short(one.prediction)}, {_short(one.fairness)}",
            "series": title(one.ours),
            "against": title(one.other),
            "area ×10³": f"{1e3 * one.area:.3f}",
            "its area ×10³": f"{1e3 * one.other_area:.3f}",
            "difference ×10³ [95 %]": f"{1e3 * one.difference:+.3f} {interval(one)}",
            "relative": f"{100 * one.relative(one.difference):+.0f} %",
            "seeds won": f"{one.wins} of {one.seeds}",
            "outcome": one.outcome,
        }
        for one in comparisons
    ]
    return pd.DataFrame(rows)


def interval(one: FrontComparison) -> str:
    """The interval of a difference, in thousandths."""
    if one.seeds < 2:
        return "[one seed]"
    return f"[{1e3 * one.low:+.3f}, {1e3 * one.high:+.3f}]"


def _short(score: str) -> str:
    if score.startswith("train."):
        return f"{_short(score.removeprefix('train.'))} on train"
    found = get_score(score)
    return f"1 − {found.symbol}" if found.shown_as_complement else found.symbol


def score_words(score: str) -> str:
    """The symbol of a score as charts show it."""
    return _short(score)
