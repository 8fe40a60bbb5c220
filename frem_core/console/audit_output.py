"""An audit on the terminal, as JSON and as JUnit XML."""

import json
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from frem_core.console.terminal import results
from frem_core.words import counted, per_cent, rounded

if TYPE_CHECKING:
    import pandas as pd

    from frem_core.audit import AuditResult, RuleResult
    from frem_core.console.audited import Audited

_SHOWN_FEATURES = 10


def json_text(
    audited: "Audited",
    result: "AuditResult",
    rules: "tuple[RuleResult, ...]",
) -> str:
    """Everything an audit found, for machines."""
    facts = result.to_dict()
    permutations = result.settings["n_permutations"]
    for name, score in facts["scores"].items():
        upper = result.nulls[name][0]
        beyond = score["value"] < upper if name == "ratio" else score["value"] > upper
        score.update(
            mean=score["chance"],
            upper=upper,
            share=0.95,
            n_permutations=permutations,
            beyond_chance=bool(beyond),
        )
    facts.update(
        subject=audited.title,
        requirements=[vars(rule) for rule in rules],
        eipm_test={
            **result.settings["eipm"],
            "p_value": facts["scores"]["eipm"]["p_value"],
        },
    )
    return json.dumps(facts, ensure_ascii=False, indent=2)


def junit_text(title: str, rules: "tuple[RuleResult, ...]") -> str:
    """The rules as test cases: broken ones fail, those that cannot be told are errors."""
    from xml.etree import ElementTree

    broken = sum(rule.decision == "broken" for rule in rules)
    unclear = sum(rule.decision == "cannot be told" for rule in rules)
    suite = ElementTree.Element(
        "testsuite",
        name=f"frem audit: {title}",
        tests=str(len(rules)),
        failures=str(broken),
        errors=str(unclear),
    )
    for rule in rules:
        case = ElementTree.SubElement(suite, "testcase", classname="frem.audit", name=rule.rule)
        if rule.decision != "kept":
            kind = "failure" if rule.decision == "broken" else "error"
            ElementTree.SubElement(case, kind, message=rule.reason)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, "unicode")


def show_audit(
    audited: "Audited",
    result: "AuditResult",
    rules: "tuple[RuleResult, ...]",
) -> None:
    """Prints sentences, scores and rules for people."""
    console = results()
    rows = counted(result.rows, "row")
    about = f"{audited.title}: {rows}, sensitive attribute {audited.sensitive_name}"
    console.print(escape(about[0].upper() + about[1:]))
    for line in (*result.notes, *result.sentences()):
        console.print(f"• {escape(line)}")
    console.print(_score_table(audited, result, of_metrics=False))
    console.print(_score_table(audited, result, of_metrics=True))
    show_rules(rules)
    p_value = result.score("eipm")["p_value"]
    console.print(f"Permutation test of EIPM: p = {p_value:.3g}{_at_its_floor(p_value, result)}.")
    if result.settings["eipm"]["noise"] == "removed":
        console.print("EIPM is without the noise of small samples; chance may put it below 0.")
    if result.features is not None:
        shown = result.features.head(_SHOWN_FEATURES)
        console.print(_feature_table(shown, audited.sensitive_name))


def show_rules(rules: "tuple[RuleResult, ...]") -> None:
    """Prints what became of each rule."""
    for rule in rules:
        results().print(escape(f"{rule.decision.upper()}: {rule.rule} ({rule.reason})"))


def _at_its_floor(p_value: float, result: "AuditResult") -> str:
    """Says so where no smaller p-value was possible."""
    floor = float(result.settings["smallest_p_value"])
    if p_value > floor * (1 + 1e-9):
        return ""
    shuffles = round(1 / floor) - 1
    return f", the smallest that {shuffles:,} shuffles can give; more of them could give less"


def _score_table(audited: "Audited", result: "AuditResult", *, of_metrics: bool) -> Table:
    """What is read off curves, or the scores that other programs know, with a verdict."""
    from frem_core.audit.document import SCORE_LABELS
    from frem_core.evaluation import available_scores, get_score

    metrics = {name: get_score(name) for name in available_scores()}
    table = Table(title=None if of_metrics else escape(f"Along {result.sensitive_name}"))
    headings = ["score (lower is fairer)" if of_metrics else "what", "value"]
    headings += [f"{per_cent(result.settings['confidence'])} interval", "by chance", "p"]
    for heading in (*headings, *(["verdict"] if of_metrics else [])):
        table.add_column(heading, justify="left" if heading[0] in "swv" else "right")
    for row in result.scores.to_dict(orient="records"):
        name = str(row["score"])
        if (name in metrics) != of_metrics:
            continue
        label = SCORE_LABELS.get(name, name)
        if of_metrics and not (name == "eipm" and audited.is_column):
            label = f"{metrics[name].label}, {metrics[name].symbol}"
        beyond = row["value"] > result.nulls[name][0]
        verdict = "more than chance" if beyond else "no more than chance"
        table.add_row(
            label,
            rounded(row["value"], 4),
            f"{rounded(row['low'], 4)} – {rounded(row['high'], 4)}",
            rounded(row["chance"], 4),
            f"{row['p_value']:.3g}",
            *([verdict] if of_metrics else []),
        )
    return table


def _feature_table(ranking: "pd.DataFrame", sensitive: str) -> Table:
    table = Table(title=escape(f"Features that tell most about {sensitive}"))
    table.add_column("feature")
    table.add_column("strength (0–1)", justify="right")
    table.add_column("direction")
    for row in ranking.itertuples(index=False):
        table.add_row(escape(str(row.feature)), f"{row.strength:.2f}", str(row.direction))
    return table
