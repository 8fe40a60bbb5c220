"""Draws panels of fronts as SVG: small files that need no browser and are the same every time."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, cos, floor, isfinite, log10, nan, pi, sin
from typing import Any

import pandas as pd

from frem_core.figures.looks import SeriesLook

_WIDTH, _HEIGHT = 380, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 12, 30, 50
_LEGEND_ROW, _LEGEND_ENTRY = 22, 190
_TEXT = 'font-family="Helvetica, Arial, sans-serif" fill="#222"'
_FAINT = 0.35
_SIZE = 5.0
# Corners of each shape around 0, in units of the size.
_TRIANGLES = {"left": pi, "right": 0.0, "up": -pi / 2, "down": pi / 2}


@dataclass(frozen=True)
class Panel:
    """One chart.

    Attributes:
        title: above it.
        x_title: what runs along x, with the direction that is better.
        y_title: the same for y.
        points: columns ``series, x, y, x_error, y_error, on_front``; a line joins the points on
            the front of a series, the others are faint.
        log_x: whether x is logarithmic.
        chance: a dashed line at this x: what is left of it is not told from chance; NaN for none.
    """

    title: str
    x_title: str
    y_title: str
    points: pd.DataFrame
    log_x: bool = False
    chance: float = nan


def draw(panels: Sequence[Panel], looks: dict[str, SeriesLook], columns: int = 3) -> str:
    """Returns an SVG document with the panels in rows and one legend below."""
    columns = min(columns, len(panels))
    rows = ceil(len(panels) / columns)
    shown = [name for name in looks if any((one.points["series"] == name).any() for one in panels)]
    per_row = max(1, columns * _WIDTH // _LEGEND_ENTRY)
    legend = ceil(len(shown) / per_row) * _LEGEND_ROW + 10
    width, height = columns * _WIDTH, rows * _HEIGHT + legend
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><rect width="100%" height="100%" fill="white"/>'
    ]
    for number, panel in enumerate(panels):
        x, y = number % columns * _WIDTH, number // columns * _HEIGHT
        parts.append(f'<g transform="translate({x},{y})">{_panel(panel, looks, shown)}</g>')
    for number, name in enumerate(shown):
        x = 20 + number % per_row * _LEGEND_ENTRY
        y = rows * _HEIGHT + 14 + number // per_row * _LEGEND_ROW
        look = looks[name]
        parts.append(marker(look.symbol, x, y, look.colour))
        parts.append(
            f'<text x="{x + 14}" y="{y + 4}" font-size="13" {_TEXT}>{escape(look.title)}</text>'
        )
    return "".join([*parts, "</svg>\n"])


def nice_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers that span an interval.

    >>> nice_ticks(0.813, 0.852)
    [0.82, 0.83, 0.84, 0.85]
    """
    raw = (high - low) / most
    size = 10.0 ** floor(log10(raw))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= raw)
    first = ceil(low / step - 1e-9)
    return [round(number * step, 10) for number in range(first, floor(high / step + 1e-9) + 1)]


class _Axis:
    """Maps values to pixels."""

    def __init__(self, low: float, high: float, start: float, end: float, log: bool) -> None:
        self.is_log = log
        spread = (high - low) or abs(high) or 1.0
        self.low, self.high = (low, high) if log else (low - 0.05 * spread, high + 0.05 * spread)
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        low, high = self.low, self.high
        if self.is_log:
            value, low, high = log10(value), log10(low) - 0.05, log10(high) + 0.05
        return round(self._start + (value - low) / (high - low) * (self._end - self._start), 1)

    def ticks(self) -> list[float]:
        if not self.is_log:
            return nice_ticks(self.low, self.high)
        exponents = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
        marks = [factor * 10.0**one for one in exponents for factor in (1, 3)]
        return [mark for mark in marks if self.low * 0.999 <= mark <= self.high * 1.001]


def _panel(panel: Panel, looks: dict[str, SeriesLook], shown: list[str]) -> str:
    points = panel.points[panel.points[["x", "y"]].map(isfinite).all(axis=1)]
    if points.empty:
        return (
            f'<text x="{_LEFT}" y="20" font-size="14" {_TEXT}>{escape(panel.title)}: no runs</text>'
        )
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    ends = [*points["x"], *([panel.chance] if isfinite(panel.chance) else [])]
    x = _Axis(min(ends), max(ends), _LEFT, right, panel.log_x)
    y = _Axis(points["y"].min(), points["y"].max(), bottom, _TOP, log=False)
    parts = [_frame(panel, x, y)]
    parts += [  # the first series lies on top
        _series(points[points["series"] == name], looks[name], x, y) for name in reversed(shown)
    ]
    return "".join(parts)


def _frame(panel: Panel, x: _Axis, y: _Axis) -> str:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    middle, half = (_LEFT + right) / 2, (_TOP + bottom) / 2
    parts = [
        f'<text x="{middle}" y="18" font-size="14" font-weight="bold" text-anchor="middle" {_TEXT}>'
        f"{escape(panel.title)}</text>",
        f'<text x="{middle}" y="{_HEIGHT - 12}" font-size="12" text-anchor="middle" {_TEXT}>'
        f"{escape(panel.x_title)}</text>",
        f'<text transform="translate(14,{half}) rotate(-90)" font-size="12" text-anchor="middle" '
        f"{_TEXT}>{escape(panel.y_title)}</text>",
    ]
    for tick in x.ticks():
        at = x.at(tick)
        parts.append(f'<path d="M{at} {_TOP}V{bottom}" stroke="#e4e4e4"/>')
        parts.append(
            f'<text x="{at}" y="{bottom + 16}" font-size="11" text-anchor="middle" {_TEXT}>'
            f"{tick:g}</text>"
        )
    for tick in y.ticks():
        at = y.at(tick)
        parts.append(f'<path d="M{_LEFT} {at}H{right}" stroke="#e4e4e4"/>')
        parts.append(
            f'<text x="{_LEFT - 5}" y="{at + 4}" font-size="11" text-anchor="end" {_TEXT}>'
            f"{tick:g}</text>"
        )
    if isfinite(panel.chance):
        at = x.at(panel.chance)
        parts.append(f'<path d="M{at} {_TOP}V{bottom}" stroke="#666" stroke-dasharray="5 4"/>')
    parts.append(f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none" stroke="#666"/>')
    return "".join(parts)


def _series(points: pd.DataFrame, look: SeriesLook, x: _Axis, y: _Axis) -> str:
    front = points[points["on_front"]].sort_values("x")
    line = " ".join(f"{x.at(a)},{y.at(b)}" for a, b in zip(front["x"], front["y"], strict=True))
    parts = [
        f'<polyline points="{line}" fill="none" stroke="{look.colour}" stroke-width="1.6"/>'
        if len(front) > 1
        else ""
    ]
    for row in points.to_dict("records"):
        opacity = "" if row["on_front"] else f' opacity="{_FAINT}"'
        parts.append(f"<g{opacity}>{_bars(row, look.colour, x, y)}")
        parts.append(marker(look.symbol, x.at(row["x"]), y.at(row["y"]), look.colour) + "</g>")
    return "".join(parts)


def _bars(row: dict[Any, Any], colour: str, x: _Axis, y: _Axis) -> str:
    """Standard errors, where there are any."""
    a, b, da, db = (float(row[name]) for name in ("x", "y", "x_error", "y_error"))
    path = ""
    if isfinite(da) and da > 0 and not x.is_log:
        path += f"M{x.at(max(a - da, x.low))} {y.at(b)}H{x.at(min(a + da, x.high))}"
    if isfinite(db) and db > 0:
        path += f"M{x.at(a)} {y.at(max(b - db, y.low))}V{y.at(min(b + db, y.high))}"
    return f'<path d="{path}" stroke="{colour}" stroke-width="1"/>' if path else ""


def marker(symbol: str, x: float, y: float, colour: str) -> str:
    """Returns a marker at a pixel; ``-open`` after the name leaves it hollow."""
    name, _, style = symbol.partition("-open")
    hollow = symbol != name or bool(style)
    look = f'fill="white" stroke="{colour}" stroke-width="1.5"' if hollow else f'fill="{colour}"'
    if name == "circle":
        return f'<circle cx="{x}" cy="{y}" r="{_SIZE - 0.5}" {look}/>'
    corners = " ".join(f"{x + _SIZE * a:.1f},{y + _SIZE * b:.1f}" for a, b in _corners(name))
    return f'<polygon points="{corners}" {look}/>'


def _corners(name: str) -> list[tuple[float, float]]:
    if name == "star":
        return [
            ((1.35 if number % 2 == 0 else 0.55) * sin(number * pi / 5),
             -(1.35 if number % 2 == 0 else 0.55) * cos(number * pi / 5))
            for number in range(10)
        ]  # fmt: skip
    if name.startswith("triangle-"):
        turn = _TRIANGLES[name.removeprefix("triangle-")]
        return [
            (1.2 * cos(turn + k * 2 * pi / 3), 1.2 * sin(turn + k * 2 * pi / 3)) for k in range(3)
        ]
    if name == "diamond":
        return [(0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)]
    if name in ("cross", "x"):
        w = 0.35
        plus = [(-w, -1), (w, -1), (w, -w), (1, -w), (1, w), (w, w)]
        plus += [(w, 1), (-w, 1), (-w, w), (-1, w), (-1, -w), (-w, -w)]
        turn = pi / 4 if name == "x" else 0.0
        return [(a * cos(turn) - b * sin(turn), a * sin(turn) + b * cos(turn)) for a, b in plus]
    return [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]  # square, and what we do not know
