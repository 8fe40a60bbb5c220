"""How pages look beyond what Streamlit's theme can say."""

import base64
from typing import TYPE_CHECKING, Final

import streamlit as st

from frem_core.figures.looks import INK, INK_ON_DARK, channels, readable

if TYPE_CHECKING:  # methods bring torch along, and every page has a style
    from frem_core.methods import Method

_FRAME: Final = """
/* Wide tables and charts need the width, running text does not. */
[data-testid="stMainBlockContainer"] { max-width: 1280px; padding: 3rem 2.5rem 4rem; }
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding: 3rem 1rem 4rem; }
  /* Columns that stand below each other need no gap between columns. */
  [data-testid="stHorizontalBlock"] { row-gap: 1rem; }
  /* A number that is cut says something else. */
  [data-testid="stMetricValue"], [data-testid="stMetricValue"] * { white-space: normal !important; }
}
[data-testid="stMainBlockContainer"] p { max-width: 78ch; }
[data-testid="stMainBlockContainer"] [data-testid="stCaptionContainer"] p { max-width: 104ch; }
/* The name stands where Streamlit leaves room for a logo, beside the button that folds the menu. */
[data-testid="stSidebarHeader"] { position: absolute; top: 0; right: 0; z-index: 1; }
[data-testid="stSidebarUserContent"] { padding-top: 1.5rem; }
.studio-name { display: flex; align-items: center; gap: 0.6rem; font-size: 1.1rem;
  font-weight: 700; padding: 0.2rem 0 0.7rem; }
.studio-name img { width: 1.9rem; height: 1.9rem; flex: none; }
.studio-way { font-size: 0.8rem; line-height: 1.35; border-top: 1px solid rgba(122, 130, 136, 0.35);
  padding-top: 0.8rem; }
.studio-way p { font-weight: 700; margin: 0 0 0.4rem; }
.studio-way ol { list-style: none; margin: 0; padding: 0; }
.studio-way li { display: flex; gap: 0.5rem; padding: 0.3rem 0.4rem; margin: 0; }
.studio-way li > span { width: 1em; flex: none; }
.studio-way li.closed { opacity: 0.75; }
.studio-way li[aria-current] { background: rgba(10, 134, 146, 0.16); border-radius: 0.5rem; }
/* Cards of one row end with their buttons on one line. */
[class*="-cards"] [data-testid="stGridCellContent"] > [data-testid="stLayoutWrapper"],
[class*="-cards"] [data-testid="stGridCellContent"] > [data-testid="stLayoutWrapper"] >
  [data-testid="stVerticalBlock"] { flex: 1 1 auto; }
[class*="-cards"] [data-testid="stGridCellContent"] > [data-testid="stLayoutWrapper"] >
  [data-testid="stVerticalBlock"] > :last-child:not(:first-child):has(button, a) {
  margin-top: auto; }
/* The toolbar of a chart stands below it: above, it would cover the legend. */
.js-plotly-plot .modebar-container { top: auto !important; bottom: 0 !important; height: 0; }
.js-plotly-plot .modebar { bottom: 2px; top: auto !important; }
/* The label of an upload says how large a file may be. */
[data-testid="stFileUploaderDropzoneInstructions"] { display: none; }
"""
_READABLE: Final = """
/* The primary colour is made to carry white text; as text itself it is too dim on dark ground. */
[data-testid="stTab"][aria-selected="true"], [data-testid="stSliderThumbValue"],
[data-testid="stButtonGroup"] :is([aria-checked="true"], [aria-pressed="true"]) {
  color: inherit; font-weight: 600; }
[data-testid="stButtonGroup"] [aria-checked="true"] { color: inherit !important; }
/* Streamlit's grey for captions, axes and legends is fainter than 4.5:1. */
[data-testid="stCaptionContainer"], [data-testid="stCaptionContainer"] p {
  color: inherit; opacity: 0.92; }
.js-plotly-plot :is([class*="tick"], [class$="title"], .annotation, .legend, .bars,
  .textpoint) text,
.js-plotly-plot :is(.heatmaplayer text, .hoverlayer text.nums) { fill: currentColor !important; }
"""
# The server learns of another theme late, so ink in charts follows the page and not the server.
_INK: Final = "".join(
    f'.js-plotly-plot :is(.cartesianlayer, .infolayer) [style*="{what}: rgb{ink}"] '
    f"{{ {what}: currentColor !important; }}\n"
    for ink in map(channels, (INK, INK_ON_DARK))
    for what in ("fill", "stroke")
)
_AT_WORK: Final = """
/* A thin line along the top, and only when it takes long, says that the page is at work. */
[data-testid="stStatusWidget"] { position: fixed; inset: 0 0 auto 0; height: 3px; z-index: 999;
  overflow: hidden; pointer-events: none; }
[data-testid="stStatusWidget"] > * { display: none; }
[data-testid="stStatusWidget"]::before { content: ""; position: absolute; inset: 0 60% 0 0;
  background: #0A8692; opacity: 0; animation: at-work 1.4s ease-in-out 0.7s infinite; }
@keyframes at-work { from { transform: translateX(-100%); opacity: 1; }
  to { transform: translateX(250%); opacity: 1; } }
@media (prefers-reduced-motion: reduce) {
  [data-testid="stStatusWidget"]::before { inset: 0; animation-iteration-count: 1; } }
"""
_STEADY: Final = """
[data-testid="stMain"] [data-stale="true"] { opacity: 1 !important; transition: none !important; }
[data-testid="stStatusWidget"] { visibility: hidden; }
"""
# Plotly's marker symbols as paths in a 20 × 20 box.
_CIRCLE: Final = "M10 3a7 7 0 1 0 .01 0z"
_PATHS: Final = {
    "circle": _CIRCLE,
    "square": "M4 4h12v12H4z",
    "diamond": "M10 2l8 8-8 8-8-8z",
    "cross": "M7.5 3h5v4.5H17v5h-4.5V17h-5v-4.5H3v-5h4.5z",
    "x": "M6 2.5l4 4 4-4 3.5 3.5-4 4 4 4-3.5 3.5-4-4-4 4L2.5 14l4-4-4-4z",
    "triangle-left": "M3 10l13-8v16z",
    "triangle-right": "M17 10L4 18V2z",
    "triangle-up": "M10 3l8 13H2z",
    "triangle-down": "M10 17L2 4h16z",
    "pentagon": "M10 2l8 6-3 9.5H5L2 8z",
    "hexagon": "M10 2l7 4v8l-7 4-7-4V6z",
    "bowtie": "M2 3l8 5.5L18 3v14l-8-5.5L2 17z",
    "star": "M10 1.5l2.6 5.6 6.1.7-4.5 4.2 1.2 6-5.4-3-5.4 3 1.2-6L1.3 7.8l6.1-.7z",
}


def show_style() -> None:
    """Gives a page its looks."""
    st.html(f"<style>{_FRAME}{_READABLE}{_INK}{_AT_WORK}</style>")


def keep_steady() -> None:
    """What redraws itself every second must not fade each time, nor announce that it is at work."""
    st.html(f"<style>{_STEADY}</style>")


def is_dark() -> bool:
    """Whether the page stands on dark ground for this viewer."""
    return st.context.theme.type == "dark"


def marker_picture(method: "type[Method]", *, dark: bool) -> str:
    """HTML that shows the method's marker in its colour; screen readers skip it."""
    colour = "currentColor" if method.colour == INK else readable(method.colour, dark=dark)
    path = _PATHS.get(method.symbol, _CIRCLE)
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="{path}"/></svg>'
    )
    # As a mask: Streamlit removes drawings from HTML, and an image does not know the page's ink.
    encoded = base64.b64encode(drawing.encode()).decode()
    return (
        '<span aria-hidden="true" style="display:block;width:20px;height:20px;'
        f'background:{colour};mask:url(data:image/svg+xml;base64,{encoded})"></span>'
    )
