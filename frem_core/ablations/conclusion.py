"""What an ablation has shown, in plain words that never say more than the numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from frem_core.ablations.ablation import Ablation

_STEADY = 0.15  # coefficients of variation up to here: about what the paper calls stable


def conclude_fronts(comparison: pd.DataFrame) -> str:
    """Says which variants differ from the first by more than the seeds explain.

    Args:
        comparison: as `compare_variants` returns.

    Example:
        >>> table = pd.DataFrame({
        ...     "title": ["RBF kernel", "Triangular kernel"], "share": [0.0, 0.02],
        ...     "share_low": [0.0, -0.03], "share_high": [0.0, 0.05], "seeds": [3, 3]})
        >>> conclude_fronts(table)
        'Triangular kernel does about as well as RBF kernel: the area its front covers differs by \
up to 2 %, which other seeds could undo.'
    """
    first, others = comparison.iloc[0], comparison.iloc[1:].dropna(subset=["share"])
    if others.empty:
        return "There is nothing to compare yet."
    if int(comparison["seeds"].min()) < 2:
        return "One seed only: differences cannot be told from chance."
    clear = (others["share_low"] > 0) | (others["share_high"] < 0)
    sentences = [_alike(others[~clear], str(first["title"]))] if not clear.all() else []
    sentences += [_differs(row, str(first["title"])) for _, row in others[clear].iterrows()]
    return " ".join(sentences)


def _alike(rows: pd.DataFrame, first: str) -> str:
    names = rows["title"].tolist()
    verb, fronts = ("does", "its front covers") if len(names) == 1 else ("do", "their fronts cover")
    return (
        f"{_listed(names)} {verb} about as well as {first}: the area {fronts} differs by "
        f"{_at_most(float(rows['share'].abs().max()))}, which other seeds could undo."
    )


def _differs(row: "pd.Series[Any]", first: str) -> str:
    low, high = sorted((abs(float(row["share_low"])), abs(float(row["share_high"]))))
    better, more = ("better", "more") if float(row["share"]) > 0 else ("worse", "less")
    return (
        f"{row['title']} does {better} than {first}: its front covers "
        f"{_per_cent(abs(float(row['share'])))} {more} (95 %: {_per_cent(low)} to "
        f"{_per_cent(high)})."
    )


def conclude_train_vs_test(train: pd.DataFrame, test: pd.DataFrame) -> str:
    """Says whether the order of methods on training rows holds on test rows.

    Args:
        train: as `compare_variants` returns for ``split="train"``.
        test: the same for ``split="test"``.
    """
    return (
        f"On the training rows: {conclude_fronts(train)} On the test rows: {conclude_fronts(test)}"
    )


def conclude_stability(ablation: Ablation, stability: pd.DataFrame) -> str:
    """Says how far MI(Ŷ, S) moves between resamples.

    Args:
        ablation: for the titles of its variants.
        stability: columns ``variant, mean, sd, cv``, one row per model.
    """
    titles = {variant.name: variant.title for variant in ablation.all_variants}
    table = stability.assign(title=stability["variant"].map(titles)).sort_values("cv")
    steady, shaky = table.iloc[0], table.iloc[-1]
    worst = float(np.nan_to_num(shaky["cv"], nan=np.inf))
    word = "stable" if worst <= _STEADY else "not equally stable everywhere"
    return (
        f"The estimate is {word}: its standard deviation between resamples is "
        f"{_per_cent(steady['cv'], 1)} of its mean for {steady['title']} and "
        f"{_per_cent(shaky['cv'], 1)} for {shaky['title']}."
    )


def _at_most(share: float) -> str:
    return "less than 1 %" if share < 0.005 else f"up to {_per_cent(share)}"


def _per_cent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f} %"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
