"""A dataset at a glance: size, task, ranges, rows, columns and what was changed."""

import numpy as np
import pandas as pd
import streamlit as st

from frem_core.datasets import Dataset, dataset_card
from frem_core.figures import plain_text, spreadsheet_csv
from studio.words import the_sensitive, the_target, with_column

_PREVIEW_ROWS = 200


def show_overview(dataset: Dataset) -> None:
    """Draws the metrics row, a preview of rows and the table of columns."""
    title = dataset_card(dataset.preset).title if dataset.preset else dataset.name
    st.header(plain_text(title), anchor=False)
    st.markdown(
        f"Predicts **{plain_text(with_column(the_target(dataset), dataset.target_name))}**; the "
        "prediction should not follow "
        f"**{plain_text(with_column(the_sensitive(dataset), dataset.sensitive_name))}**."
    )
    if dataset.preset:
        st.caption(plain_text(dataset.description, longest=None))
    _show_metrics(dataset)
    rows, columns, changes = st.tabs(["First rows", "Columns", "What was changed and why"])
    with rows:
        _show_rows(dataset)
    with columns:
        _show_columns(dataset)
    with changes:
        for note in dataset.notes:
            st.markdown(f"- {plain_text(note, longest=None)}")
        if not dataset.notes:
            st.markdown("Nothing: every row and every column is used as it is.")


def _show_metrics(dataset: Dataset) -> None:
    low, high = dataset.sensitive.min(), dataset.sensitive.max()
    count = 5 if dataset.graph is None else 6
    with st.grid(count, min_column_width=150, border=True, key="metrics"):
        st.metric("Rows", f"{dataset.n_rows:,}")
        st.metric("Features", f"{dataset.features.shape[1]:,}")
        if dataset.graph is not None:
            st.metric(
                "Edges",
                f"{dataset.graph.n_edges:,}",
                help="Pairs of rows that are joined. Graph networks also look at a row's "
                "neighbours.",
            )
        st.metric(
            "Task",
            "Yes or no" if dataset.task == "classification" else "Number",
            help="Yes or no is a classification, a number is a regression.",
        )
        _show_target_metric(dataset)
        st.metric(
            "Sensitive range",
            f"{low:.4g} to {high:.4g}",
            help=f"Smallest and largest {plain_text(the_sensitive(dataset))}, in its own units.",
        )


def _show_target_metric(dataset: Dataset) -> None:
    mean, target = dataset.target.mean(), plain_text(the_target(dataset))
    if dataset.class_names is None:
        st.metric("Mean outcome", f"{mean:.4g}", help=f"Mean of {target} over all rows.")
    else:
        positive = plain_text(dataset.class_names[1])
        st.metric("Positive rate", f"{mean:.1%}", help=f"Share of rows with {target} {positive}.")


def _show_rows(dataset: Dataset) -> None:
    preview = preview_rows(dataset)
    st.caption(
        f"The first {len(preview):,} of {dataset.n_rows:,} rows: the target, the sensitive "
        "attribute, then the features."
    )
    st.dataframe(preview, hide_index=True, height=320, alt="First rows of the dataset")
    st.download_button(
        "Download these rows as CSV",
        data=lambda: spreadsheet_csv(preview),
        file_name="first-rows.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        key="rows-csv",
    )


def preview_rows(dataset: Dataset) -> pd.DataFrame:
    """The first rows with target and sensitive attribute in front."""
    target = pd.Series(dataset.target[:_PREVIEW_ROWS])
    if dataset.class_names is not None:
        target = target.map(dict(enumerate(dataset.class_names)))
    leading = {
        dataset.target_name: target,
        dataset.sensitive_name: pd.Series(dataset.sensitive[:_PREVIEW_ROWS]),
    }
    features = dataset.features.head(_PREVIEW_ROWS).reset_index(drop=True)
    return pd.concat([pd.DataFrame(leading), features], axis=1)


def _show_columns(dataset: Dataset) -> None:
    table = describe_columns(dataset)
    st.dataframe(table, hide_index=True, height=320, alt="Type and range of each feature")
    st.download_button(
        "Download this list as CSV",
        data=lambda: spreadsheet_csv(table),
        file_name="columns.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        key="columns-csv",
    )


def describe_columns(dataset: Dataset) -> pd.DataFrame:
    """One row per feature: its type, distinct values, gaps and range or most frequent value."""
    rows = []
    for name, column in dataset.features.items():
        numeric = pd.api.types.is_numeric_dtype(column)
        known = column.dropna()
        if known.empty:
            content = ""
        elif numeric:
            low, high = float(np.min(known)), float(np.max(known))
            content = f"{low:.4g} to {high:.4g}"
        else:
            content = f"mostly {known.mode().iloc[0]}"
        rows.append(
            {
                "column": name,
                "type": "number" if numeric else "category",
                "distinct values": column.nunique(),
                "missing": int(column.isna().sum()),
                "content": content,
            }
        )
    return pd.DataFrame(rows)
