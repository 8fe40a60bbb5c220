"""Crime under demographic parity: all methods, all scores."""

from frem_core.reproduction.pareto import FrontStudy
from frem_core.reproduction.report import Report
from frem_core.reproduction.results import Results
from frem_core.reproduction.target import Target, effort, register

FIGURES = {
    "gdp": "fig:tradeoff-dp",
    "second gdp": "fig:tradeoff-dp-appen",
    "hgr": "fig:tradeoff-hgr",
    "second hgr": "fig:tradeoff-hgr2",
    "mutual_information": "fig:tradeoff-mi",
    "second mutual_information": "fig:tradeoff-mi2",
}


@register
class ParetoCrime(Target):
    """Fronts on Crime."""

    name = "pareto-crime"
    title = "Fronts on Crime under demographic parity"
    where = (
        "fig:tradeoff-dp, fig:tradeoff-dp-appen, fig:tradeoff-hgr, fig:tradeoff-mi, "
        "fig:tradeoff-hgr2, fig:tradeoff-mi2, fig:compare_mi_z_s, fig:mi_z_s, fig:mi_z_s_reg"
    )
    specs = ("pareto_crime",)

    def report(self, results: Results, *, quick: bool = False) -> Report:
        """Judges FREM against ten baselines."""
        runs = results.runs("pareto_crime")
        study = FrontStudy("crime", ("mae", "mse"), runs)
        chosen = runs.loc[runs["series"] == "frem", "gamma"].value_counts().sort_index()
        gammas = ", ".join(f"{gamma:g} in {count} runs" for gamma, count in chosen.items())
        return Report(
            target=self.name,
            title=self.title,
            where=self.where,
            protocol=(
                "Random 80/20 split for each seed, 200 epochs, batch 200, all settings as in the "
                "paper. Fairness weights: ten for each method, from the first that moves a score "
                "to the last before predictions are constant (the paper does not print its own).",
                f"γ of FREM chosen on 20 % of train from .02, .05 and .1: {gammas or 'no runs'}.",
                *effort(results, self.specs),
            ),
            findings=tuple(study.findings(FIGURES)) if len(runs) else (),
            sections=study.sections() if len(runs) else (),
        )
