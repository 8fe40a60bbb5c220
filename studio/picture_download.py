"""A button that saves a chart as a picture, beside the downloads of its table.

Only the browser has drawn the chart, so only the browser can save it: the button presses the one
in the chart's own toolbar, which shows itself to a mouse alone.
"""

import streamlit as st

_HTML = """<button type="button"><svg viewBox="0 -960 960 960" aria-hidden="true"><path
d="M480-320 280-520l56-58 104 104v-326h80v326l104-104 56 58-200 200ZM240-160q-33
0-56.500-23.500T160-240v-120h80v120h480v-120h80v120q0 33-23.500 56.500T720-160H240Z"/></svg>
Download chart as PNG</button>"""
_CSS = """button { display: inline-flex; align-items: center; gap: 0.5rem; cursor: pointer;
  min-height: 2.5rem; padding: 0.25rem 0.75rem; font-family: var(--st-font);
  font-size: 0.875rem; color: var(--st-text-color);
  background: var(--st-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-button-radius); white-space: nowrap; }
button:hover, button:focus-visible { color: var(--st-link-color);
  border-color: var(--st-link-color); outline: none; }
svg { width: 1.05rem; height: 1.05rem; fill: currentColor; }"""
_JS = """export default function ({ parentElement, data }) {
  parentElement.querySelector("button").onclick = () => document.querySelector(
    `.st-key-${CSS.escape(data.chart)} .modebar-btn[data-title^="Download plot"]`)?.click();
}"""
_BUTTON = st.components.v2.component("studio-picture", html=_HTML, css=_CSS, js=_JS)


def offer_picture(chart: str) -> None:
    """Draws the button for the chart with this key."""
    _BUTTON(data={"chart": chart}, key=f"{chart}-png", width="content", height="content")
