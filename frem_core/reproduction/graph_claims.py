"""What the paper says on graphs, and how one graph speaks to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from frem_core.reproduction import evidence, verdicts
from frem_core.reproduction.front_comparison import FrontComparison
from frem_core.reproduction.front_panels import score_words
from frem_core.reproduction.graph_study import REPRESENTATION, GraphStudy
from frem_core.reproduction.report import Claim, Finding, Verdict

REGULARISED, REPRESENTING = ("reg_gdp", "reg_hgr"), ("adv", "mmd:median")
_FIGURES = {
    "gdp": "fig:graph_trade_off",
    "hgr": "fig:graph_trade_off2",
    "mutual_information": "fig:graph_trade_off3",
}


@dataclass(frozen=True)
class Statement:
    """A claim on fronts, for any graph.

    Attributes:
        text: the claim.
        where: its figure.
        fairness: the fairness score it is about.
        others: the series that FREM is compared with.
        judge: the rule for the verdict.
        of: ``"train."`` when it is about the training rows.
    """

    text: str
    where: str
    fairness: str
    others: tuple[str, ...]
    judge: Callable[[Sequence[FrontComparison]], Verdict]
    of: str = ""


STATEMENTS = (
    *(
        Statement(
            f"FREM is comparable to Reg-GDP and Reg-HGR (Acc against {score_words(fairness)}).",
            where,
            fairness,
            REGULARISED,
            verdicts.not_worse,
        )
        for fairness, where in _FIGURES.items()
    ),
    *(
        Statement(
            f"FREM outperforms ADV and MMD (Acc against {score_words(fairness)}).",
            where,
            fairness,
            REPRESENTING,
            verdicts.superiority,
        )
        for fairness, where in _FIGURES.items()
    ),
    Statement(
        "FREM outperforms ADV and MMD in the fairness of representations (Acc against MI(Z, S)).",
        "fig:graph_trade_off4",
        REPRESENTATION,
        REPRESENTING,
        verdicts.superiority,
    ),
    Statement(
        "FREM outperforms Reg-GDP and Reg-HGR in the fairness of representations (Acc against "
        "MI(Z, S)).",
        "fig:mi_z_s_reg2",
        REPRESENTATION,
        REGULARISED,
        verdicts.superiority,
    ),
    Statement(
        "On training rows FREM and Reg-GDP perform alike (Acc against ΔGDP).",
        "fig:tradeoff-training_graph",
        "gdp",
        ("reg_gdp",),
        verdicts.equivalence,
        of="train.",
    ),
)
TREND = Claim("MI(Z, S) of FREM falls as λ grows.", "fig:mi_z_s2")


def absent(name: str, title: str) -> list[Finding]:
    """A graph of the paper whose files are missing: every claim stays open, and says why."""
    how = f"The files were not there: frem datasets add {name} FOLDER."
    stated = [*((one.text, one.where) for one in STATEMENTS), (TREND.text, TREND.where)]
    return [Finding(Claim(f"{title}: {text}", where), Verdict.OPEN, how) for text, where in stated]


def judged(studies: Sequence[GraphStudy], title: str, remark: str = "") -> list[Finding]:
    """Findings on one graph; comparisons of all its networks count towards a verdict.

    Args:
        studies: its networks.
        title: what to call it.
        remark: is added to the paper's figures.
    """
    found = []
    for one in STATEMENTS:
        claim = Claim(f"{title}: {one.text}", one.where + remark)
        found.append(_compared(claim, one, studies))
    return [*found, _trend(Claim(f"{title}: {TREND.text}", TREND.where + remark), studies)]


def _compared(claim: Claim, statement: Statement, studies: Sequence[GraphStudy]) -> Finding:
    comparisons: list[FrontComparison] = []
    reasons, words = [], []
    for study in studies:
        reason = study.why_no_trade_off(statement.fairness)
        if reason is not None:
            reasons.append(f"Nothing to tell apart with {reason}.")
            continue
        some = study.compare(statement.others, statement.fairness, statement.of)
        comparisons += some
        words.append(f"{study.network}: {evidence.of_comparisons(some)}")
    mute = reasons and not words
    verdict = Verdict.MUTE if mute else statement.judge(comparisons)
    return Finding(claim, verdict, " ".join([*words, *reasons]) or "No runs yet.")


def _trend(claim: Claim, studies: Sequence[GraphStudy]) -> Finding:
    correlations: list[float] = []
    reasons, words = [], []
    for study in studies:
        reason = study.why_not_unfair(REPRESENTATION)
        if reason is not None:
            reasons.append(f"Nothing to remove with {reason}.")
            continue
        some = study.trend()
        correlations += some
        shown = ", ".join(f"{one:+.2f}" for one in some) or "none yet"
        words.append(f"{study.network}: {shown}.")
    verdict = Verdict.MUTE if reasons and not words else verdicts.falling_trend(correlations)
    if words:
        words.insert(0, "Rank correlation of λ and MI(Z, S), seed by seed.")
    return Finding(claim, verdict, " ".join([*words, *reasons]) or "No runs yet.")
