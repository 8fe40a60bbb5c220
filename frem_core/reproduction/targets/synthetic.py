"""The two simulations: estimators of EIPM where the truth is known."""

import pandas as pd

from frem_core.reproduction.report import Claim, Finding, Report, Section, Verdict
from frem_core.reproduction.results import Results
from frem_core.reproduction.simulation_study import (
    QUICK_REPLICATES,
    REPLICATES,
    RmseGap,
    gap_table,
    replicates,
    rmse_gaps,
)
from frem_core.reproduction.target import Target, register
from frem_core.simulation import compare_with_paper, summarise


class Simulation(Target):
    """One of the two designs."""

    has_readings = False  # nothing is trained
    design: str
    estimators: tuple[str, ...]

    def estimates(self, results: Results, *, quick: bool) -> pd.DataFrame:
        """The replicates, simulated once and kept beside the runs."""
        kept = results.store.folder / "simulations"
        return replicates(self.design, self.estimators, quick=quick, kept=kept)

    def findings(self, estimates: pd.DataFrame) -> tuple[Finding, ...]:
        """Verdicts on the claims about this design."""
        raise NotImplementedError

    def report(self, results: Results, *, quick: bool = False) -> Report:
        """Compares errors with the paper's and with each other."""
        estimates = self.estimates(results, quick=quick)
        comparison = compare_with_paper(summarise(estimates))
        others = [name for name in self.estimators if name != "proposed"]
        sections = [Section("Ours / paper, in units of 10⁻²", tables=(_beside(comparison),))]
        sections += [
            Section(
                f"Proposed against {other}", tables=(gap_table(rmse_gaps(estimates, other), other),)
            )
            for other in others
        ]
        count = QUICK_REPLICATES if quick else REPLICATES
        return Report(
            target=self.name,
            title=self.title,
            where=self.where,
            protocol=(
                f"{count:,} replicates (the paper drew 100), seed 0, the same as "
                f"`frem simulate {self.design}`. Differences of RMSE: 95 % bootstrap over "
                "replicates, each estimator at its best setting.",
            ),
            findings=(*self.findings(estimates), _numbers(comparison, self.where)),
            sections=tuple(sections),
        )


@register
class Synthetic1(Simulation):
    """One dimension."""

    name = "synthetic1"
    title = "Simulation in one dimension"
    where = "fig:synthetic1, tab:synthetic1"
    design = "gaussian"
    estimators = ("binning", "proposed")

    def findings(self, estimates: pd.DataFrame) -> tuple[Finding, ...]:
        """Proposed against binning, and the bias of binning."""
        return (
            Finding(
                Claim("The proposed estimator dominates binning with large margins.", self.where),
                *_accuracy(rmse_gaps(estimates, "binning")),
            ),
            _growing_bias(estimates),
        )


@register
class SyntheticMulti(Simulation):
    """Several dimensions."""

    name = "synthetic_multi"
    title = "Simulation in several dimensions"
    where = "tab:synthetic_multi"
    design = "multivariate"
    estimators = ("binning", "nadaraya-watson", "proposed")

    def findings(self, estimates: pd.DataFrame) -> tuple[Finding, ...]:
        """Proposed against both others, and Nadaraya–Watson in ten dimensions."""
        return (
            Finding(
                Claim("The proposed estimator performs reliably well in all settings.", self.where),
                *_accuracy(
                    rmse_gaps(estimates, "binning") + rmse_gaps(estimates, "nadaraya-watson")
                ),
            ),
            _no_improvement(estimates),
        )


def _accuracy(gaps: list[RmseGap]) -> tuple[Verdict, str]:
    better = [gap for gap in gaps if gap.high < 0]
    worse = [gap for gap in gaps if gap.low > 0]
    if len(better) == len(gaps):
        verdict = Verdict.REPRODUCED
    else:
        verdict = Verdict.PARTLY if len(better) > len(worse) else Verdict.NOT
    size = sum(gap.value for gap in gaps) / len(gaps)
    return verdict, (
        f"RMSE lower in {len(better)} and higher in {len(worse)} of {len(gaps)} comparisons "
        f"(95 % intervals); mean difference {100 * size:+.2f}×10⁻²."
    )


def _growing_bias(estimates: pd.DataFrame) -> Finding:
    own = summarise(estimates[estimates["estimator"] == "binning"])
    table = own.pivot_table(index="case", columns="setting", values="bias", sort=False)
    rising = (table.diff(axis=1).iloc[:, 1:] > 0).all(axis=1)
    words = "; ".join(
        f"{case}: " + ", ".join(f"{100 * value:.2f}" for value in row)
        for case, row in zip(table.index, table.to_numpy(), strict=True)
    )
    verdict = (
        Verdict.REPRODUCED if rising.all() else Verdict.PARTLY if rising.any() else Verdict.NOT
    )
    return Finding(
        Claim("The bias of binning keeps growing with the number of bins.", "Section V-A"),
        verdict,
        f"Bias ×10² with 2, 3 and 4 bins: {words}.",
    )


def _no_improvement(estimates: pd.DataFrame) -> Finding:
    own = summarise(estimates[estimates["estimator"] == "nadaraya-watson"])
    largest = own[own["case"] == own["case"].iloc[-1]]
    table = largest.pivot_table(index="n", columns="setting", values="rmse")
    first, last = table.iloc[0], table.iloc[-1]
    stuck = last > 0.9 * first
    words = ", ".join(
        f"γ = {setting:g}: {100 * first[setting]:.2f} → {100 * last[setting]:.2f}"
        for setting in table.columns
    )
    verdict = Verdict.REPRODUCED if stuck.all() else Verdict.PARTLY if stuck.any() else Verdict.NOT
    return Finding(
        Claim("In ten dimensions more rows do not improve Nadaraya–Watson.", "tab:synthetic_multi"),
        verdict,
        f"RMSE ×10² from {table.index[0]} to {table.index[-1]} rows: {words} (stuck: not even 10 "
        "% lower).",
    )


def _numbers(comparison: pd.DataFrame, where: str) -> Finding:
    printed = comparison[comparison["paper"].notna()]
    differ = int(printed["differs"].sum())
    share = differ / len(printed)
    verdict = (
        Verdict.REPRODUCED if share <= 0.1 else Verdict.PARTLY if share <= 0.5 else Verdict.NOT
    )
    return Finding(
        Claim("The printed errors.", where),
        verdict,
        f"{len(printed) - differ} of {len(printed)} printed values agree within 3 standard errors.",
    )


def _beside(comparison: pd.DataFrame) -> pd.DataFrame:
    printed = comparison[comparison["paper"].notna()].copy()
    printed["cell"] = [
        f"{100 * ours:.2f}{'*' if differs else ''} / {100 * paper:.2f}"
        for ours, paper, differs in zip(
            printed["ours"], printed["paper"], printed["differs"], strict=True
        )
    ]
    printed["column"] = printed["estimator"] + " " + printed["setting"].map("{:g}".format)
    order = list(dict.fromkeys(printed["column"]))
    table = printed.pivot_table(
        index=["case", "n", "error"], columns="column", values="cell", aggfunc="first", sort=False
    )
    return table[order].reset_index()
