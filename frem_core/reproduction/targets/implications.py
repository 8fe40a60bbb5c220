"""The four implications that the paper draws from its experiments, each as one statistic."""

from typing import cast

import pandas as pd

from frem_core.reproduction import evidence, verdicts
from frem_core.reproduction.ablation_study import AblationStudy
from frem_core.reproduction.front_comparison import FrontComparison
from frem_core.reproduction.front_panels import comparison_table
from frem_core.reproduction.pareto import BINARY, FAIRNESS, FrontStudy
from frem_core.reproduction.report import Claim, Finding, Report, Section, Verdict
from frem_core.reproduction.results import Results
from frem_core.reproduction.simulation_study import rmse_gaps
from frem_core.reproduction.target import Target, get_target, register
from frem_core.reproduction.targets.kernels import Indifference
from frem_core.reproduction.targets.synthetic import Simulation

_WHERE = "Section “Implications of the numerical experiments”"
_STUDIES = {
    "crime": (("pareto_crime",), ("mae", "mse")),
    "adult": (("pareto_adult", "pareto_adult_binary"), ("accuracy", "average_precision")),
}


@register
class Implications(Target):
    """Gathers what the other targets have trained."""

    name = "implications"
    title = "The four implications"
    where = _WHERE

    def read_specs(self) -> tuple[str, ...]:
        """Those of both tables of fronts."""
        return tuple(spec for specs, _ in _STUDIES.values() for spec in specs)

    def report(self, results: Results, *, quick: bool = False) -> Report:
        """Judges the implications one after the other."""
        studies = _studies(results)
        second = _against(studies, ("reg_gdp", "reg_hgr"))
        third = _against(studies, BINARY)
        bins = AblationStudy("mmd-bins", "crime", results.runs("mmd-bins@crime"))
        many = [one.name for one in bins.ablation.variants if one.name.startswith("bins-")]
        with_bins = bins.compare([(bins.first, name) for name in many])
        findings = (
            _first(results, quick=quick),
            _front_finding(
                "2. FREM dominates Reg-GDP and Reg-HGR: learning fair representations is a useful "
                "regularisation.",
                second,
            ),
            _front_finding(
                "3. Existing methods with a binned attribute are not competitive: smoothing is the "
                "key.",
                {**third, "Crime, MMD with bins": with_bins},
            ),
            _fourth(results),
        )
        pairs = [one for found in (second, third) for some in found.values() for one in some]
        section = Section(
            "Hypervolumes behind implications 2 and 3", tables=(comparison_table(pairs),)
        )
        return Report(
            target=self.name,
            title=self.title,
            where=self.where,
            protocol=(
                "Made from the runs of the other targets; nothing is trained here.",
                "Implications 2 and 3: the main prediction score against ΔGDP, ΔHGR and MI(Ŷ, S) "
                "on each dataset; a comparison counts when the 95 % interval of its hypervolume "
                "difference (paired bootstrap over seeds) excludes 0.",
            ),
            findings=findings,
            sections=(section,) if pairs else (),
        )


def _studies(results: Results) -> dict[str, FrontStudy]:
    studies = {}
    for dataset, (specs, predictions) in _STUDIES.items():
        runs = pd.concat([results.runs(spec) for spec in specs], ignore_index=True)
        if len(runs):
            studies[dataset] = FrontStudy(dataset, predictions, runs)
    return studies


def _against(
    studies: dict[str, FrontStudy], others: tuple[str, ...]
) -> dict[str, list[FrontComparison]]:
    """Comparisons with at least two seeds, by dataset."""
    found = {}
    for dataset, study in studies.items():
        comparisons = [
            one
            for fairness in FAIRNESS
            for one in study.compare(others, study.predictions[0], fairness)
        ]
        found[dataset] = [one for one in comparisons if one.seeds > 1]
    return found


def _front_finding(text: str, found: dict[str, list[FrontComparison]]) -> Finding:
    parts, words = [], []
    for name, comparisons in found.items():
        verdict = verdicts.superiority(comparisons)
        parts.append(verdict)
        if verdict is not Verdict.OPEN:
            counts = {
                outcome: sum(one.outcome == outcome for one in comparisons)
                for outcome in ("better", "open", "worse")
            }
            seeds = min(one.seeds for one in comparisons)
            words.append(
                f"{name[0].upper()}{name[1:]} ({seeds} seeds): FREM better in {counts['better']}, "
                f"undecided in {counts['open']}, worse in {counts['worse']} of {len(comparisons)} "
                "comparisons"
            )
    shown = "; ".join(words) or "Not enough seeds are trained yet"
    return Finding(Claim(text, _WHERE), verdicts.together(parts), f"{shown}.")


def _first(results: Results, *, quick: bool) -> Finding:
    gaps = []
    for name in ("synthetic1", "synthetic_multi"):
        simulation = cast(Simulation, get_target(name))
        gaps += rmse_gaps(simulation.estimates(results, quick=quick), "binning")
    better = sum(gap.high < 0 for gap in gaps)
    worse = sum(gap.low > 0 for gap in gaps)
    verdict = Verdict.REPRODUCED if better == len(gaps) else Verdict.PARTLY
    return Finding(
        Claim(
            "1. The proposed estimator of EIPM works well and binning is inferior: smoothing is "
            "necessary for accurate estimation.",
            _WHERE,
        ),
        verdict if better > worse else Verdict.NOT,
        f"RMSE of the proposed estimator against binning, each at its best setting: lower in "
        f"{better}, higher in {worse} of {len(gaps)} cells (95 % bootstrap over replicates).",
    )


def _fourth(results: Results) -> Finding:
    parts, words = [], []
    for name in ("kernels-s", "kernels-z", "sigma"):
        target = cast(Indifference, get_target(name))
        study = target.study(results)
        comparisons = study.compare(target.pairs(study))
        parts.append(verdicts.equivalence(comparisons))
        if parts[-1] is not Verdict.OPEN:
            words.append(evidence.of_equivalence(comparisons, study.title))
    return Finding(
        Claim("4. FREM is not sensitive to the choice of the kernels.", _WHERE),
        verdicts.together(parts),
        " ".join(words) or "Not enough seeds are trained yet.",
    )
