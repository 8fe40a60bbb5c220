"""Draws the folders in rows, what they import, and the way of a value through them."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from textwrap import wrap

from tools.architecture.layers import Layers, folder_of
from tools.architecture.walks import Walk

_BOX = (206, 76)  # width, height
_GAP = (18, 40)
_EDGE = 20
_TEAL, _GREY, _INK = "#007580", "#9aa5ab", "#1c2b33"
_STYLE = f"""<style>
text {{ font-family: Helvetica, Arial, sans-serif; fill: {_INK}; }}
.name {{ font-size: 14px; font-weight: bold; }} .words {{ font-size: 10.5px; }}
.stop {{ font-size: 10.5px; font-weight: bold; fill: white; }}
.import {{ stroke: {_GREY}; stroke-width: 1; fill: none; marker-end: url(#head); }}
.way {{ stroke: {_TEAL}; stroke-width: 2.5; fill: none; opacity: 0.75; }}
.box {{ fill: white; stroke: {_INK}; stroke-width: 1; }} .library {{ fill: #f1f6f6; }}
</style>
<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"
 orient="auto"><path d="M0 0 8 4 0 8z" fill="{_GREY}"/></marker>"""

_Place = tuple[float, float]


def draw(layers: Layers, walk: Walk) -> str:
    """Returns the picture as SVG.

    Args:
        layers: the folders; each row stands above what it imports.
        walk: whose stops are numbered and joined.
    """
    places, width, height = _places(layers.rows[::-1])
    stops: dict[str, list[int]] = {}
    for number, stop in enumerate(walk.stops, start=1):
        stops.setdefault(folder_of(stop.place.path), []).append(number)
    order = [folder_of(stop.place.path) for stop in walk.stops]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}">',
        "<title>The folders of the program, what they import, and the way of a value</title>",
        _STYLE,
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="white"/>',
        *(_arrow(places[one], places[other]) for one, other in layers.needed_arrows),
        *(_way(places[one], places[other]) for one, other in pairwise(order) if one != other),
        *(_box(name, layers.summary(name), places[name], stops.get(name, [])) for name in places),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _places(rows: Sequence[Sequence[str]]) -> tuple[dict[str, _Place], float, float]:
    """The upper left corners of all boxes, each row centred; width and height of the whole."""
    widest = max(map(len, rows))
    width = 2 * _EDGE + widest * _BOX[0] + (widest - 1) * _GAP[0]
    places = {}
    for line, row in enumerate(rows):
        left = (width - len(row) * _BOX[0] - (len(row) - 1) * _GAP[0]) / 2
        for column, name in enumerate(row):
            places[name] = (left + column * (_BOX[0] + _GAP[0]), _top(line))
    return places, width, _top(len(rows)) - _GAP[1] + _EDGE


def _top(line: int) -> float:
    return _EDGE + line * (_BOX[1] + _GAP[1])


def _arrow(one: _Place, other: _Place) -> str:
    """From the lower edge of a box to the upper edge of one that it imports."""
    x, y = one[0] + _BOX[0] / 2, one[1] + _BOX[1]
    u, v = other[0] + _BOX[0] / 2, other[1]
    if v < y:  # a circle, which should not be; drawn all the same
        y, v = one[1], other[1] + _BOX[1]
    bend = (v - y) / 2
    return (
        f'<path class="import" d="M{x:.0f} {y:.0f} C{x:.0f} {y + bend:.0f} '
        f'{u:.0f} {v - bend:.0f} {u:.0f} {v:.0f}"/>'
    )


def _way(one: _Place, other: _Place) -> str:
    (x, y), (u, v) = ((left + _BOX[0] / 2, top + _BOX[1] / 2) for left, top in (one, other))
    side = 0.12 * (u - x), 0.12 * (v - y)  # to one side, so that there and back are two lines
    return (
        f'<path class="way" d="M{x:.0f} {y:.0f} Q{(x + u) / 2 - side[1]:.0f} '
        f'{(y + v) / 2 + side[0]:.0f} {u:.0f} {v:.0f}"/>'
    )


def _box(name: str, words: str, place: _Place, stops: Sequence[int]) -> str:
    x, y = place
    kind = "box library" if name.startswith("frem_core") else "box"
    parts = [
        f'<rect class="{kind}" x="{x:.0f}" y="{y:.0f}" '
        f'width="{_BOX[0]}" height="{_BOX[1]}" rx="6"/>',
        f'<text class="name" x="{x + 10:.0f}" y="{y + 19:.0f}">{escape(name)}</text>',
    ]
    lines = wrap(words.replace("``", ""), 33, max_lines=4, placeholder=" …")
    for number, line in enumerate(lines):
        top = y + 33 + 12 * number
        parts.append(f'<text class="words" x="{x + 10:.0f}" y="{top:.0f}">{escape(line)}</text>')
    for position, stop in enumerate(reversed(stops)):
        middle = x + _BOX[0] - 4 - 21 * position
        parts.append(f'<circle cx="{middle:.0f}" cy="{y - 3:.0f}" r="10" fill="{_TEAL}"/>')
        parts.append(
            f'<text class="stop" x="{middle:.0f}" y="{y + 1:.0f}" '
            f'text-anchor="middle">{stop}</text>'
        )
    return "\n".join(parts)
