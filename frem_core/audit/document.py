"""An audit as a document: a report, and a section for a model card."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import pandas as pd

from frem_core.audit.error_curves import ERROR_LABELS
from frem_core.audit.result import AuditResult, row_of
from frem_core.audit.rules import RuleResult
from frem_core.audit.sentences import sentences
from frem_core.words import counted, per_cent, rounded, with_interval

if TYPE_CHECKING:
    from frem_core.report import Report

SCORE_LABELS: Final = {
    "gap": "Mean distance from the average along S",
    "range": "Largest difference between any two values of S",
    "ratio": "Smallest mean ÷ largest mean (four-fifths rule without groups)",
    "gdp": "Demographic parity gap (ΔGDP, smoothed widely)",
    "hgr": "Maximal correlation (ΔHGR)",
    "mutual_information": "Shared information (MI, nats)",
    "eipm": "Dependence of the whole distribution (EIPM)",
    "geo": "Gap among those with a positive outcome (ΔGEO)",
    **{name: f"Largest difference: {label}" for name, label in ERROR_LABELS.items()},
}
"""What each score says."""

_SHOWN_FEATURES: Final = 10
HOW_TO_READ: Final = (
    "The value is what the formula gives for these rows. The interval holds what it would give "
    "for endlessly many rows of their kind: noise is in the value, not in the interval, so a weak "
    "value may lie above its interval. Chance is the mean value when predictions and the attribute "
    "are shuffled apart."
)


def labelled_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """Scores with their plain names in front, for readers."""
    shown = scores.copy()
    shown.insert(0, "what", [SCORE_LABELS.get(name, name) for name in scores["score"]])
    return shown


def side_by_side(tables: Sequence[tuple[str, pd.DataFrame]]) -> pd.DataFrame:
    """Scores of several audits, each value with its interval and p, for readers.

    Args:
        tables: name and scores of each; what all of them have is shown.
    """
    known = [set(scores["score"]) for _, scores in tables]
    names = [name for name in tables[0][1]["score"] if all(name in own for own in known)]
    columns: dict[str, list[str]] = {"what": [SCORE_LABELS.get(name, name) for name in names]}
    for place, (title, scores) in enumerate(tables):
        rows = [row_of(scores, name) for name in names]
        columns[title] = [with_interval(row) for row in rows]
        # Blanks set equal headings apart.
        columns["p" + " " * place] = [f"{row['p_value']:.3g}" for row in rows]
    return pd.DataFrame(columns)


def compared_scores(result: AuditResult) -> pd.DataFrame:
    """Scores among all, and between people alike in the factors."""
    assert result.adjusted_scores is not None  # only asked for where there are factors
    return side_by_side(
        [("among all", result.scores), ("alike in the factors", result.adjusted_scores)]
    )


def rule_table(rules: tuple[RuleResult, ...]) -> pd.DataFrame:
    """Rules and decisions, for readers."""
    return pd.DataFrame(
        [(one.rule, one.decision, one.reason) for one in rules],
        columns=["rule", "decision", "why"],
    )


def report(result: AuditResult, rules: tuple[RuleResult, ...] = ()) -> "Report":
    """The audit as a report."""
    from frem_core.figures.audit import audit_curves, binning_gaps, cut_gaps
    from frem_core.report import Chart, Facts, Listing, Paragraph, Report, Section, Table

    name, told = result.sensitive_name, sentences(result)
    curves = [("all", result.curve)]
    if result.adjusted is not None:
        curves.append(("alike in the factors", result.adjusted))
    binned, single = result.cuts.binned(), result.cuts.single()
    quiet = binned[binned["verdict"] != "significant"]
    sections = [
        Section(
            "In short",
            (
                Listing(told),
                *((Table(rule_table(rules), caption="Rules"),) if rules else ()),
                Paragraph(HOW_TO_READ),
            ),
        ),
        Section(
            f"Along {name}",
            (
                Chart(
                    audit_curves(
                        curves,
                        sensitive_name=name,
                        value_title=f"mean {result.prediction_name} (flat is fair)",
                        level=result.overall,
                    ),
                    caption=f"Mean {result.prediction_name} along {name}",
                    alt=told[0],
                    table=result.curve,
                    note="The band holds the whole curve at once; the dotted line is the mean.",
                ),
                Table(labelled_scores(result.scores), caption="Scores"),
            ),
        ),
        Section(
            "What cutting into groups would have said",
            (
                Paragraph(
                    f"{len(quiet)} of {len(binned)} ways of binning {name} into 2 to 20 groups "
                    "find no significant difference. The verdict depends on the cut; the curve "
                    "does not."
                ),
                Chart(
                    cut_gaps(single, sensitive_name=name),
                    caption="The gap of every single cut",
                    alt=f"Gaps run from {rounded(single['gap'].min())} to "
                    f"{rounded(single['gap'].max())}.",
                    table=single,
                ),
                Chart(
                    binning_gaps(binned),
                    caption="The gap of every number of bins",
                    alt=f"{len(quiet)} of {len(binned)} binnings find nothing significant.",
                    table=binned,
                ),
            ),
        ),
    ]
    if result.adjusted_scores is not None:
        sections.append(
            Section(
                "Between people alike in the factors",
                (Table(compared_scores(result), caption="What is left, with intervals"),),
            )
        )
    if result.errors:
        sections.append(
            Section(
                f"Errors along {name}",
                tuple(
                    Chart(
                        audit_curves(
                            [(key, table)], sensitive_name=name, value_title=ERROR_LABELS[key]
                        ),
                        caption=ERROR_LABELS[key],
                        alt=f"Means run from {rounded(table['mean'].min())} to "
                        f"{rounded(table['mean'].max())}.",
                        table=table,
                    )
                    for key, table in result.errors.items()
                ),
            )
        )
    if result.features is not None:
        ranked = result.features.head(_SHOWN_FEATURES)
        sections.append(
            Section(
                f"What tells {name}",
                (Table(ranked, caption=f"Features that tell most about {name}"),),
            )
        )
    sections.append(Section("How it was done", (Listing(result.notes), Facts(result.method()))))
    return Report(
        title=f"Audit of {result.prediction_name} along {name}",
        subtitle=f"{counted(result.rows, 'row')}; the prediction is a {result.kind}",
        sections=tuple(sections),
        data=result.to_dict(),
    )


def markdown(result: AuditResult, rules: tuple[RuleResult, ...] = ()) -> str:
    """A section for a model card."""
    lines = [f"## Fairness along {cell(result.sensitive_name)}", ""]
    lines += [f"- {cell(sentence)}" for sentence in (*sentences(result), *result.notes)]
    if rules:
        lines += ["", "| rule | decision | why |", "|---|---|---|"]
        lines += [f"| `{cell(r.rule)}` | {r.decision} | {cell(r.reason)} |" for r in rules]
    lines += ["", "| score | value | interval | by chance | p |", "|---|---|---|---|---|"]
    lines += [
        f"| {SCORE_LABELS.get(str(row['score']), str(row['score']))} | "
        f"{rounded(row['value'], 4)} | {rounded(row['low'], 4)} to {rounded(row['high'], 4)} | "
        f"{rounded(row['chance'], 4)} | {row['p_value']:.3g} |"
        for _, row in result.scores.iterrows()
    ]
    confidence = per_cent(result.settings["confidence"])
    lines += ["", f"{counted(result.rows, 'row')}; intervals at {confidence}. {HOW_TO_READ}"]
    return "\n".join(lines) + "\n"


def cell(text: str) -> str:
    """Text that can stand in a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")
