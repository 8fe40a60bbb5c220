"""What both fronts targets share: claims, scores and series of one dataset."""

from dataclasses import dataclass, field

import pandas as pd
from scipy.stats import spearmanr

from frem_core.reproduction import evidence, verdicts
from frem_core.reproduction.front_comparison import (
    FrontComparison,
    compare_fronts,
    reference_corner,
)
from frem_core.reproduction.front_panels import comparison_table, front_picture, score_words
from frem_core.reproduction.report import Claim, Finding, Picture, Section

FAIRNESS = ("gdp", "hgr", "mutual_information")
REPRESENTATION = "representation_mutual_information"
CONTINUOUS = ("reg_gdp", "reg_hgr", "adv")
BINARY = tuple(
    f"{method}:{cut}" for method in ("laftr", "mmd", "sipm_lfr") for cut in ("median", "mean")
)
ORDER = ("frem", *CONTINUOUS, *BINARY, "unfair")


@dataclass(frozen=True)
class FrontStudy:
    """The runs of one dataset and how to judge them.

    Attributes:
        dataset: built-in name.
        predictions: the paper's two prediction scores, the main one first.
        runs: tidy runs of all methods.
    """

    dataset: str
    predictions: tuple[str, str]
    runs: pd.DataFrame
    # A comparison backs a verdict and stands in the table again.
    _compared: dict[tuple[str, ...], FrontComparison] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def compare(
        self, others: tuple[str, ...], prediction: str, fairness: str, ours: str = "frem"
    ) -> list[FrontComparison]:
        """Compares FREM with each of the series that have runs."""
        if self.runs.empty or not {"unfair", ours} <= set(self.runs["series"]):
            return []
        present = set(self.runs["series"])
        return [self._against(one, prediction, fairness, ours) for one in others if one in present]

    def _against(self, other: str, prediction: str, fairness: str, ours: str) -> FrontComparison:
        key = (ours, other, prediction, fairness)
        if key not in self._compared:
            corner = reference_corner(self.runs, self.dataset, prediction, fairness)
            self._compared[key] = compare_fronts(
                self.runs, ours, other, prediction=prediction, fairness=fairness, reference=corner
            )
        return self._compared[key]

    def findings(self, figures: dict[str, str]) -> list[Finding]:
        """Verdicts on the claims that hold for both datasets.

        Args:
            figures: the paper's labels by kind of claim.
        """
        main, second = self.predictions
        name = self.dataset.title()
        found = [
            self._superior(
                f"{name}: FREM outperforms Reg-GDP, Reg-HGR and ADV ({score_words(prediction)} "
                f"against {score_words(fairness)}).",
                figures[fairness if prediction == main else f"second {fairness}"],
                CONTINUOUS,
                prediction,
                fairness,
            )
            for fairness in FAIRNESS
            for prediction in (main, second)
        ]
        found += [
            self._superior(
                f"{name}: FREM outperforms LAFTR, MMD and sIPM-LFR on a binary attribute with "
                f"large margins ({score_words(prediction)} against {score_words(fairness)}).",
                figures[fairness if prediction == main else f"second {fairness}"],
                BINARY,
                prediction,
                fairness,
            )
            for fairness in FAIRNESS
            for prediction in (main, second)
        ]
        found.append(
            self._superior(
                f"{name}: FREM has the best trade-off between MI(Z, S) and prediction among five "
                "methods that learn representations.",
                "fig:compare_mi_z_s",
                ("adv", "laftr:median", "mmd:median", "sipm_lfr:median"),
                main,
                REPRESENTATION,
            )
        )
        found.append(
            self._superior(
                f"{name}: FREM has a better trade-off between MI(Z, S) and prediction than the "
                "regularisation methods.",
                "fig:mi_z_s_reg",
                ("reg_gdp", "reg_hgr"),
                main,
                REPRESENTATION,
            )
        )
        return [*found, self._trend(name)]

    def _superior(
        self, text: str, where: str, others: tuple[str, ...], prediction: str, fairness: str
    ) -> Finding:
        comparisons = self.compare(others, prediction, fairness)
        return Finding(
            Claim(text, where),
            verdicts.superiority(comparisons),
            evidence.of_comparisons(comparisons),
        )

    def _trend(self, name: str) -> Finding:
        claim = Claim(f"{name}: MI(Z, S) of FREM falls as λ grows.", "fig:mi_z_s")
        own = self.runs[self.runs["series"] == "frem"]
        correlations = [
            float(spearmanr(rows["weight"], rows[REPRESENTATION]).statistic)
            for _, rows in own.groupby("seed")
            if len(rows) > 2
        ]
        shown = ", ".join(f"{value:+.2f}" for value in correlations) or "none yet"
        return Finding(
            claim,
            verdicts.falling_trend(correlations),
            f"Rank correlation of λ and MI(Z, S), seed by seed: {shown}.",
        )

    def sections(self) -> tuple[Section, ...]:
        """Pictures of all fronts, and the table behind the verdicts."""
        pairs = [(prediction, fairness) for prediction in self.predictions for fairness in FAIRNESS]
        continuous = self.runs[self.runs["series"].isin(["frem", "unfair", *CONTINUOUS])]
        binary = self.runs[self.runs["series"].isin(["frem", "unfair", *BINARY])]
        means = "Means over seeds with standard errors; faint points are dominated."
        comparisons = [
            one
            for prediction, fairness in [*pairs, (self.predictions[0], REPRESENTATION)]
            for one in self.compare((*CONTINUOUS, *BINARY), prediction, fairness)
        ]
        return (
            Section(
                "Methods for a continuous attribute",
                pictures=(self._fronts("continuous", continuous, pairs, means),),
            ),
            Section(
                "Methods for a binary attribute",
                pictures=(self._fronts("binary", binary, pairs, means),),
            ),
            Section(
                "Fairness of the representation",
                "Mutual information of Z and S, mean over the dimensions of Z.",
                pictures=(
                    self._fronts(
                        "representation",
                        self.runs,
                        [(self.predictions[0], REPRESENTATION)],
                        means,
                    ),
                ),
            ),
            Section(
                "Hypervolumes",
                "Area that a front dominates, down to the corner (best constant prediction, "
                "fairness score of the unfair model). The interval is the paired percentile "
                "bootstrap over seeds; with so few seeds it is a guide, so the number of single "
                "seeds won stands beside it.",
                tables=(comparison_table(comparisons),),
            ),
        )

    def _fronts(
        self, name: str, runs: pd.DataFrame, pairs: list[tuple[str, str]], caption: str
    ) -> Picture:
        return front_picture(name, runs, pairs, f"{self.dataset.title()}. {caption}", ORDER)
