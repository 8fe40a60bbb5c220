"""What the Estimator lab compares, its settings, and what a run will show."""

from dataclasses import replace
from typing import Final

import streamlit as st

from studio.lab.settings import (
    BINS,
    DESIGNS,
    DIMENSIONS,
    DRAWS,
    GAMMAS,
    REPLICATES,
    RHO,
    SAMPLES,
    TIES,
    W1_SQUARED,
    LabSettings,
)

_RUN: Final = "run"
_MEMORY: Final = "lab-address"
_FIRST_TABLE: Final = LabSettings(samples=(100,), noise_free=False, replicates=1000)
_SECOND_TABLE: Final = replace(
    _FIRST_TABLE, design="multivariate", samples=(100, 140, 180, 220, 260, 300)
)
_CARD_WIDTH: Final = 270
_PARTS: Final = (
    (
        ":material/candlestick_chart:",
        "How far each one is off",
        "Box plots of estimate minus truth, growing while samples are drawn.",
    ),
    (
        ":material/table_chart:",
        "Errors beside the paper's",
        "Bias, mean absolute error and root mean squared error, with the printed values beside.",
    ),
    (
        ":material/trending_down:",
        "What more data changes",
        "Which errors shrink as samples grow, and which stay however many rows there are.",
    ),
)


def current_settings() -> LabSettings:
    """The settings in the address; without any, what this viewer had here before."""
    if not st.query_params and _MEMORY in st.session_state:
        st.query_params.from_dict(st.session_state[_MEMORY])
    given = {name: st.query_params.get_all(name) for name in st.query_params}
    st.session_state[_MEMORY] = given
    return LabSettings.from_address(given)


def has_been_started() -> bool:
    """Whether the address asks for results, and not for the form alone."""
    return _RUN in st.query_params


def show_form(settings: LabSettings) -> None:
    """Draws the form; a new run goes through the address, so a refresh finds it again."""
    design = st.segmented_control(
        "Representation",
        list(DESIGNS),
        format_func=DESIGNS.__getitem__,
        default=settings.design,
        required=True,
        key=f"lab-design-{settings.design}",
        help="One dimension: a linear encoder of two features, one of them tied to S. Several "
        "dimensions: every coordinate is tied to S a little.",
    )
    if design != settings.design:
        _go(replace(settings, design=design), run=False)
    # A key per address: values typed for one simulation do not linger in the form of another.
    with st.form(f"lab-{hash(settings)}"):
        chosen = _fields(settings)
        buttons = st.container(horizontal=True)
        if buttons.form_submit_button("Run", type="primary", icon=":material/play_arrow:"):
            _go(chosen, run=True)
        label = "The paper's first table" if design == "gaussian" else "The paper's second table"
        if buttons.form_submit_button(label, icon=":material/menu_book:"):
            _go(_paper_settings(chosen), run=True)


def _paper_settings(chosen: LabSettings) -> LabSettings:
    """The paper's sizes and settings around the chosen weight or dimension."""
    if chosen.design == "gaussian":
        known = (0.2, 0.5, 0.8)
        nearest = min(known, key=lambda value: abs(value - chosen.w1_squared))
        return replace(_FIRST_TABLE, w1_squared=nearest)
    nearest = min((1, 3, 10), key=lambda value: abs(value - chosen.dimension))
    return replace(_SECOND_TABLE, dimension=nearest)


def _fields(settings: LabSettings) -> LabSettings:
    left, right = st.columns(2, gap="large")
    with left:
        chosen = _design_fields(settings)
        samples = st.multiselect(
            "Rows in a sample (n)",
            SAMPLES,
            default=settings.samples,
            max_selections=6,
            help="Choose several to see what more data changes.",
        )
        replicates = st.select_slider(
            "Samples of each size (replicates)",
            REPLICATES,
            value=settings.replicates,
            help="Each is drawn anew. The paper drew 100.",
        )
    with right:
        gammas = st.multiselect(
            "Bandwidths on S (γ)",
            GAMMAS,
            default=settings.gammas,
            max_selections=4,
            help="For the proposed and the Nadaraya–Watson estimator: how far along S rows count "
            "as neighbours.",
        )
        noise_free = st.toggle(
            "Also without the noise of small samples",
            value=settings.noise_free,
            help="A few rows differ from all rows by chance alone, the more so the smaller γ is. "
            "This adds the proposed estimator with that part taken off; the paper does not have "
            "it.",
        )
        bins = st.multiselect(
            "Numbers of bins",
            BINS,
            default=settings.bins,
            max_selections=4,
            help="For the binning estimator: S is cut at its quantiles.",
        )
        draws, seed = _advanced_fields(settings)
    return replace(
        chosen,
        samples=tuple(sorted(samples)) or settings.samples,
        gammas=tuple(sorted(gammas)) or settings.gammas,
        bins=tuple(sorted(bins)) or settings.bins,
        noise_free=noise_free,
        replicates=replicates,
        draws=draws,
        seed=seed,
    )


def _design_fields(settings: LabSettings) -> LabSettings:
    if settings.design == "gaussian":
        w1_squared = st.select_slider(
            "Weight of the tied feature (w₁²)",
            W1_SQUARED,
            value=settings.w1_squared,
            help="The share of the representation's variance that comes from the feature tied to "
            "S. The paper uses 0.2, 0.5 and 0.8.",
        )
        rho = st.select_slider(
            "Correlation of that feature with S (ρ)",
            RHO,
            value=settings.rho,
            help="0 means a perfectly fair representation. The paper uses 0.4.",
        )
        return replace(settings, w1_squared=w1_squared, rho=rho)
    dimension = st.select_slider(
        "Dimensions of the representation (m)",
        DIMENSIONS,
        value=settings.dimension,
        help="The paper uses 1, 3 and 10.",
    )
    tie = st.select_slider(
        "Strength of the tie to S (ρ√m)",
        list(TIES),
        value=settings.tie,
        help="0 means a perfectly fair representation, 1 is the most that is possible. The paper "
        "uses 1/3.",
    )
    return replace(settings, dimension=dimension, tie=tie)


def _advanced_fields(settings: LabSettings) -> tuple[int, int]:
    with st.expander("More settings", icon=":material/tune:"):
        draws = st.selectbox(
            "Integral of the Nadaraya–Watson estimator",
            DRAWS,
            index=DRAWS.index(settings.draws),
            format_func=lambda value: f"{value:,} importance samples" if value else "exact",
            help="The paper samples it 1,000 times. The exact solution is faster and has no "
            "sampling error.",
        )
        seed = st.number_input("Seed", 0, 999, settings.seed)
    return draws, seed


def _go(settings: LabSettings, *, run: bool) -> None:
    address = settings.to_address() | ({_RUN: "1"} if run else {})
    st.query_params.from_dict(address)
    st.session_state[_MEMORY] = address
    st.rerun()


def show_explanation() -> None:
    """Draws the folded explanation."""
    with st.expander("What is compared here?", icon=":material/help:"):
        st.markdown(
            "**EIPM** is the expected distance between the distribution of a representation Z at "
            "one value of the sensitive attribute S and its distribution overall. 0 means that Z "
            "says nothing about S. Here Z and S are Gaussian, so its true value is known exactly "
            "and estimators can be judged."
        )
        st.latex(
            r"\mathrm{EIPM} = \mathbb{E}_S\,"
            r"\bigl\lVert \mu_{Z\mid S} - \mu_Z \bigr\rVert_{\mathcal H}"
        )
        st.markdown(
            "- **Proposed**: rows near an anchor along S are weighted by a kernel with bandwidth "
            "γ; no bins, no density estimate.\n"
            "- **Proposed, noise removed**: the same, less what chance alone gives. Few rows "
            "differ from many even where nothing depends on S, so the proposed estimator is "
            "too large where γ or the sample is small; this one is not. In return its values "
            "scatter more, and by chance some fall below 0: with a well chosen γ the proposed one "
            "is usually nearer to the truth.\n"
            "- **Binning**: S is cut at its quantiles and every bin compared with all rows.\n"
            "- **Nadaraya–Watson**: densities of Z are estimated first and then integrated, which "
            "suffers in many dimensions."
        )
        st.latex(
            r"\widehat{\mathrm{EIPM}} = \frac1n\sum_i \sqrt{\textstyle\sum_{j,k\neq i} "
            r"A_{ij}A_{ik}\,\kappa(z_j,z_k)},\qquad "
            r"A_{ij} = \frac{K_\gamma(s_i,s_j)}{\sum_{l\neq i}K_\gamma(s_i,s_l)} - \frac1{n-1}"
        )
        st.markdown("With the noise removed (a negative number under the root keeps its sign):")
        st.latex(
            r"\sqrt{\frac1n\sum_i\Bigl(\textstyle\sum_{j,k\neq i} A_{ij}A_{ik}\,\kappa(z_j,z_k)"
            r" - \sum_j A_{ij}^2\,(1-\bar\kappa)\Bigr)},\qquad \bar\kappa = "
            r"\frac1{n(n-1)}\sum_{j\neq k}\kappa(z_j,z_k)"
        )


def show_what_comes() -> None:
    """Draws what a run will show."""
    st.header("Press Run to see", anchor=False)
    with st.grid(3, min_column_width=_CARD_WIDTH, border=True, key="lab-cards") as grid:
        for icon, title, words in _PARTS:
            with grid.cell():
                st.markdown(f"{icon} **{title}**")
                st.caption(words)
