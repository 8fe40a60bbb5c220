"""MMD with many bins instead of smoothing."""

from frem_core.reproduction import evidence, verdicts
from frem_core.reproduction.ablation_study import AblationStudy
from frem_core.reproduction.report import Claim, Finding, Report
from frem_core.reproduction.results import Results
from frem_core.reproduction.target import Target, effort, register

_SPEC = "mmd-bins@crime"
_BEYOND = (("bins-5", "bins-3"), ("bins-10", "bins-3"), ("bins-20", "bins-3"))


@register
class MmdBins(Target):
    """FREM against MMD with J bins."""

    name = "mmd-bins"
    title = "Bins instead of smoothing"
    where = "fig:mmds"
    specs = (_SPEC,)

    def report(self, results: Results, *, quick: bool = False) -> Report:
        """Judges FREM against every number of bins, and many bins against three."""
        study = AblationStudy(self.name, "crime", results.runs(_SPEC))
        bins = [one.name for one in study.ablation.variants if one.name.startswith("bins-")]
        against = [(study.first, name) for name in bins]
        better = study.compare(against)
        beyond = study.compare(_BEYOND)
        gains = [one for one in beyond if one.outcome == "better"]
        findings = (
            Finding(
                Claim("Crime: FREM outperforms MMD with any number of bins.", self.where),
                verdicts.superiority(better),
                evidence.of_comparisons(better, study.title),
            ),
            Finding(
                Claim("Crime: beyond 3 bins MMD does not improve.", self.where),
                verdicts.no_gain(beyond),
                f"{len(gains)} of {len(beyond)} comparisons show a gain. "
                + evidence.of_equivalence(beyond, study.title),
            ),
        )
        return Report(
            target=self.name,
            title=self.title,
            where=self.where,
            protocol=(
                "As in the paper: 200 epochs, random 80/20 splits. γ of FREM fixed at .05. "
                "Fairness weights of J bins are those of the median cut times 2/J, because the "
                "penalty is a sum over bins. Crime only, because of the time that the same takes "
                "on Adult.",
                *effort(results, self.specs),
            ),
            findings=findings,
            sections=(study.section([*against, *_BEYOND]),) if len(study.runs) else (),
        )
