"""The theme a viewer sees."""

import streamlit as st


def is_dark() -> bool:
    """Whether the page stands on dark ground for this viewer."""
    return st.context.theme.type == "dark"
