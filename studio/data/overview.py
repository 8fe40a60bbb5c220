"""The chosen dataset at a glance: size, ranges, rows, columns, and by which notion it is judged."""

from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from frem_core.datasets import Dataset, dataset_card
from frem_core.datasets.tables.sensitive_column import FEW_DISTINCT
from frem_core.figures import plain_text, shown_text, spreadsheet_csv
from frem_core.words import in_units, per_cent
from studio.choice import Choice, change
from studio.data.attributes import show_attributes
from studio.data.bias import show_bias
from studio.data.choose import show_too_few
from studio.data.columns import show_columns_form
from studio.data.reliability import gamma_for_training, show_reliability
from studio.link import page_link
from studio.loading import columns_of, load_choice
from studio.tables import shown_dates
from studio.words import target_title, the_sensitive, the_target, with_column

_PREVIEW_ROWS = 200
_NOTIONS: Final = {
    "dp": "Everyone alike (demographic parity)",
    "eo": "Those with a positive outcome alike (equal opportunity)",
}


def show_dataset(choice: Choice | None) -> None:
    """Draws everything below the cards."""
    if choice is None:
        return
    if choice.table_id is not None:
        if show_too_few(choice.table_id):
            return
        show_columns_form(choice)
    if choice.is_complete:
        dataset = load_choice(choice)
        _show_overview(choice, dataset)
        _show_judging(choice, dataset)
        _show_next_step(choice, dataset, key="next-step")
        show_attributes(dataset)
        show_bias(choice, dataset)
        show_reliability(choice, dataset)
        _show_next_step(choice, dataset, key="next-step-below")


def _show_overview(choice: Choice, dataset: Dataset) -> None:
    """Draws the metrics row, a preview of rows and the table of columns."""
    title = dataset_card(dataset.preset).title if dataset.preset else dataset.name
    st.header(plain_text(title), anchor=False)
    st.markdown(
        f"Predicts **{plain_text(with_column(the_target(dataset), dataset.target_name))}**; the "
        "prediction should not follow "
        f"**{plain_text(with_column(the_sensitive(dataset), dataset.sensitive_name))}**"
        + "".join(f" and **{plain_text(name)}**" for name in _further(dataset))
        + "."
    )
    if dataset.preset:
        st.caption(plain_text(dataset.description, longest=None))
    _show_metrics(dataset)
    count = len(np.unique(dataset.sensitive))
    if count < FEW_DISTINCT:
        st.warning(
            f"**{plain_text(dataset.sensitive_name)}** has {count} different values only. Between "
            "them nothing is known, so what is drawn along it are steps.",
            icon=":material/stairs:",
        )
    rows, columns, changes = st.tabs(["First rows", "Columns", "What was changed and why"])
    with rows:
        _show_rows(dataset)
    with columns:
        _show_columns(columns_of(choice.data, dataset))
    with changes:
        for note in dataset.notes:
            st.markdown(f"- {plain_text(note, longest=None)}")
        if not dataset.notes:
            st.markdown("Nothing: every row and every column is used as it is.")


def _further(dataset: Dataset) -> list[str]:
    """Sensitive attributes beside the first."""
    names = () if dataset.attributes is None else dataset.attributes.names
    return [name for name in names if name != dataset.sensitive_name]


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
            _task_words(dataset),
            help="Yes or no and classes are a classification, a number is a regression.",
        )
        _show_target_metric(dataset)
        st.metric(
            "Sensitive range",
            f"{_in_short(low)} to {_in_short(high)}",
            help=f"Smallest and largest {plain_text(the_sensitive(dataset))}, in its own units.",
        )


def _task_words(dataset: Dataset) -> str:
    if dataset.task == "regression":
        return "Number"
    return "Yes or no" if dataset.n_classes == 2 else f"{dataset.n_classes} classes"


def _show_target_metric(dataset: Dataset) -> None:
    mean, target = dataset.outcome.mean(), plain_text(the_target(dataset))
    if dataset.class_names is None:
        st.metric("Mean outcome", _in_short(mean), help=f"Mean of {target} over all rows.")
    else:
        positive = plain_text(dataset.class_names[1])
        label = "Positive rate" if dataset.n_classes == 2 else f"Share of {positive}"
        st.metric(label, per_cent(mean, 1), help=f"Share of rows with {target} {positive}.")


def _show_rows(dataset: Dataset) -> None:
    preview = preview_rows(dataset)
    st.caption(
        f"The first {len(preview):,} of {dataset.n_rows:,} rows: the target, the sensitive "
        f"{'attributes' if _further(dataset) else 'attribute'}, then the features."
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
    """The first rows with target and sensitive attributes in front."""
    further: dict[str, pd.Series] = {}
    if dataset.attributes is not None:
        some = dataset.attributes.of(slice(_PREVIEW_ROWS))
        shown = some.shown(some.values)
        further = {name: shown[name] for name in _further(dataset)}
    target = pd.Series(dataset.target[:_PREVIEW_ROWS])
    if dataset.class_names is not None:
        target = target.map(dict(enumerate(dataset.class_names)))
    leading = {
        dataset.target_name: target,
        dataset.sensitive_name: pd.Series(dataset.sensitive[:_PREVIEW_ROWS]),
        **further,
    }
    features = dataset.features.head(_PREVIEW_ROWS).reset_index(drop=True)
    for name, kind in dataset.kinds.items():
        if kind == "date":
            features[name] = shown_dates(pd.to_datetime(features[name], unit="D"))
    return pd.concat([pd.DataFrame(leading), features], axis=1)


def _show_columns(table: pd.DataFrame) -> None:
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


def _in_short(value: float) -> str:
    return in_units(value, 4)


def _show_judging(choice: Choice, dataset: Dataset) -> None:
    """Draws the choice of the fairness notion and, for a user's table, of the positive class."""
    if dataset.class_names is None:
        st.caption(
            "Fairness is judged over all rows (demographic parity): equal opportunity needs a "
            "target with two classes."
        )
        return
    with st.container(horizontal=True, gap="large", key="judging"):
        if choice.table_id is not None:
            _choose_positive(choice, dataset.class_names)
        if dataset.n_classes == 2:
            _choose_notion(choice, dataset)
    if dataset.n_classes > 2:
        st.caption(
            "Fairness is judged over all rows (demographic parity), for each class against all "
            "others; equal opportunity needs a target with two classes."
        )


def _choose_positive(choice: Choice, class_names: tuple[str, ...]) -> None:
    names = sorted(class_names)
    two = len(names) == 2
    key = f"positive-{choice.dataset}-{choice.data.target}-{class_names[1]}"
    st.segmented_control(
        f"{'Positive outcome' if two else 'Class to show'} of "
        f"{plain_text(choice.data.target, longest=30)}",
        names,
        default=class_names[1],
        required=True,
        format_func=shown_text,
        key=key,
        on_change=lambda: change(choice.with_data(positive_class=st.session_state[key])),
        help="The outcome whose probability is predicted. Accuracy is the same either way; the "
        "positive rate and equal opportunity are about this one."
        if two
        else "Charts show this class against all others. Models predict the probability of every "
        "class, and scores are means over all of them.",
    )


def _choose_notion(choice: Choice, dataset: Dataset) -> None:
    assert dataset.class_names is not None
    key = f"fairness-{choice.dataset}-{choice.fairness}"
    st.segmented_control(
        "Who is to be treated alike",
        list(_NOTIONS),
        default=choice.fairness,
        required=True,
        format_func=_NOTIONS.__getitem__,
        key=key,
        on_change=lambda: change(replace(choice, fairness=st.session_state[key])),
        help="Demographic parity: predictions must not follow the sensitive attribute among all "
        "rows, E[ŷ | S = s] = E[ŷ]. Equal opportunity: the same among the rows with "
        f"{plain_text(target_title(dataset))} = {plain_text(dataset.class_names[1])} only. "
        "Training starts with this notion.",
    )


def _show_next_step(choice: Choice, dataset: Dataset, *, key: str) -> None:
    """Draws the links to the pages that use the dataset.

    Args:
        choice: what was chosen.
        dataset: the data itself.
        key: unique on the page.
    """
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=key):
        st.markdown("**Next:** see what fairness costs on this data.")
        page_link(
            "pages/2_Train.py",
            "Train models on it",
            icon=":material/model_training:",
            choice=choice,
            gamma=f"{gamma_for_training(choice, dataset):g}",
        )
        page_link(
            "pages/6_Ablations.py",
            "Test the choices behind FREM",
            icon=":material/science:",
            choice=choice,
        )
