"""Where along the sensitive attribute there are enough rows to say anything."""

from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from frem_core.audit import (
    GammaSuggestion,
    effective_rows,
    share_with_enough,
    suggest_gamma,
)
from frem_core.datasets import Dataset
from frem_core.figures import plain_text, shown_text
from frem_core.figures.thin_data import FEWEST, effective_rows_figure, thin_stretches
from frem_core.training import suggested_config
from frem_core.types import Floats
from frem_core.words import in_units, per_cent
from studio.address import decimal_in_address
from studio.chart import chart, kept
from studio.choice import Choice
from studio.guard import guard
from studio.train.fields import log_field, set_log_field
from studio.words import sensitive_title, the_sensitive

_LOW, _HIGH = 0.002, 1.0
_ADDRESS: Final = "gamma"
_MOST_STRETCHES = 3


@st.fragment
@guard()
def show_reliability(choice: Choice, dataset: Dataset) -> None:
    """Draws the effective sample size along S for a chosen γ, and which γ suits the data."""
    name = plain_text(the_sensitive(dataset), longest=40)
    st.header(f"How reliable the data is along {name}", anchor=False)
    st.markdown(
        f"What happens at one value of {name} is learnt from the rows near it. The bandwidth (γ) "
        "says how near. Too small, and few rows count: what is seen is mostly chance. Too large, "
        "and differences are blurred.",
        help="Rows count with the weights w of the Gaussian kernel, K = exp(−Δ²/2γ²), on the "
        "attribute scaled to 0–1. The effective number of rows is 1 / Σ w²: rows of equal weight "
        "count fully, a single dominating row counts as one.",
    )
    judged = _judged_rows(choice, dataset)
    suggestion = _suggestion(choice, dataset, judged)
    gamma = _choose_gamma(choice, suggestion)
    width = float(np.ptp(dataset.sensitive))
    table = effective_rows(judged, gamma=gamma, sensitive_range=_range(dataset))
    words = _verdict(dataset, judged, table, gamma)
    figure, reason = st.columns([2, 1], gap="large")
    with figure:
        st.markdown(words)
        chart(
            kept(effective_rows_figure, table, sensitive_name=sensitive_title(dataset)),
            table,
            key="reliability",
            alt=f"Effective number of rows along {shown_text(the_sensitive(dataset))} for γ = "
            f"{gamma:g}; from {table['effective_n'].min():,.0f} to "
            f"{table['effective_n'].max():,.0f}.",
            file_name="effective-rows",
        )
    with reason.container(border=True, key="suggested-gamma"):
        _show_suggestion(
            choice,
            suggestion,
            width,
            _batch_size(dataset),
            in_use=gamma == suggestion.gamma,
        )


def gamma_for_training(choice: Choice, dataset: Dataset) -> float:
    """The bandwidth that training should start with: the one chosen here, or the suggestion."""
    given = decimal_in_address(_ADDRESS)
    if given is not None and _LOW <= given <= _HIGH:
        return given
    return _suggestion(choice, dataset, _judged_rows(choice, dataset)).gamma


def _judged_rows(choice: Choice, dataset: Dataset) -> Floats:
    """S of the rows that fairness is judged on."""
    if choice.fairness == "eo" and dataset.class_names is not None:
        return np.asarray(dataset.sensitive[dataset.outcome == 1])
    return dataset.sensitive


def _range(dataset: Dataset) -> tuple[float, float]:
    return float(dataset.sensitive.min()), float(dataset.sensitive.max())


def _batch_size(dataset: Dataset) -> int:
    return suggested_config(dataset.preset, dataset.n_rows).batch_size


# The choice stands for the data, whose arrays need not be hashed.
@st.cache_data(max_entries=64, show_spinner=False)
def _suggest(
    choice: Choice, _judged: Floats, judged_in_batch: int, scale: tuple[float, float]
) -> GammaSuggestion:
    return suggest_gamma(_judged, batch_size=judged_in_batch, sensitive_range=scale)


def _suggestion(choice: Choice, dataset: Dataset, judged: Floats) -> GammaSuggestion:
    # With equal opportunity only the rows with a positive outcome of a batch speak.
    in_batch = round(_batch_size(dataset) * len(judged) / dataset.n_rows)
    return _suggest(choice, judged, max(in_batch, 1), _range(dataset))


def _choose_gamma(choice: Choice, suggestion: GammaSuggestion) -> float:
    given = decimal_in_address(_ADDRESS)
    start = given if given is not None and _LOW <= given <= _HIGH else suggestion.gamma
    gamma = log_field(
        "Bandwidth (γ)",
        low=_LOW,
        high=_HIGH,
        default=start,
        key=_key(choice),
        help_text="On the sensitive attribute scaled to 0–1: how near two values must be to "
        "count as alike.",
    )
    if gamma == suggestion.gamma:
        st.query_params.pop(_ADDRESS, None)
    else:
        st.query_params[_ADDRESS] = f"{gamma:g}"
    return gamma


def _key(choice: Choice) -> str:
    return f"reliability-gamma-{choice.dataset}-{choice.fairness}"


def _verdict(dataset: Dataset, judged: Floats, table: pd.DataFrame, gamma: float) -> str:
    share = share_with_enough(judged, gamma=gamma, sensitive_range=_range(dataset))
    name = plain_text(the_sensitive(dataset), longest=40)
    reach = in_units(gamma * np.ptp(dataset.sensitive))
    words = (
        f"At γ = {gamma:g} (± {reach} of {name}) **{per_cent(share, 1)}** of the rows lie where at "
        f"least {FEWEST} rows effectively count."
    )
    stretches = thin_stretches(table["s"], table["effective_n"])
    if not stretches:
        return f"{words} There is enough data everywhere."
    shown = [
        f"{in_units(low, 4)} to {in_units(high, 4)}" for low, high in stretches[:_MOST_STRETCHES]
    ]
    more = " and elsewhere" if len(stretches) > _MOST_STRETCHES else ""
    return (
        f"{words} Too little data at {', '.join(shown)}{more}: do not read much into curves there."
    )


def _show_suggestion(
    choice: Choice, suggestion: GammaSuggestion, width: float, batch_size: int, *, in_use: bool
) -> None:
    st.subheader(
        f"Suggested bandwidth: γ\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{suggestion.gamma:g}",
        anchor=False,
    )
    st.markdown(_reason(suggestion, width, batch_size))
    st.button(
        "In use above" if in_use else "Use the suggestion",
        key="use-suggested-gamma",
        icon=":material/check:",
        disabled=in_use,
        on_click=set_log_field,
        args=(_key(choice), suggestion.gamma),
    )
    st.caption(
        "The paper tries γ = 0.02, 0.05 and 0.1 and keeps the best on held-out rows; Train offers "
        "that too."
    )


def _reason(suggestion: GammaSuggestion, width: float, batch_size: int) -> str:
    near = f"({in_units(suggestion.gamma * width)} in its own units)"
    if not suggestion.is_enough:
        return (
            f"There are too few rows: even this bandwidth {near} leaves "
            f"{per_cent(1 - min(suggestion.enough_rows, suggestion.enough_in_batch), 1)} of the "
            "rows with too little company. Read every fairness score here with care."
        )
    if suggestion.limit == "none":
        return f"Even the finest bandwidth looked at {near} finds enough rows for nearly everyone."
    shortage = (
        f"fewer than {FEWEST} effective rows would stand behind more than 1 % of the people"
        if suggestion.limit == "rows"
        else f"fewer than 5 effective rows of a training batch of {batch_size:,} would stand "
        "behind more than 1 % of the people"
    )
    return f"The finest bandwidth {near} that still finds enough rows. Any smaller, and {shortage}."
