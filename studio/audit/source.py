"""What to audit: predictions in a file, with what its columns mean, or a trained run."""

from dataclasses import replace
from typing import Final

import streamlit as st

from frem_core.figures import plain_text, shown_text
from frem_core.words import counted
from studio.audit.order import FEWEST_ROWS, AuditOrder, usual_columns
from studio.audit.positive import choice_of_positive
from studio.audit.runs import place, show_runs
from studio.guard import guard, show_error
from studio.reading import find_job, start_reading
from studio.rights import may_author
from studio.tables import find_table, is_kept, load_sample, the_tables, where_tables_stay

_SOURCES: Final = {"file": "Predictions in a file", "run": "A trained run"}
_EVERY: Final = 1.0
_ERROR: Final = "audit-upload-error"
_NONE: Final = "(none)"
_OF_A_TABLE: Final = (
    "prediction",
    "sensitive",
    "target",
    "positive",
    "weight",
    "factor",
    "further",
    "with",
    "which",
)


def show_source() -> list[AuditOrder]:
    """Draws the choice; returns what to audit, one or two, or nothing yet."""
    source = "run" if "run" in st.query_params or st.query_params.get("from") == "run" else "file"
    st.session_state["audit-source"] = source
    st.segmented_control(
        "What to audit",
        list(_SOURCES),
        format_func=_SOURCES.__getitem__,
        required=True,
        key="audit-source",
        on_change=_take_source,
    )
    return show_runs() if source == "run" else _show_file()


def _take_source() -> None:
    st.query_params.clear()
    if st.session_state["audit-source"] == "run":
        st.query_params["from"] = "run"


def _show_file() -> list[AuditOrder]:
    reading = st.query_params.get("reading")
    if reading:
        _show_reading(reading)
        return []
    table = st.query_params.get("table", "")
    chosen = bool(table) and is_kept(table)
    if table and not chosen:
        show_error("The table in the address is not kept here any more. Upload it again.")
    label = f"File: {shown_text(find_table(table).name)}" if chosen else "Choose a file"
    with st.expander(
        label, expanded=not chosen, icon=":material/upload_file:", key=f"audit-file-{chosen}"
    ):
        _show_upload()
    if chosen and find_table(table).rows < FEWEST_ROWS:
        show_error(
            f"{find_table(table).name} has {counted(find_table(table).rows, 'row')}; "
            f"an audit needs {FEWEST_ROWS} at least. Choose a file with more rows."
        )
        return []
    return _show_columns(table) if chosen else []


def _show_upload() -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            "One row per person: what the model predicted, the attribute it should not follow and, "
            "where known, what turned out to be true."
        )
        st.caption(where_tables_stay())
        kept = [one for one in the_tables().list() if one.kind == "table"]
        if kept:
            names = {one.id: f"{one.name} ({one.rows:,} rows)" for one in kept}
            st.selectbox(
                "Tables kept on this computer",
                list(names),
                index=None,
                format_func=lambda one: shown_text(names[one]),
                placeholder="Open a table again",
                key="audit-kept",
                on_change=_take_kept,
            )
    with right:
        if not may_author():
            st.info("Authors bring tables; you look at results.", icon=":material/visibility:")
            return
        turn = st.session_state.setdefault("audit-turn", 0)
        upload = st.file_uploader(
            f"CSV, TSV, Parquet or Excel file, up to {st.get_option('server.maxUploadSize')} MB",
            key=f"audit-upload-{turn}",
        )
        if st.session_state.get(_ERROR):
            show_error(st.session_state[_ERROR], title="This file cannot be used")
        if upload is not None:
            job = start_reading(upload)
            st.session_state["audit-turn"] = turn + 1
            st.session_state.pop(_ERROR, None)
            st.query_params.clear()
            st.query_params["reading"] = job.id
            st.rerun()


def _take_kept() -> None:
    chosen = st.session_state["audit-kept"]
    st.query_params.clear()
    if chosen:
        st.query_params["table"] = chosen


@st.fragment(run_every=_EVERY)
@guard()
def _show_reading(job_id: str) -> None:
    job = find_job(job_id)
    if job is None or job.is_over:
        st.query_params.pop("reading", None)
        if job is not None and job.state == "done":
            st.query_params["table"] = job.id
        else:
            st.session_state[_ERROR] = job.message if job else "Reading was interrupted."
        st.rerun()
    st.progress(min(job.share, 1.0), text=f"Reading {plain_text(job.name, longest=40)}")


def _show_columns(table: str) -> list[AuditOrder]:
    sample = load_sample(table)
    columns = [str(name) for name in sample.columns]
    guess = usual_columns(columns, sample)
    given = {role: st.query_params.get(role, "") for role in ("prediction", "sensitive")}
    complete = all(name in columns for name in given.values())
    with (
        st.expander(
            "What the columns mean",
            expanded=not complete,
            icon=":material/view_column:",
            key=f"audit-columns-{complete}",
        ),
        st.form("audit-columns", border=False),
    ):
        first, second, third = st.columns(3)
        optional = [_NONE, *columns]

        def now(role: str) -> str:
            name = st.query_params.get(role, "" if complete else guess.get(role, ""))
            return name if name in columns else _NONE

        prediction = first.selectbox(
            "Prediction",
            columns,
            index=place(columns, now("prediction")),
            format_func=shown_text,
            help="A probability, a decision (0/1 or two words) or a number.",
        )
        sensitive = second.selectbox(
            "Sensitive attribute (S)",
            columns,
            index=place(columns, now("sensitive")),
            format_func=shown_text,
            help="The number that predictions should not follow, such as age.",
        )
        target = third.selectbox(
            "True outcome, if known",
            optional,
            index=place(optional, now("target")),
            format_func=shown_text,
            help="Shows errors and calibration along the attribute.",
        )
        positive = third.selectbox(**choice_of_positive(sample))
        weight = first.selectbox(
            "Weight of a row, if any",
            optional,
            index=place(optional, now("weight")),
            format_func=shown_text,
        )
        factors = second.multiselect(
            "Legitimate factors",
            columns,
            default=[one for one in st.query_params.get_all("factor") if one in columns],
            format_func=shown_text,
            help="Columns in which people may differ: what is left between people alike in them.",
        )
        further = first.multiselect(
            "Further sensitive attributes",
            columns,
            default=[one for one in st.query_params.get_all("further") if one in columns],
            format_func=shown_text,
            help="Each is audited by itself and beside the others, then all combinations together.",
        )
        other = second.selectbox(
            "Compare with",
            [_NONE, *_others(table, columns)],
            index=place([_NONE, *_others(table, columns)], st.query_params.get("with", "")),
            format_func=_other_name,
            help="Another column of predictions, or the same columns of another file: another "
            "model, or another date.",
        )
        if st.form_submit_button("Audit", type="primary", icon=":material/fact_check:"):
            of_column, positive_class = positive
            if positive_class and of_column not in (prediction, target):
                show_error(
                    f"The positive class is one of '{of_column}', which is neither prediction nor "
                    "true outcome. Choose a class of one of these, or leave it as it is."
                )
                return []
            chosen = {
                "prediction": prediction,
                "sensitive": sensitive,
                "target": target,
                "positive": positive_class,
                "weight": weight,
                "with": other,
            }
            for role in _OF_A_TABLE:
                st.query_params.pop(role, None)
            st.query_params.update({k: v for k, v in chosen.items() if v and v != _NONE})
            if factors:
                st.query_params["factor"] = factors
            if further:
                st.query_params["further"] = further
            st.rerun()
    return _orders(table, columns) if complete else []


def _orders(table: str, columns: list[str]) -> list[AuditOrder]:
    def named(role: str) -> str:
        name = st.query_params.get(role, "")
        return name if name in columns else ""

    file = find_table(table).name
    kind, _, what = st.query_params.get("with", "").partition(":")
    first = AuditOrder(
        title=file if kind == "table" else named("prediction"),
        prediction=named("prediction"),
        sensitive=named("sensitive"),
        table=table,
        target=named("target"),
        positive=st.query_params.get("positive", ""),
        weight=named("weight"),
        factors=tuple(name for name in st.query_params.get_all("factor") if name in columns),
        further=tuple(
            name
            for name in st.query_params.get_all("further")
            if name in columns and name not in (named("sensitive"), named("prediction"))
        ),
    )
    if kind == "column" and what in columns and what != first.prediction:
        return [first, replace(first, title=what, prediction=what, further=())]
    if kind == "table" and is_kept(what):
        other = find_table(what).name
        title = other if other != file else f"{other} (second)"
        return [first, replace(first, title=title, table=what, further=())]
    return [first]


def _others(table: str, columns: list[str]) -> list[str]:
    tables = [one for one in the_tables().list() if one.kind == "table" and one.id != table]
    return [f"column:{name}" for name in columns] + [f"table:{one.id}" for one in tables]


def _other_name(choice: str) -> str:
    kind, _, what = choice.partition(":")
    if kind == "table":
        return f"File {shown_text(find_table(what).name)}"
    return f"Column {shown_text(what)}" if kind == "column" else shown_text(choice)
