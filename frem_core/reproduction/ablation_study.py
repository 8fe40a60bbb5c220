"""What the targets about ablations share: variants as series, compared with one of them."""

from collections.abc import Sequence

import pandas as pd

from frem_core.ablations import Ablation, get_ablation, variant_looks
from frem_core.figures.looks import SeriesLook
from frem_core.reproduction.drawing import draw
from frem_core.reproduction.front_comparison import (
    FrontComparison,
    compare_fronts,
    reference_corner,
)
from frem_core.reproduction.front_panels import comparison_table, front_panel
from frem_core.reproduction.report import Picture, Section

PREDICTION = {"adult": "accuracy", "crime": "mae"}
FAIRNESS = ("gdp", "hgr", "mutual_information")


class AblationStudy:
    """The variants of an ablation on one dataset.

    Args:
        ablation: its name.
        dataset: built-in name.
        runs: tidy runs of its sweep whose ``series`` are the variants' names.
    """

    def __init__(self, ablation: str, dataset: str, runs: pd.DataFrame) -> None:
        self.ablation: Ablation = get_ablation(ablation)
        self.dataset = dataset
        self.runs = runs
        self.prediction = PREDICTION[dataset]

    @property
    def first(self) -> str:
        """The variant that the others are compared with."""
        return self.ablation.variants[0].name

    def compare(
        self, pairs: Sequence[tuple[str, str]], fairness: str = "gdp"
    ) -> list[FrontComparison]:
        """Compares pairs (ours, other) of variants that both have runs."""
        present = set(self.runs["series"]) if len(self.runs) else set()
        if "unfair" not in present:
            return []
        corner = reference_corner(self.runs, self.dataset, self.prediction, fairness)
        return [
            compare_fronts(
                self.runs,
                ours,
                other,
                prediction=self.prediction,
                fairness=fairness,
                reference=corner,
            )
            for ours, other in pairs
            if {ours, other} <= present
        ]

    def section(self, pairs: Sequence[tuple[str, str]]) -> Section:
        """Fronts under three fairness scores, and the hypervolumes."""
        looks: dict[str, SeriesLook] = variant_looks(self.ablation)
        panels = [front_panel(self.runs, self.prediction, fairness) for fairness in FAIRNESS]
        picture = Picture(
            self.dataset,
            draw(panels, looks),
            f"{self.dataset.title()}. Means over seeds with standard errors; faint points are "
            "dominated.",
        )
        comparisons = [one for fairness in FAIRNESS for one in self.compare(pairs, fairness)]
        table = comparison_table(comparisons, title=self.title)
        return Section(self.dataset.title(), pictures=(picture,), tables=(table,))

    def title(self, series: str) -> str:
        """The words for a variant."""
        titles = {one.name: one.title for one in self.ablation.all_variants}
        return titles.get(series, series)
