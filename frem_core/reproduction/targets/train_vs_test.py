"""FREM and Reg-GDP on the rows they were trained on, and on new rows."""

import pandas as pd

from frem_core.pareto import method_fronts
from frem_core.reproduction import evidence, verdicts
from frem_core.reproduction.ablation_study import AblationStudy
from frem_core.reproduction.drawing import Panel, draw
from frem_core.reproduction.front_comparison import FrontComparison, compare_fronts
from frem_core.reproduction.front_panels import comparison_table
from frem_core.reproduction.report import Claim, Finding, Picture, Report, Section
from frem_core.reproduction.results import Results
from frem_core.reproduction.series import series_looks
from frem_core.reproduction.target import Target, effort, register

_SPEC = "train-vs-test@crime"
#: Task loss on train: on Crime it is the mean squared error, shown as 1 − MSE.
_TRAIN = ("train.mse", "train.gdp")
_TEST = ("mse", "gdp")


@register
class TrainVsTest(Target):
    """Does the regularisation overfit?"""

    name = "train-vs-test"
    title = "Training rows against test rows"
    where = "fig:tradeoff-training"
    specs = (_SPEC,)

    def report(self, results: Results, *, quick: bool = False) -> Report:
        """Judges Reg-GDP on train and FREM on test."""
        study = AblationStudy(self.name, "crime", results.runs(_SPEC))
        train, test = _compare(study, *_TRAIN), _compare(study, *_TEST)
        findings = (
            Finding(
                Claim("Crime: on training rows Reg-GDP has the lower loss than FREM.", self.where),
                verdicts.inferiority(train),
                evidence.of_comparisons(train, study.title),
            ),
            Finding(
                Claim("Crime: on test rows FREM is ahead of Reg-GDP.", "fig:tradeoff-dp"),
                verdicts.superiority(test),
                evidence.of_comparisons(test, study.title),
            ),
        )
        return Report(
            target=self.name,
            title=self.title,
            where=self.where,
            protocol=(
                "As in the paper: 200 epochs, five random 80/20 splits; γ of FREM fixed at .05. "
                "The training loss on Crime is the mean squared error. Crime only.",
                *effort(results, self.specs),
            ),
            findings=findings,
            sections=(_section(study, [*train, *test]),) if len(study.runs) else (),
        )


def _compare(study: AblationStudy, prediction: str, fairness: str) -> list[FrontComparison]:
    runs = study.runs
    if runs.empty or not {"frem", "reg_gdp", "unfair"} <= set(runs["series"]):
        return []
    unfair = runs[runs["series"] == "unfair"]
    corner = (_worst(runs, prediction), float(unfair[fairness].mean()))
    return [
        compare_fronts(
            runs, "frem", "reg_gdp", prediction=prediction, fairness=fairness, reference=corner
        )
    ]


def _worst(runs: pd.DataFrame, prediction: str) -> float:
    """The lowest mean of any setting: train has another best constant than test."""
    return float(runs.groupby(["series", "weight"])[prediction].mean().min())


def _section(study: AblationStudy, comparisons: list[FrontComparison]) -> Section:
    panels = []
    for title, (loss, gap) in (("Training rows", _TRAIN), ("Test rows", _TEST)):
        table = method_fronts(
            study.runs, {loss: "max", gap: "min"}, setting=["weight"], method="series"
        )
        names = {gap: "x", loss: "y", f"{gap}.se": "x_error", f"{loss}.se": "y_error"}
        points = table.rename(columns=names)
        panels.append(Panel(title, "ΔGDP (lower is fairer)", "1 − loss (higher is better)", points))
    looks = series_looks(["frem", "reg_gdp", "unfair"])
    picture = Picture("crime", draw(panels, looks), "Crime. Means over seeds, standard errors.")
    table = comparison_table(comparisons, title=study.title)
    return Section("Crime", pictures=(picture,), tables=(table,))
