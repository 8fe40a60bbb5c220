"""The Predict page: a model, a table of new rows, and what the model says about them."""

import io
from typing import Any, Final

import pandas as pd
import streamlit as st

from frem_core.errors import DataError
from frem_core.estimators import TablePredictor
from frem_core.figures import plain_text, shown_text, spreadsheet_csv
from frem_core.model_package import Predictions, load_model, predict_table
from frem_core.model_package.of_run import has_model, run_model
from frem_core.words import counted, in_units
from studio.guard import guard
from studio.store import names_of, store_of

_LARGEST: Final = 60_000_000
_SHOWN: Final = 200
_TYPES: Final = ["csv", "tsv", "txt", "gz", "parquet", "xlsx", "xlsm"]


def show_predict() -> None:
    """Draws the choice of a model and of a table, and the predictions."""
    model = _choose_model()
    if model is None:
        return
    _show_columns(model)
    given = st.file_uploader(
        f"Table with new rows (at most {_LARGEST // 10**6} MB)",
        type=_TYPES,
        key="predict-table",
        help="CSV, TSV, Parquet or Excel. The sensitive attribute is not needed.",
    )
    if given is None:
        return
    if given.size > _LARGEST:
        raise DataError(
            "This file is too large for a page. In a terminal any size works: frem predict "
            f"model.zip {given.name} -o predictions.csv"
        )
    with st.spinner("Predicting …"):
        answer = predict_table(model, _named(given.getvalue(), given.name))
    _show_answer(answer, given.name)


def _named(content: bytes, name: str) -> io.BytesIO:
    file = io.BytesIO(content)
    file.name = name
    return file


def _choose_model() -> TablePredictor | None:
    sweep, run = st.query_params.get("sweep", ""), st.query_params.get("run", "")
    if sweep and run:
        with guard():
            found = _of_run(sweep, run)
            if found is not None:
                return found
    given = st.file_uploader(
        "Model (a zip from “Download this model” or `frem train --save model.zip`)",
        type=["zip"],
        key="predict-model",
    )
    if given is None:
        st.caption(
            "A model is downloaded from a run on Train, Trade-offs or Compare; the link beside "
            "that button brings it here without a download."
        )
        return None
    return _uploaded(given.getvalue())


def _of_run(sweep: str, run: str) -> TablePredictor | None:
    names = names_of(sweep)
    own = [name for name in names if name.startswith(run)]
    if len(own) != 1:
        raise DataError("The address names no run of this sweep; it may have been deleted.")
    if not has_model(store_of(sweep), own[0]):
        raise DataError(
            "Only the scores of this run are kept, not its weights; train it again where you "
            "found it, or upload a model below."
        )
    st.markdown(f"Model: **{plain_text(names[own[0]], longest=120)}**")
    st.button("Use another model", key="predict-other", on_click=_forget, icon=":material/close:")
    return _stored(sweep, own[0])


def _forget() -> None:
    for name in ("sweep", "run"):
        st.query_params.pop(name, None)


# A finished run never changes, so what was read once can be kept.
@st.cache_resource(max_entries=8, show_spinner="Reading the model …")
def _stored(sweep: str, run: str) -> TablePredictor:
    return run_model(store_of(sweep), run, sweep=sweep).predictor


@st.cache_resource(max_entries=8, show_spinner="Reading the model …")
def _uploaded(content: bytes) -> TablePredictor:
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        file = Path(folder) / "model.zip"
        file.write_bytes(content)
        return load_model(file)


def _show_columns(model: TablePredictor) -> None:
    columns = model.encoding.columns
    with st.expander(f"Reads {counted(len(columns), 'column')}", icon=":material/view_column:"):
        rows = []
        for column in columns:
            levels = getattr(column, "levels", None)
            rows.append(
                {
                    "Column": column.name,
                    "Holds": "categories" if levels is not None else column.kind,  # type: ignore[union-attr]
                    "In training": shown_text(", ".join(levels), longest=120)
                    if levels is not None
                    else _span(column),
                }
            )
        st.dataframe(pd.DataFrame(rows), hide_index=True, alt="Columns that the model reads")


def _span(column: Any) -> str:
    """From the smallest to the largest value of a column of numbers or dates."""
    ends = (column.scale.low, column.scale.high)
    if column.kind == "date":
        return " to ".join(f"{pd.Timestamp(end, unit='D'):%Y-%m-%d}" for end in ends)
    return " to ".join(in_units(end, 4) for end in ends)


def _show_answer(answer: Predictions, name: str) -> None:
    st.header(f"Predictions for {counted(len(answer.frame), 'row')}", anchor=False)
    if answer.notes:
        show = st.warning if answer.unseen else st.info
        bullet = "- " if len(answer.notes) > 1 else ""
        lines = (f"{bullet}{plain_text(note, longest=None)}" for note in answer.notes)
        show("\n".join(lines), icon=":material/info:")
    if answer.unseen:
        table = pd.DataFrame(
            [
                (column, value, rows)
                for column, values in answer.unseen.items()
                for value, rows in values.items()
            ],
            columns=["Column", "Never seen in training", "Rows"],
        )
        st.dataframe(table, hide_index=True, alt="Categories that no training row had")
    st.dataframe(
        answer.frame.head(_SHOWN),
        hide_index=True,
        alt=f"The first {_SHOWN} predictions",
        height=300,
        width="content",
    )
    if len(answer.frame) > _SHOWN:
        st.caption(f"The first {_SHOWN} of {len(answer.frame):,} rows; all are in the file.")
    st.download_button(
        "Download predictions as CSV",
        data=lambda: spreadsheet_csv(answer.frame),
        file_name=f"predictions-{name.rsplit('.', 1)[0]}.csv",
        mime="text/csv",
        key="predict-csv",
        on_click="ignore",
        type="primary",
        icon=":material/download:",
    )
