"""The marker of a method as it appears in every figure, drawn beside its name."""

import base64
from typing import Final

from frem_core.figures.looks import readable
from frem_core.methods import Method

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
    "star": "M10 1.5l2.6 5.6 6.1.7-4.5 4.2 1.2 6-5.4-3-5.4 3 1.2-6L1.3 7.8l6.1-.7z",
}


def marker_picture(method: type[Method], *, dark: bool) -> str:
    """HTML that shows the method's marker in its colour; screen readers skip it."""
    colour = readable(method.colour, dark=dark)
    path = _PATHS.get(method.symbol, _CIRCLE)
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">'
        f'<path d="{path}" fill="{colour}"/></svg>'
    )
    # As an image, because Streamlit removes drawings from HTML.
    encoded = base64.b64encode(drawing.encode()).decode()
    return (
        '<img alt="" width="20" height="20" style="display:block" '
        f'src="data:image/svg+xml;base64,{encoded}">'
    )
