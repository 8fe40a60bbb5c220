"""Colours, markers and names of series, and how they stay visible on light and on dark ground.

Every colour of the palette has a contrast of at least 3:1 against both page backgrounds. Colour is
never the only cue: series also differ in shape, dash or text.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from frem_core.figures.plain_text import plain_text

TEAL = "#0A8692"
ORANGE = "#DA5A2A"
PURPLE = "#8A63C9"
GREY = "#7A8288"

SERIES = (
    (TEAL, "circle", "solid"),
    (ORANGE, "square", "dash"),
    (PURPLE, "diamond", "dot"),
    ("#B07D00", "triangle-up", "dashdot"),
    ("#2F7FC1", "cross", "longdash"),
    ("#CE4A7E", "x", "longdashdot"),
    (GREY, "star", "solid"),
)
"""Colour, marker symbol and dash of the first, second, … series of a chart."""
LIGHT_GROUND: Final = "#FFFFFF"
DARK_GROUND: Final = "#0E1518"
INK: Final = "#000000"
"""Black is the colour of ink, so it follows the ground."""
INK_ON_DARK: Final = "#E8F0F1"
"""What black becomes on dark ground."""
# Guidelines ask 3 of graphics; thin lines on dark ground need more to look the same.
_ENOUGH, _ENOUGH_ON_DARK = 3.0, 4.5
_STEPS = 50
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two #rrggbb colours, from 1 (equal) to 21, as WCAG defines it.

    >>> round(contrast("#000000", "#FFFFFF"))
    21
    """
    bright, dim = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def readable(colour: str, *, dark: bool) -> str:
    """The colour itself, or the nearest shade of it that stands out from the page's ground.

    Black is the colour of ink, so it becomes light ink on dark ground.

    Args:
        colour: as #rrggbb.
        dark: whether the ground is dark.

    >>> readable("#007580", dark=False)
    '#007580'
    >>> readable("#000000", dark=True)
    '#E8F0F1'
    """
    if dark and colour == INK:
        return INK_ON_DARK
    ground, goal = (DARK_GROUND, "#FFFFFF") if dark else (LIGHT_GROUND, "#000000")
    enough = _ENOUGH_ON_DARK if dark else _ENOUGH
    shades = (_mix(colour, goal, step / _STEPS) for step in range(_STEPS + 1))
    return next(shade for shade in shades if contrast(shade, ground) >= enough)


def _luminance(colour: str) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _mix(colour: str, other: str, share: float) -> str:
    mixed = (
        round(own + share * (goal - own))
        for own, goal in zip(channels(colour), channels(other), strict=True)
    )
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of a #rrggbb colour, 0 to 255."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return red, green, blue


@dataclass(frozen=True)
class SeriesLook:
    """Name, colour and marker of one series.

    Attributes:
        title: in the legend.
        colour: as #rrggbb.
        symbol: Plotly's name of the marker.
    """

    title: str
    colour: str
    symbol: str


def method_looks(names: Iterable[str]) -> dict[str, SeriesLook]:
    """The looks of methods by registered name, as each method declares them itself.

    >>> method_looks(["frem"])["frem"]
    SeriesLook(title='FREM', colour='#007580', symbol='star')
    """
    # Here and not above: figures without methods should not wait for torch.
    from frem_core.methods import get_method

    methods = {name: get_method(name) for name in dict.fromkeys(names)}
    return {name: SeriesLook(one.title, one.colour, one.symbol) for name, one in methods.items()}


@dataclass(frozen=True)
class RunLook:
    """Name, colour, marker and dash of one run.

    Attributes:
        title: what it is called; figures show it as text.
        colour: as #rrggbb, the method's.
        symbol: Plotly's name of the marker, the method's; hollow for the second, … run of it.
        dash: Plotly's name; no two runs of a comparison share it until there are more than six.
    """

    title: str
    colour: str
    symbol: str
    dash: str

    @property
    def text(self) -> str:
        """The title as figures take it: names of columns in it stay text."""
        return plain_text(self.title, longest=None)

    @property
    def tint(self) -> str:
        """The colour, mostly transparent, for areas."""
        return f"rgba{(*channels(self.colour), 0.16)}"


def run_looks(runs: Iterable[tuple[str, str]], *, dark: bool = False) -> list[RunLook]:
    """The looks of runs in their order, given (method, title) of each.

    >>> [look.dash for look in run_looks([("frem", "FREM, λ 0.1"), ("frem", "FREM, λ 1")])]
    ['solid', 'dash']
    """
    given = list(runs)
    methods = method_looks(method for method, _ in given)
    looks, seen = [], set()
    for place, (method, title) in enumerate(given):
        own = methods[method]
        symbol = f"{own.symbol}-open" if method in seen else own.symbol
        seen.add(method)
        dash = _DASHES[place % len(_DASHES)]
        looks.append(RunLook(title, readable(own.colour, dark=dark), symbol, dash))
    return looks
