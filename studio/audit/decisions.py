"""What an audit is for: rules that are kept or broken, scores repaired, documents to take along."""

import json
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from frem_core.audit import AuditResult, RuleResult
from frem_core.audit.document import rule_table
from frem_core.errors import FremError
from frem_core.figures import plain_text
from frem_core.figures.audit import repair_front
from frem_core.words import per_cent, rounded
from studio.chart import chart
from studio.guard import guard, show_error

_SIGNS: Final = {
    "kept": ":material/check_circle:",
    "broken": ":material/cancel:",
    "cannot be told": ":material/help:",
}


def _usual_rules(result: AuditResult) -> str:
    """Rules to begin with; a difference of 0.05 means nothing in dollars."""
    ratio = ["ratio>=0.8"] if "ratio" in set(result.scores["score"]) else []
    if result.kind == "number":
        return "\n".join(ratio or ["hgr<=0.2"])
    return "\n".join(["range<=0.05", *ratio])


@st.fragment
@guard()
def show_rules(result: AuditResult) -> None:
    """A field of rules, one per line, each with its verdict."""
    text = st.text_area(
        "Rules, one per line",
        value="\n".join(st.query_params.get_all("rule")) or _usual_rules(result),
        key="audit-rules",
        help="gdp<=0.02, range<=0.05 (no more than 0.05 between any two values), ratio>=0.8 (the "
        "four-fifths rule without groups), above 62 >= rest (nobody above 62 scores below the "
        "rest).",
    )
    rules = checked_rules(result, text)
    st.query_params["rule"] = [one.rule for one in rules]
    for one in rules:
        st.markdown(
            f"{_SIGNS[one.decision]} **{one.decision}**: `{one.rule.replace('`', '')}` · "
            f"{plain_text(one.reason, longest=None)}"
        )
    options = " ".join(f'--require "{one.rule}"' for one in rules)
    st.caption(
        "A rule is kept or broken only when the whole interval says so. In a terminal "
        f"`frem audit … {options}` exits with 1 when one is broken and 2 when one cannot be told."
    )


def checked_rules(result: AuditResult, text: str) -> tuple[RuleResult, ...]:
    """Results of the rules in some lines; those that cannot be read are shown as errors."""
    results = []
    for line in filter(None, map(str.strip, text.splitlines())):
        try:
            results.append(result.check(line))
        except FremError as error:
            show_error(str(error))
    return tuple(results)


@st.fragment
@guard()
def show_repair(result: AuditResult, costs: pd.DataFrame | None) -> None:
    """What moving scores along the attribute would cost."""
    st.warning(
        "A repair moves each score to what its rank among people of the same attribute has on "
        "average. It needs the attribute of every person at prediction time, which law or policy "
        "may forbid; training a fair model does not.",
        icon=":material/front_hand:",
    )
    if costs is None:
        st.info(
            "Decisions have no ranks to keep. Bring the scores behind them.", icon=":material/info:"
        )
        return
    strength = st.slider("Strength of the repair", 0.0, 1.0, 1.0, 0.1, key="audit-strength")
    row = costs.iloc[int(np.abs(costs["strength"] - strength).to_numpy().argmin())]
    before = costs.iloc[0]
    words = [
        f"Mean gap along the attribute: {rounded(before['gap'])} → **{rounded(row['gap'])}**",
        f"A score moves by **{rounded(row['moved'])}** on average; "
        f"{per_cent(row['crossed'], 1)} of people cross the threshold",
    ]
    if "error" in costs:
        words.append(f"Error: {rounded(before['error'], 4)} → **{rounded(row['error'], 4)}**")
    st.markdown("\n".join(f"- {one}" for one in words))
    chart(
        repair_front(costs, chosen=strength),
        costs,
        key="audit-repair",
        alt=f"A full repair leaves a gap of {rounded(costs['gap'].iloc[-1])}.",
        file_name="audit-repair",
    )
    st.caption(
        "To repair a file: `frem repair --dataset FILE --prediction COLUMN --sensitive COLUMN "
        f"--strength {strength:g} --output repaired.csv`"
    )


def show_documents(result: AuditResult) -> None:
    """The audit as a report, a section of a model card and data."""
    rules = checked_rules(result, "\n".join(st.query_params.get_all("rule")))
    if rules:
        st.dataframe(rule_table(rules), hide_index=True, alt="Rules in the documents")
    st.markdown("Everything above as a document; the rules of the tab before go along.")
    with st.container(horizontal=True):
        st.download_button(
            "Report (HTML)",
            data=lambda: result.report(rules).to_html(),
            file_name="audit.html",
            mime="text/html",
            key="audit-html",
            on_click="ignore",
            type="primary",
            icon=":material/description:",
        )
        st.download_button(
            "Model card section (Markdown)",
            data=lambda: result.to_markdown(rules),
            file_name="audit.md",
            mime="text/markdown",
            key="audit-markdown",
            on_click="ignore",
            icon=":material/article:",
        )
        st.download_button(
            "Numbers (JSON)",
            data=lambda: json.dumps(result.to_dict(), ensure_ascii=False, indent=2),
            file_name="audit.json",
            mime="application/json",
            key="audit-json",
            on_click="ignore",
            icon=":material/data_object:",
        )
