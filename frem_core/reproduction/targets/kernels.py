"""Ablations whose claim is that a choice does not matter: kernels on S and Z, scale σ."""

from frem_core.reproduction import evidence, verdicts
from frem_core.reproduction.ablation_study import AblationStudy
from frem_core.reproduction.report import Claim, Finding, Report
from frem_core.reproduction.results import Results
from frem_core.reproduction.target import Target, effort, register

PROTOCOL = (
    "As in the paper: 200 epochs, five random 80/20 splits, γ = .05 where nothing else is said. "
    "Crime only, because of the time that the same takes on Adult.",
    "The areas of two choices count as alike within ± 10 % of the area of the first.",
)


class Indifference(Target):
    """Compares the variants of an ablation with its first."""

    @property
    def specs(self) -> tuple[str, ...]:  # type: ignore[override]
        """The ablation on Crime."""
        return (f"{self.name}@crime",)

    def study(self, results: Results) -> AblationStudy:
        """The ablation's runs on Crime."""
        return AblationStudy(self.name, "crime", results.runs(self.specs[0]))

    def pairs(self, study: AblationStudy) -> list[tuple[str, str]]:
        """Every variant of the paper against the first."""
        names = [one.name for one in study.ablation.variants[1:] if one.in_paper]
        return [(name, study.first) for name in names]

    def report(self, results: Results, *, quick: bool = False) -> Report:
        """Judges whether the choice matters."""
        study = self.study(results)
        comparisons = study.compare(self.pairs(study))
        finding = Finding(
            Claim(f"Crime: {study.ablation.claim}", self.where),
            verdicts.equivalence(comparisons),
            evidence.of_equivalence(comparisons, study.title),
        )
        every = [(one.name, study.first) for one in study.ablation.variants[1:]]
        return Report(
            target=self.name,
            title=self.title,
            where=self.where,
            protocol=(*PROTOCOL, *effort(results, self.specs)),
            findings=(finding,),
            sections=(study.section(every),) if len(study.runs) else (),
        )


@register
class KernelsOnS(Indifference):
    """RBF, triangular and Epanechnikov on the sensitive attribute."""

    name = "kernels-s"
    title = "Kernels on the sensitive attribute"
    where = "fig:vary_kernel, fig:tradeoff-kernel_2"


@register
class KernelsOnZ(Indifference):
    """RBF, triangular and Epanechnikov on the representation."""

    name = "kernels-z"
    title = "Kernels on the representation"
    where = "fig:tradeoff-kernel_z_2"


@register
class Sigma(Indifference):
    """σ = 0.8, 1 and 1.5."""

    name = "sigma"
    title = "Scale of the kernel on the representation"
    where = "fig:bandwidths_rep"
