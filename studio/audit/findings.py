"""What an audit found: curve, cuts, errors, factors, rules, repair and documents."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import pandas as pd
import streamlit as st

from frem_core.audit import AttributesAudit, AuditResult
from frem_core.audit.document import (
    HOW_TO_READ,
    compared_scores,
    labelled_scores,
    side_by_side,
)
from frem_core.audit.error_curves import ERROR_LABELS
from frem_core.figures import plain_text
from frem_core.figures.audit import audit_curves, binning_gaps, cut_gaps
from frem_core.words import per_cent, rounded, with_interval
from studio.address import decimal_in_address
from studio.audit.decisions import show_documents, show_repair, show_rules
from studio.audit.together import show_together
from studio.chart import chart
from studio.guard import guard


class Found(NamedTuple):
    """One audit, and what a repair would cost; of several attributes all together as well."""

    title: str
    result: AuditResult
    costs: pd.DataFrame | None
    together: AttributesAudit | None = None


_EDGE: Final = 0.03  # share of the rows that a cut must leave on either side to be spoken of


def show_findings(found: Sequence[Found]) -> None:
    """Draws one audit, or two on the same axes."""
    together = found[0].together
    for name, one, *_ in found:
        if len(found) > 1:
            st.subheader(plain_text(name), anchor=False)
        st.markdown("\n".join(f"- {plain_text(line, longest=None)}" for line in one.sentences()))
        if one.notes:
            st.caption(" ".join(plain_text(line, longest=None) for line in one.notes))
    title, result, costs, _ = _chosen(found)
    names = ["Along the attribute", "Cut-off view", "Errors", "Factors", "Rules", "Repair"]
    tabs = st.tabs([*names, "Documents", *(["All attributes"] if together else [])])
    with tabs[0], guard():
        _show_curves(found)
    with tabs[1]:
        _show_cuts(title, result)
    with tabs[2], guard():
        _show_errors(found)
    with tabs[3], guard():
        _show_factors(result)
    with tabs[4]:
        show_rules(result)
    with tabs[5]:
        show_repair(result, costs)
    with tabs[6], guard():
        show_documents(result)
    if together is not None:
        with tabs[7], guard():
            show_together(together)


def _chosen(found: Sequence[Found]) -> Found:
    """The audit that everything but curves and errors is about: the only one, or one of two."""
    if len(found) == 1:
        return found[0]
    titles = [one.title for one in found]
    wanted = st.query_params.get("which", "")
    st.session_state["audit-which"] = titles.index(wanted) if wanted in titles else 0
    chosen = st.segmented_control(
        "Cut-off view, factors, rules, repair and documents of",
        range(len(found)),
        format_func=lambda place: plain_text(titles[place], longest=40),
        required=True,
        key="audit-which",
        on_change=lambda: st.query_params.update(
            {"which": titles[st.session_state["audit-which"]]}
        ),
    )
    return found[chosen or 0]


def _show_curves(found: Sequence[Found]) -> None:
    result = found[0][1]
    name = result.sensitive_name
    names = {one.prediction_name for _, one, *_ in found}
    figure = audit_curves(
        [(title, one.curve) for title, one, *_ in found],
        sensitive_name=name,
        value_title=f"mean {names.pop() if len(names) == 1 else 'prediction'} (flat is fair)",
        level=result.overall if len(found) == 1 else None,
    )
    tables = [one.curve.assign(audit=title) for title, one, *_ in found]
    chart(
        figure,
        pd.concat(tables, ignore_index=True),
        key="audit-curve",
        alt=result.sentences()[0],
        file_name="audit-curve",
    )
    st.caption(
        "The band holds the whole curve at once"
        + ("; the dotted line is the overall mean." if len(found) == 1 else ".")
    )
    # As tables that wrap: on a telephone the names alone would fill a grid.
    scores = (
        side_by_side([(plain_text(title), one.scores) for title, one, *_ in found])
        if len(found) > 1
        else _with_chance(result)
    )
    st.table(scores.set_index("what"), border="horizontal")
    st.caption(
        f"{HOW_TO_READ} No p is below {result.settings['smallest_p_value']:.3g}, the smallest that "
        f"{result.settings['n_permutations']:,} shuffles can give."
    )


def _with_chance(result: AuditResult) -> pd.DataFrame:
    """Scores of one audit beside what chance alone gives."""
    shown = labelled_scores(result.scores)
    return pd.DataFrame(
        {
            "what": shown["what"],
            f"value [{per_cent(result.settings['confidence'])} interval]": [
                with_interval(row) for row in shown.to_dict("records")
            ],
            "by chance": shown["chance"].map(rounded),
            "p": shown["p_value"].map("{:.3g}".format),
        }
    )


@st.fragment
@guard()
def _show_cuts(title: str, result: AuditResult) -> None:
    single, binned = result.cuts.single(), result.cuts.binned()
    name = result.sensitive_name
    cuts = single["cut"].tolist()
    wanted = decimal_in_address("cut")
    start = min(cuts, key=lambda one: abs(one - wanted)) if wanted is not None else None
    if start is None:
        start = cuts[int((single["rows_below"] - 0.5).abs().to_numpy().argmin())]
    st.session_state.setdefault("audit-cut", start)
    if st.session_state["audit-cut"] not in cuts:
        st.session_state["audit-cut"] = start
    cut = float(
        st.select_slider(
            f"Cut {plain_text(name, longest=40)} here",
            cuts,
            format_func=lambda one: rounded(one, 4),
            key="audit-cut",
            on_change=_take_cut,
        )
    )
    row = single.iloc[cuts.index(cut)]
    verdict = "significant" if row["p_value"] <= 0.05 else "not significant"
    fair = single[(single["rows_below"] > _EDGE) & (single["rows_below"] < 1 - _EDGE)]
    fair = fair if len(fair) else single
    largest = fair.iloc[int(fair["gap"].abs().to_numpy().argmax())]
    st.markdown(
        f"Cut at **{rounded(cut, 4)}**: gap **{rounded(row['gap'])}** [{rounded(row['low'])}, "
        f"{rounded(row['high'])}], {verdict}. Cut at {rounded(largest['cut'], 4)} it would be "
        f"{rounded(largest['gap'])}. A cut decides the verdict; the curve does not change."
    )
    left, right = st.columns(2, gap="large")
    with left:
        chart(
            audit_curves(
                [(title, result.curve)],
                sensitive_name=name,
                value_title=f"mean {result.prediction_name}",
                cut=cut,
            ),
            result.curve,
            key="audit-cut-curve",
            alt=f"The curve, and the two group means of a cut at {rounded(cut, 4)}.",
            file_name="audit-cut",
        )
    with right:
        chart(
            cut_gaps(single, sensitive_name=name, cut=cut, height=400),
            single,
            key="audit-cut-gaps",
            alt=f"Gaps of single cuts run from {rounded(single['gap'].min())} to "
            f"{rounded(single['gap'].max())}.",
            file_name="audit-cuts",
        )
    quiet = binned[binned["verdict"] != "significant"]
    st.markdown(
        f"**{len(quiet)} of {len(binned)}** ways of binning into 2 to 20 groups find no "
        "significant difference."
    )
    chart(
        binning_gaps(binned),
        binned,
        key="audit-binnings",
        alt=f"{len(quiet)} of {len(binned)} binnings find nothing significant.",
        file_name="audit-binnings",
    )


def _take_cut() -> None:
    st.query_params["cut"] = f"{st.session_state['audit-cut']:.10g}"


def _show_errors(found: Sequence[Found]) -> None:
    result = found[0][1]
    if not result.errors:
        st.info("Name the column of true outcomes to see errors here.", icon=":material/info:")
        return
    columns = st.columns(2, gap="large")
    for place, key in enumerate(result.errors):
        curves = [(title, one.errors[key]) for title, one, *_ in found if key in one.errors]
        with columns[place % 2]:
            st.markdown(f"**{ERROR_LABELS[key]}**")
            table = curves[0][1]
            chart(
                audit_curves(
                    curves,
                    sensitive_name=result.sensitive_name,
                    value_title="mean (flat is fair)",
                    height=320,
                ),
                pd.concat([one.assign(audit=title) for title, one in curves], ignore_index=True),
                key=f"audit-error-{key}",
                alt=f"Means run from {rounded(table['mean'].min())} to "
                f"{rounded(table['mean'].max())}.",
                file_name=f"audit-{key}",
            )


def _show_factors(result: AuditResult) -> None:
    if result.adjusted is None:
        st.info(
            "Choose legitimate factors among the columns of a file to see what dependence is left "
            "between people alike in them.",
            icon=":material/info:",
        )
        return
    chart(
        audit_curves(
            [("all", result.curve), ("alike in the factors", result.adjusted)],
            sensitive_name=result.sensitive_name,
            value_title=f"mean {result.prediction_name} (flat is fair)",
        ),
        pd.concat(
            [result.curve.assign(curve="all"), result.adjusted.assign(curve="alike")],
            ignore_index=True,
        ),
        key="audit-factors",
        alt=result.sentences()[-1],
        file_name="audit-factors",
    )
    st.table(compared_scores(result).set_index("what"), border="horizontal")
    st.caption("Each value with its interval. The bands hold the whole curves at once.")
