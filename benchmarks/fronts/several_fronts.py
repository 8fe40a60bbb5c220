"""Fronts of each of two sensitive attributes and of both together, on Adult and on Crime.

FREM with one attribute, with each of both (μ = 0), and with each and both together (μ = 1). Trains
what `several_runs` has not kept yet.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.fronts.several_runs import (
    BOTH,
    CONTESTANTS,
    FIRST,
    GAMMA,
    MOST_ROWS,
    QUESTIONS,
    SEEDS,
    UNFAIR,
    Question,
    runs,
)
from benchmarks.report import Check, Report, Table
from frem_core.figures.looks import SERIES, SeriesLook
from frem_core.pareto.summary import method_fronts
from frem_core.reproduction.drawing import Panel, draw

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


def run() -> Report:
    tables, checks = [], []
    for question in QUESTIONS:
        scores = runs(question)
        tables.append(_table(question, scores))
        checks.append(_check(question, scores))
        picture = PICTURES / f"several-{question.name}.svg"
        picture.write_text(_picture(question, scores), encoding="utf-8")
    return Report("Two sensitive attributes", tables, checks)


def _table(question: Question, scores: pd.DataFrame) -> Table:
    means = scores.drop(columns="seed").groupby(["trained for", "λ"], sort=False).mean()
    titles = [question.quality, *(_title(name) for name in means.columns[1:])]
    rows = [
        [contestant, f"{weight:g}", *(f"{value:.3f}" for value in row)]
        for (contestant, weight), row in zip(means.index, means.to_numpy(), strict=True)
    ]
    return Table(
        f"{question.name}: {question.second} beside its own sensitive attribute",
        ["trained for", "λ", *titles],
        rows,
        f"Means of {len(SEEDS)} seeds, {question.epochs} epochs, FREM's default form; at most "
        f"{MOST_ROWS:,} test rows; EIPM with γ = {GAMMA} and standardised dimensions. The standard "
        f"error of a mean is at most {_error(scores):.3f}.",
    )


def _title(score: str) -> str:
    return score.replace("gdp@", "ΔGDP ").replace("eipm@", "EIPM ")


def _error(scores: pd.DataFrame) -> float:
    """Largest standard error of a mean over seeds."""
    groups = scores.drop(columns="seed").groupby(["trained for", "λ"])
    return float((groups.std() / np.sqrt(len(SEEDS))).to_numpy().max())


def _picture(question: Question, scores: pd.DataFrame) -> str:
    """A panel for each attribute and for both together: ΔGDP above, EIPM below."""
    names = [name for name in scores.columns if "@" in name]
    names.sort(key=lambda name: not name.startswith("gdp"))  # the attributes keep their order
    looks = {
        contestant: SeriesLook(title=contestant, colour=colour, symbol=symbol)
        for contestant, (colour, symbol, _) in zip(CONTESTANTS, SERIES, strict=False)
    }
    return draw([_panel(question, scores, name) for name in names], looks)


def _panel(question: Question, scores: pd.DataFrame, score: str) -> Panel:
    fronts = method_fronts(
        scores, {"quality": "max", score: "min"}, setting=["λ"], method="trained for"
    )
    points = pd.DataFrame(
        {
            "series": fronts["trained for"],
            "x": fronts[score],
            "y": fronts["quality"],
            "x_error": fronts[f"{score}.se"],
            "y_error": fronts["quality.se"],
            "on_front": fronts["on_front"],
        }
    )
    return Panel(_title(score), f"← {_title(score)}", f"{question.quality} →", points)


def _check(question: Question, scores: pd.DataFrame) -> Check:
    largest = scores[scores["λ"] == max(question.weights)].groupby("trained for").mean()
    unfair = scores[scores["trained for"] == UNFAIR].mean(numeric_only=True)
    left = float(largest.loc[BOTH, "gdp@joint"] / unfair["gdp@joint"])
    alone = float(largest.loc[FIRST, "gdp@joint"] / unfair["gdp@joint"])
    return Check(
        f"{question.name}: judging both together leaves less of the joint gap than the first alone",
        f"{left:.0%} against {alone:.0%}",
        left < alone,
    )
