"""Where along the sensitive attribute the representations are unfair, live under γ and σ."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from frem_core.eipm import ProfileSums, profile_sums
from frem_core.evaluation.subset import random_rows
from frem_core.figures import plain_text, shown_text
from frem_core.figures.representations import ipm_profile_figure
from frem_core.figures.thin_data import FEWEST
from frem_core.training import torch_threads
from frem_core.words import in_units
from studio.address import to_address
from studio.chart import chart, kept
from studio.compare.compared import ComparedRun, People, wide_enough
from studio.compare.scales import Scales
from studio.guard import guard

GAMMAS: Final = (0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5)
_SIGMAS: Final = (0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0)
_MOST_ROWS: Final = 15_000
_USUAL_GAMMA: Final = 0.05
_USUAL_SIGMA: Final = 1.0


@st.fragment
@guard()
def show_profile(runs: Sequence[ComparedRun], scales: Scales, people: People) -> None:
    """Draws the profile; moving a slider reruns this part of the page only."""
    name = plain_text(scales.sensitive)
    st.header(f"Where along {name} the representation is unfair", anchor=False)
    st.markdown(
        "How far the representations of people with about the same "
        f"{plain_text(scales.sensitive_axis)} are from those of everybody. EIPM is the average of "
        "this curve over all people."
    )
    gamma, sigma = _choose_scales(runs, scales, people)
    profiles = [(one.look, _profile(one, scales, people, gamma, sigma)) for one in runs]
    figure = kept(ipm_profile_figure, profiles, sensitive_name=scales.sensitive_title)
    trusted = [(look, table[table["effective_n"] >= FEWEST]) for look, table in profiles]
    peaks = ", ".join(
        f"{look.title}: {table['ipm'].max():.3f}" for look, table in trusted if len(table)
    )
    chart(
        figure,
        pd.concat([table.assign(run=look.title) for look, table in profiles], ignore_index=True),
        key="compare-profile",
        alt=f"Distance of representations from everybody's along {shown_text(scales.sensitive)}, "
        f"for γ {gamma:g} and σ {sigma}. Highest where there is enough data: {peaks or 'none'}.",
        file_name="ipm-profile",
    )
    _show_notes(runs, people)


def _choose_scales(
    runs: Sequence[ComparedRun], scales: Scales, people: People
) -> tuple[float, float | str]:
    left, right = st.columns(2, gap="large")
    gamma = _nearest("gamma", GAMMAS, _usual_gamma(runs, people))
    span = scales.sensitive_scale.high - scales.sensitive_scale.low
    with left:
        st.session_state["compare-gamma"] = gamma
        st.select_slider(
            "Bandwidth on the attribute (γ)",
            GAMMAS,
            format_func=lambda one: f"{one:g}",
            key="compare-gamma",
            on_change=to_address,
            args=("gamma", "compare-gamma"),
            help="How far along the attribute people count as alike, as a share of its range"
            + (f": {gamma:g} is {in_units(gamma * span)} here." if scales.known else ".")
            + " Small: more detail and more noise.",
        )
    own = st.query_params.get("scale") == "own"
    sigma = _nearest("sigma", _SIGMAS, _USUAL_SIGMA)
    with right:
        st.session_state["compare-sigma"] = sigma
        st.select_slider(
            "Scale of the representation (σ)",
            _SIGMAS,
            format_func=lambda one: f"{one:g}",
            key="compare-sigma",
            on_change=to_address,
            args=("sigma", "compare-sigma"),
            disabled=own,
            help="Distances in the representation much smaller than σ are not seen. FREM is "
            "trained with σ = 1 unless told otherwise.",
        )
        st.session_state["compare-scale"] = own
        st.toggle(
            "Each run at its own scale",
            key="compare-scale",
            on_change=_take_scale,
            help="σ is the median distance between two rows of each run, so that a "
            "representation cannot look fair by merely being small.",
        )
    return gamma, "median" if own else sigma


def _usual_gamma(runs: Sequence[ComparedRun], people: People) -> float:
    """The bandwidth the first FREM run was trained with, or wider: test rows are fewer."""
    gammas = (
        float(one.run[name])
        for one in runs
        for name in ("config.method.gamma", "facts.gamma")
        if one.run["method"] == "frem" and name in one.run and pd.notna(one.run[name])
    )
    usual = next(gammas, _USUAL_GAMMA)
    return wide_enough(runs[0].outputs.s[people.of(runs[0])], GAMMAS, usual)


def _nearest(name: str, stops: Sequence[float], usual: float) -> float:
    try:
        given = float(st.query_params.get(name, usual))
    except ValueError:
        given = usual
    given = given if given > 0 else usual
    return min(stops, key=lambda stop: abs(np.log(stop / given)))


def _take_scale() -> None:
    if st.session_state["compare-scale"]:
        st.query_params["scale"] = "own"
    else:
        st.query_params.pop("scale", None)


def _profile(
    one: ComparedRun, scales: Scales, people: People, gamma: float, sigma: float | str
) -> pd.DataFrame:
    rows = _rows_used(one, people)
    sums = _sums((one.id, people.positive_only), sigma, one.outputs.z[rows], one.outputs.s[rows])
    table = sums.profile(gamma=gamma)
    return table.assign(s=scales.s(table["s"]))


def _rows_used(one: ComparedRun, people: People) -> NDArray[np.intp]:
    counted = np.flatnonzero(people.of(one))
    return counted[random_rows(len(counted), _MOST_ROWS, random_state=0)]


# Everything about Z that any γ needs: another γ then costs a millisecond, for all viewers.
@st.cache_resource(max_entries=512, ttl="2h", show_spinner=False)
def _sums(
    key: tuple[str, bool], sigma: float | str, _z: NDArray[np.float32], _s: NDArray[np.float64]
) -> ProfileSums:
    # One thread: beside a sweep that keeps all cores busy a second one only waits.
    with torch_threads(1):
        return profile_sums(_z, _s, sigma=sigma)


def _show_notes(runs: Sequence[ComparedRun], people: People) -> None:
    counted = int(people.of(runs[0]).sum())
    sampled = f" Computed on {_MOST_ROWS:,} random test rows." if counted > _MOST_ROWS else ""
    st.caption(
        f"Grey: the effective number of rows there (1 / Σ w²) is below {FEWEST}, so the curve is "
        f"mostly noise.{sampled}"
    )
    with st.expander("Formula", icon=":material/function:"):
        st.latex(
            r"\mathrm{IPM}(s) = \sqrt{\textstyle\sum_{j,k}\bigl(w_j-\tfrac1n\bigr)"
            r"\bigl(w_k-\tfrac1n\bigr)\,\kappa_\sigma(z_j,z_k)},\qquad "
            r"w_j = \frac{K_\gamma(s,s_j)}{\sum_l K_\gamma(s,s_l)}"
        )
        st.markdown("Both kernels are Gaussian here, whatever a run was trained with.")
