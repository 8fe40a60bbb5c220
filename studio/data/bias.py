"""How a dataset differs along its sensitive attribute, before any model is trained."""

from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from frem_core.audit import (
    QuantileGroups,
    box_statistics,
    histogram,
    level_shares,
    outcome_by_group,
)
from frem_core.datasets import Dataset
from frem_core.figures import (
    dependence_bars,
    group_boxes,
    group_shares,
    outcome_along_s,
    plain_text,
    sensitive_histogram,
    shown_text,
)
from frem_core.words import in_units, per_cent
from studio.address import names_in_address, number_in_address, to_address
from studio.chart import chart, kept
from studio.choice import Choice
from studio.guard import guard
from studio.loading import groups_of, ranking_of
from studio.words import sensitive_title, target_title, the_sensitive

# The columns in which the paper shows the bias of Communities and Crime.
_PAPER_COLUMNS = ("PctKids2Par", "PctPopUnderPov", "PctHousOccup")
_FEWEST_GROUPS, _MOST_GROUPS, _USUAL_GROUPS = 2, 20, 5
_PANEL_WIDTH = 290
_MOST_PANELS = 12


@st.fragment
@guard()
def show_bias(choice: Choice, dataset: Dataset) -> None:
    """Draws the distribution of S, the outcome along it, chosen columns and the ranking."""
    name = plain_text(the_sensitive(dataset), longest=40)
    st.header(f"How the data differs along {name}", anchor=False)
    key = f"groups-{choice.dataset}"
    n_groups = st.slider(
        f"Groups along {name}",
        _FEWEST_GROUPS,
        _MOST_GROUPS,
        number_in_address("groups", default=_USUAL_GROUPS, low=_FEWEST_GROUPS, high=_MOST_GROUPS),
        key=key,
        on_change=to_address,
        args=("groups", key),
        help="Rows are sorted by the sensitive attribute and cut into groups of about equal size. "
        "Rows with the same value stay together, so there can be fewer groups than asked for. "
        "The groups only serve this view; the methods treat the attribute as continuous.",
    )
    groups = groups_of(choice.data, dataset, n_groups)
    with st.grid(2, min_column_width=_PANEL_WIDTH, key="along-s") as grid:
        with grid.cell():
            _show_distribution(dataset, groups)
        with grid.cell():
            _show_outcome(dataset, groups)
    ranking = ranking_of(choice.data, dataset)
    _show_chosen_columns(choice, dataset, groups, ranking)
    _show_ranking(dataset, ranking)


def _show_distribution(dataset: Dataset, groups: QuantileGroups) -> None:
    name = sensitive_title(dataset)
    st.subheader("Its distribution", anchor=False)
    st.markdown(f"Dotted lines are the borders of the {len(groups.labels)} groups.")
    bars = histogram(dataset.sensitive)
    peak = bars.iloc[int(bars["rows"].argmax())]
    chart(
        kept(sensitive_histogram, bars, sensitive_name=name, groups=groups.table),
        bars,
        key="distribution",
        alt=f"Histogram of {shown_text(name)} over {dataset.n_rows:,} rows; most rows lie between "
        f"{in_units(peak['low'], 4)} and {in_units(peak['high'], 4)}.",
        file_name="distribution",
    )


def _show_outcome(dataset: Dataset, groups: QuantileGroups) -> None:
    outcome = outcome_by_group(dataset.outcome, groups)
    first, last = outcome.iloc[0], outcome.iloc[-1]
    shown = partial(per_cent, decimals=1) if dataset.class_names else in_units
    title = _outcome_title(dataset)
    st.subheader("The outcome along it", anchor=False)
    st.markdown(
        f"{shown(first['mean'])} in the lowest group, {shown(last['mean'])} in the highest."
    )
    chart(
        kept(
            _outcome_figure,
            outcome,
            sensitive_name=sensitive_title(dataset),
            outcome_title=title,
            overall=float(dataset.outcome.mean()),
            are_shares=bool(dataset.class_names),
        ),
        outcome,
        key="outcome",
        alt=f"{shown_text(title)} by group of {shown_text(the_sensitive(dataset))}: "
        f"{shown(first['mean'])} in the lowest, {shown(last['mean'])} in the highest "
        "group.",
        file_name="outcome-by-group",
    )


def _outcome_figure(
    outcome: pd.DataFrame, *, are_shares: bool, overall: float, **about: Any
) -> go.Figure:
    if not are_shares:
        return outcome_along_s(outcome, overall=overall, **about)
    in_per_cent = outcome.assign(**{one: 100 * outcome[one] for one in ("mean", "low", "high")})
    figure = outcome_along_s(in_per_cent, overall=100 * overall, **about)
    return figure.update_yaxes(ticksuffix=" %", rangemode="tozero")


def _outcome_title(dataset: Dataset) -> str:
    if dataset.class_names is None:
        return f"mean of {target_title(dataset)}"
    return f"share with {target_title(dataset)} {dataset.class_names[1]}"


def _show_chosen_columns(
    choice: Choice, dataset: Dataset, groups: QuantileGroups, ranking: pd.DataFrame
) -> None:
    sensitive_name = plain_text(the_sensitive(dataset), longest=40)
    st.subheader(f"Columns that move with {sensitive_name}", anchor=False)
    names = [str(name) for name in dataset.features.columns]
    strongest = [str(name) for name in ranking["feature"].head(3)]
    paper = [name for name in _PAPER_COLUMNS if choice.dataset == "crime"]
    key = f"show-{choice.dataset}"
    shown = st.multiselect(
        "Columns to show",
        names,
        default=names_in_address("show", allowed=names, default=paper or strongest),
        key=key,
        on_change=to_address,
        args=("show", key),
        max_selections=_MOST_PANELS,
        placeholder="Choose columns",
        help="At first the columns that depend most on the sensitive attribute, or for Communities "
        "and Crime those shown in the paper. Boxes: half of a group's rows lie inside the box, the "
        "line is the median, the dashed line the mean. Cells: the share of each category.",
    )
    if not shown:
        st.info("Choose at least one column to see how it differs between the groups.")
    with st.grid(3, min_column_width=_PANEL_WIDTH, key="panels") as grid:
        for position, name in enumerate(shown):
            with grid.cell():
                _show_column(dataset, groups, name, position)


def _show_column(dataset: Dataset, groups: QuantileGroups, name: str, position: int) -> None:
    column = dataset.features[name]
    sensitive_name = sensitive_title(dataset)
    if pd.api.types.is_numeric_dtype(column):
        dates = dataset.kinds.get(name) == "date"
        table = box_statistics(column, groups, are_days=dates)
        figure = kept(group_boxes, table, feature_name=name, sensitive_name=sensitive_name)
        first, last = (
            f"{one:%Y-%m-%d}" if dates else in_units(one) for one in table["median"].iloc[[0, -1]]
        )
        point = f"medians go from {first} in the lowest to {last} in the highest group."
    else:
        table = level_shares(column, groups)
        figure = kept(group_shares, table, feature_name=name, sensitive_name=sensitive_name)
        point = f"shares of {table['level'].nunique()} values in {len(groups.labels)} groups."
    chart(
        figure,
        table,
        key=f"column-{position}",
        alt=f"{shown_text(name)} by group of {shown_text(sensitive_name)}: {point}",
        file_name=f"column-{position + 1}-by-group",
    )


def _show_ranking(dataset: Dataset, ranking: pd.DataFrame) -> None:
    sensitive_name = plain_text(the_sensitive(dataset), longest=40)
    st.subheader(f"Columns that tell most about {sensitive_name}", anchor=False)
    used = ranking.attrs.get("rows_used", dataset.n_rows)
    basis = "all" if used == dataset.n_rows else f"{used:,} randomly chosen of"
    st.markdown(
        "A model can learn the sensitive attribute from these columns even when it is not given "
        f"it. Measured on {basis} {dataset.n_rows:,} rows.",
        help="Maximal correlation: the largest correlation that any transformation of the column "
        "and any transformation of the sensitive attribute can reach, on binned values, less what "
        "chance alone gives. It sees bent relations and categories: 0 means no more than chance, "
        "1 that one follows from the other.",
    )
    if ranking.empty:
        st.info("There are no feature columns to compare.")
        return
    strongest = ranking.iloc[0]
    chart(
        kept(dependence_bars, ranking, sensitive_name=sensitive_title(dataset)),
        ranking,
        key="ranking",
        alt=f"Columns by dependence on {shown_text(the_sensitive(dataset))}; strongest is "
        f"{shown_text(strongest['feature'])} with {strongest['strength']:.2f} of 1.",
        file_name="dependence-ranking",
    )
