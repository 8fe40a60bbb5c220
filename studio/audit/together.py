"""Several sensitive attributes: each beside the others, and their combinations."""

import pandas as pd
import streamlit as st

from frem_core.audit import AttributesAudit
from frem_core.audit.several.document import attribute_table
from frem_core.figures import plain_text
from frem_core.figures.audit import audit_curves, place_gaps
from frem_core.words import rounded
from studio.chart import chart


def show_together(found: AttributesAudit) -> None:
    """Draws sentences, the attributes side by side, combinations and a curve for each."""
    st.markdown("\n".join(f"- {plain_text(line, longest=None)}" for line in found.sentences()))
    st.dataframe(
        attribute_table(found),
        hide_index=True,
        alt="Mean gap of each attribute, raw and between people alike in the others",
    )
    if not found.places.empty:
        st.markdown("**Combinations against the mean of all**")
        first = found.places.iloc[0]
        chart(
            place_gaps(found.places),
            found.places,
            key="audit-places",
            alt=f"{first['place']} differ by {rounded(first['difference'])}.",
            file_name="audit-places",
        )
        st.caption("The intervals hold for all combinations at once.")
    columns = st.columns(2, gap="large")
    for place, (name, result) in enumerate(found.results.items()):
        with columns[place % 2]:
            raw, left = found.shown_curve(name), found.shown_curve(name, adjusted=True)
            st.markdown(f"**{plain_text(name, longest=40)}**")
            chart(
                audit_curves(
                    [("all", raw), ("alike in the other attributes", left)],
                    sensitive_name=name,
                    value_title=f"mean {result.prediction_name}",
                    height=320,
                ),
                pd.concat([raw.assign(curve="all"), left.assign(curve="alike")]),
                key=f"audit-attribute-{place}",
                alt=f"Means run from {rounded(raw['mean'].min())} to {rounded(raw['mean'].max())}.",
                file_name=f"audit-attribute-{place + 1}",
            )
    st.download_button(
        "Report on all attributes (HTML)",
        data=lambda: found.report().to_html(),
        file_name="audit-attributes.html",
        mime="text/html",
        key="audit-together-html",
        on_click="ignore",
        icon=":material/description:",
    )
