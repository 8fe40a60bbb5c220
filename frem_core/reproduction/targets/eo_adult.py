"""Equal opportunity on Adult."""

from frem_core.reproduction import evidence, verdicts
from frem_core.reproduction.front_panels import comparison_table, front_picture, score_words
from frem_core.reproduction.pareto import CONTINUOUS, ORDER, FrontStudy
from frem_core.reproduction.report import Claim, Finding, Report, Section
from frem_core.reproduction.results import Results
from frem_core.reproduction.target import Target, effort, register

_PAIRS = [("accuracy", "geo"), ("average_precision", "geo")]


@register
class EqualOpportunityAdult(Target):
    """ΔGEO against prediction."""

    name = "eo-adult"
    title = "Equal opportunity on Adult"
    where = "fig:tradeoff-eqopp"
    specs = ("eo_adult",)

    def report(self, results: Results, *, quick: bool = False) -> Report:
        """Judges FREM against three baselines under both prediction scores."""
        runs = results.runs("eo_adult")
        study = FrontStudy("adult", ("accuracy", "average_precision"), runs)
        findings, comparisons = [], []
        for prediction, fairness in _PAIRS:
            found = study.compare(CONTINUOUS, prediction, fairness)
            comparisons += found
            text = f"Adult: FREM outperforms all baselines ({score_words(prediction)}, ΔGEO)."
            findings.append(
                Finding(
                    Claim(text, self.where),
                    verdicts.superiority(found),
                    evidence.of_comparisons(found),
                )
            )
        picture = front_picture("adult", runs, _PAIRS, "Adult. Means over seeds.", ORDER)
        section = Section("Fronts", pictures=(picture,), tables=(comparison_table(comparisons),))
        return Report(
            target=self.name,
            title=self.title,
            where=self.where,
            protocol=(
                "As in the paper; every fairness term sees the rows with Y = 1 only. Cut for two "
                "cores: six fairness weights for each method, γ of FREM fixed at .05.",
                *effort(results, self.specs),
            ),
            findings=tuple(findings),
            sections=(section,) if len(runs) else (),
        )
