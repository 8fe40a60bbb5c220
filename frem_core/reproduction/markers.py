"""Marker shapes of the charts as SVG, under Plotly's names."""

from math import cos, pi, sin

_SIZE = 5.0
# Corners of each shape around 0, in units of the size.
_TRIANGLES = {"left": pi, "right": 0.0, "up": -pi / 2, "down": pi / 2}


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
