"""What the Estimator lab compares, in words and, on demand, in formulas."""

import streamlit as st


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
            "- **Binning**: S is cut at its quantiles and every bin compared with all rows.\n"
            "- **Nadaraya–Watson**: densities of Z are estimated first and then integrated, which "
            "suffers in many dimensions."
        )
        st.latex(
            r"\widehat{\mathrm{EIPM}} = \frac1n\sum_i \sqrt{\textstyle\sum_{j,k\neq i} "
            r"A_{ij}A_{ik}\,\kappa(z_j,z_k)},\qquad "
            r"A_{ij} = \frac{K_\gamma(s_i,s_j)}{\sum_{l\neq i}K_\gamma(s_i,s_l)} - \frac1{n-1}"
        )
