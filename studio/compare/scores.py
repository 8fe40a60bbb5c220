"""The scores of the runs: what they say in sentences, and a table with the best of each marked."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from frem_core.evaluation import available_scores, get_score
from frem_core.figures import NO_BETTER, plain_text, spreadsheet_csv
from frem_core.figures.front_marks import BEST_CONSTANT
from frem_core.figures.front_points import no_better
from frem_core.metrics import Metric
from frem_core.words import decimals
from studio.compare.catalogue import column, task_of, usual_fairness, usual_prediction
from studio.words import comparison_sentence

_BEST = "★"


def conclusions(runs: pd.DataFrame, titles: Sequence[str], sensitive: str) -> list[str]:
    """One sentence for every run but the first, which the others are compared with.

    Where the ordinary model is among the runs it is what the others are compared with.
    """
    unfair = [place for place, method in enumerate(runs["method"]) if method == "unfair"]
    base = unfair[0] if unfair else 0
    sentences = []
    for place in range(len(runs)):
        both = runs.iloc[[place, base]]
        prediction, fairness = usual_prediction(both), usual_fairness(both)
        scores = [column(prediction), column(fairness)]
        if place == base or not set(scores) <= set(runs) or both[scores].isna().any(axis=None):
            continue
        run, other = (
            {
                "title": titles[number],
                "prediction": prediction.axis_value(float(runs.iloc[number][scores[0]])),
                "fairness": float(runs.iloc[number][scores[1]]),
            }
            for number in (place, base)
        )
        words = comparison_sentence(
            run, other, prediction=prediction, fairness=fairness, sensitive=sensitive
        )
        is_useless = bool(no_better(runs.iloc[[place]], prediction.name).iloc[0])
        sentences.append(f"{words} **It {NO_BETTER}.**" if is_useless else words)
    return sentences


def show_scores(runs: pd.DataFrame, titles: Sequence[str], test_rows: int | None) -> None:
    """Draws the table and its download."""
    st.header("Scores on the test rows", anchor=False)
    metrics = [get_score(name) for name in available_scores(task_of(runs))]
    metrics = [one for one in metrics if column(one) in runs]
    st.table(score_table(runs, titles, metrics, test_rows), border="horizontal")
    st.caption(
        f"{_BEST} marks the best run of a row; what looks equal here counts as equal. "
        '"By chance" is what unrelated data would show: a value below it is not fairer.'
    )
    numbers = _score_numbers(runs, titles)
    st.download_button(
        "Download scores as CSV",
        data=lambda: spreadsheet_csv(numbers),
        file_name="scores.csv",
        mime="text/csv",
        key="compare-scores-csv",
        on_click="ignore",
        icon=":material/download:",
    )


def score_table(
    runs: pd.DataFrame, titles: Sequence[str], metrics: Sequence[Metric], test_rows: int | None
) -> pd.DataFrame:
    """One row per score, one column per run, as text for reading."""
    rows = []
    for metric in metrics:
        values = [metric.axis_value(float(value)) for value in runs[column(metric)]]
        digits = decimals(float(np.nanmax(np.abs([0.0, *values]))), digits=2)
        cells = dict(zip(_unique(titles), _marked(values, metric, digits), strict=True))
        floor = metric.typical_floor(test_rows) if metric.typical_floor and test_rows else None
        rows.append(
            {
                "Score": metric.axis_full_name,
                "Direction": metric.direction,
                **cells,
                BEST_CONSTANT: _constant_cell(runs, metric, digits),
                "By chance": "" if floor is None else f"{floor:.{digits}f}",
            }
        )
    table = pd.DataFrame(rows).set_index("Score")
    empty = [name for name in (BEST_CONSTANT, "By chance") if not (table[name] != "").any()]
    return table.drop(columns=empty)


def _constant_cell(runs: pd.DataFrame, metric: Metric, digits: int) -> str:
    """What predicting the same for everybody gives; nothing where no run knows its constant."""
    constants = runs.filter(like="facts.constant.test.")
    if metric.purpose == "fairness":
        return f"{0:.{digits}f}" if constants.notna().any(axis=None) else ""
    name = f"facts.constant.test.{metric.name}.value"
    if name not in runs or runs[name].isna().all():
        return ""
    return f"{metric.axis_value(float(runs[name].mean())):.{digits}f}"


def _score_numbers(runs: pd.DataFrame, titles: Sequence[str]) -> pd.DataFrame:
    """All scores of the runs, of training and test rows, one row per run."""
    scores = [name for name in runs if str(name).startswith(("test.", "train."))]
    table = runs[["id", "method", "config.fairness_weight", "config.seed", *scores]].copy()
    table.insert(0, "run", list(titles))
    return table


def _marked(values: Sequence[float], metric: Metric, digits: int) -> list[str]:
    rounded = np.round(np.asarray(values, np.float64), digits)
    if metric.purpose == "description" or len(rounded) < 2 or np.isnan(rounded).all():
        best = np.zeros(len(rounded), dtype=bool)
    else:
        end = np.nanmax(rounded) if metric.higher_is_better_on_axis else np.nanmin(rounded)
        best = rounded == end
    return [
        "–"
        if np.isnan(value)
        else f"**{value:.{digits}f}**\N{NO-BREAK SPACE}{_BEST}"
        if wins
        else f"{value:.{digits}f}"
        for value, wins in zip(rounded, best, strict=True)
    ]


def _unique(titles: Sequence[str]) -> list[str]:
    """Column names must differ, also when two runs differ in nothing that is named."""
    encoded = [plain_text(title) for title in titles]
    return [
        title if encoded.count(title) == 1 else f"{title} ({place})"
        for place, title in enumerate(encoded, start=1)
    ]
