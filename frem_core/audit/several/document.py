"""An audit of several attributes in words: sentences, a report, and a section for a model card."""

from typing import TYPE_CHECKING

import pandas as pd

from frem_core.attributes import ALL_TOGETHER
from frem_core.audit.document import cell, rule_table
from frem_core.audit.rules import RuleResult
from frem_core.audit.sentences import sentences as sentences_of_one
from frem_core.eipm.several.report import EXCESS
from frem_core.words import counted, per_cent, rounded, with_interval

if TYPE_CHECKING:
    from frem_core.audit.several.result import AttributesAudit
    from frem_core.report import Chart, Report
    from frem_core.report.blocks import Block

_COLUMNS = {
    "attribute": "attribute",
    "value": "mean gap",
    "low": "from",
    "high": "to",
    "p_value": "p",
    "value_left": "left between people alike in the others",
    "low_left": "from ",
    "high_left": "to ",
    "p_value_left": "p ",
}
"""Headings for readers; a blank sets equal ones apart."""


def attribute_table(found: "AttributesAudit") -> pd.DataFrame:
    """Each attribute raw and beside the others, for readers."""
    return found.attributes[list(_COLUMNS)].rename(columns=_COLUMNS)


def sentences(found: "AttributesAudit") -> tuple[str, ...]:
    """What was found, attribute by attribute, then together."""
    told = []
    for row in found.attributes.to_dict(orient="records"):
        name = row["attribute"]
        if row["p_value"] > 0.05 and row["p_value_left"] > 0.05:
            told.append(f"No dependence of the mean prediction on {name} was found.")
            continue
        here = (
            f"{name}: mean gap {with_interval(row)}"
            if row["p_value"] <= 0.05
            else f"{name}: nothing by itself"
        )
        left = with_interval(row, "_left")
        told.append(
            f"{here}; between people alike in the other attributes {left} "
            + ("is left." if row["p_value_left"] <= 0.05 else "is left, no more than chance.")
        )
    told.append(_worst_place(found))
    joint = found.joint.set_index("attribute")
    if pd.notna(joint["eipm"][ALL_TOGETHER]):  # else nobody has enough neighbours
        told.append(
            f"All attributes together: EIPM {rounded(joint['eipm'][ALL_TOGETHER])} (by chance "
            f"{rounded(joint['chance'][ALL_TOGETHER])}); what only their combination shows: "
            f"{rounded(joint['eipm'][EXCESS])} (by chance {rounded(joint['chance'][EXCESS])}). "
            f"That speaks for {per_cent(joint['share_covered'][ALL_TOGETHER])} of the rows: "
            "elsewhere combinations are rare."
        )
    return tuple(told)


def _worst_place(found: "AttributesAudit") -> str:
    if found.places.empty:
        return "No combination of the attributes has enough rows to be judged."
    first = found.places.iloc[0]
    sure = first["low"] > 0 or first["high"] < 0
    if found.places_p_value > 0.05 or not sure:
        return (
            "No combination of the attributes is surely off the mean of all "
            f"(p = {found.places_p_value:.3g})."
        )
    more = "more" if first["difference"] > 0 else "less"
    low, high = sorted((abs(first["low"]), abs(first["high"])))
    return (
        f"Worst place: {first['place']}, {rounded(abs(first['difference']))} "
        f"[{rounded(low)}, {rounded(high)}] {more} than average "
        f"({counted(int(first['rows']), 'row')}, {per_cent(first['share'])}; "
        f"p = {found.places_p_value:.3g} for all combinations at once)."
    )


def report(found: "AttributesAudit", rules: tuple[RuleResult, ...] = ()) -> "Report":
    """The audit as a report: in short, together, then each attribute."""
    from frem_core.figures.audit import place_gaps
    from frem_core.report import Chart, Facts, Listing, Report, Section, Table

    first = next(iter(found.results.values()))
    together: list[Block] = []
    if not found.places.empty:
        together.append(
            Chart(
                place_gaps(found.places),
                caption="Combinations against the mean of all",
                alt=_worst_place(found),
                table=found.places,
                note="The intervals hold for all combinations at once.",
            )
        )
    together.append(
        Table(found.joint, caption=f"EIPM of {counted(found.joint_rows, 'row')} drawn at random")
    )
    sections = [
        Section(
            "In short",
            (
                Listing(sentences(found)),
                Table(attribute_table(found), caption="Each attribute, raw and beside the others"),
                *((Table(rule_table(rules), caption="Rules"),) if rules else ()),
            ),
        ),
        Section("All together", tuple(together)),
    ]
    for name, result in found.results.items():
        told = () if found.levels[name] else (Listing(sentences_of_one(result)),)
        sections.append(Section(f"Along {name}", (*told, _curve_chart(found, name))))
    sections.append(Section("How it was done", (Listing(first.notes), Facts(dict(first.settings)))))
    return Report(
        title=f"Audit of {found.title}",
        subtitle=f"{counted(first.rows, 'row')}; the prediction is a {first.kind}",
        sections=tuple(sections),
        data=found.to_dict(),
    )


def _curve_chart(found: "AttributesAudit", name: str) -> "Chart":
    from frem_core.figures.audit import audit_curves
    from frem_core.report import Chart

    result = found.results[name]
    raw, left = found.shown_curve(name), found.shown_curve(name, adjusted=True)
    return Chart(
        audit_curves(
            [("all", raw), ("alike in the other attributes", left)],
            sensitive_name=name,
            value_title=f"mean {result.prediction_name} (flat is fair)",
            level=result.overall,
        ),
        caption=f"Mean {result.prediction_name} along {name}",
        alt=f"Means run from {rounded(raw['mean'].min())} to {rounded(raw['mean'].max())}.",
        table=raw,
        note="Each band holds its whole curve at once; the dotted line is the mean.",
    )


def markdown(found: "AttributesAudit", rules: tuple[RuleResult, ...] = ()) -> str:
    """A section for a model card."""
    lines = [f"## Fairness of {cell(found.title)}", ""]
    lines += [f"- {cell(line)}" for line in sentences(found)]
    if rules:
        lines += ["", "| rule | decision | why |", "|---|---|---|"]
        lines += [f"| `{cell(r.rule)}` | {r.decision} | {cell(r.reason)} |" for r in rules]
    lines += [
        "",
        "| attribute | mean gap | p | left beside the others | p |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {cell(str(row['attribute']))} | {with_interval(row)} | {row['p_value']:.3g} | "
        f"{with_interval(row, '_left')} | {row['p_value_left']:.3g} |"
        for row in found.attributes.to_dict(orient="records")
    ]
    return "\n".join(lines) + "\n"
