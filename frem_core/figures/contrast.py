"""Keeps a colour of the palette visible on light and on dark ground."""

from typing import Final

LIGHT_GROUND: Final = "#FFFFFF"
DARK_GROUND: Final = "#0E1518"
_BLACK, _INK_ON_DARK = "#000000", "#E8F0F1"
# Guidelines ask 3 of graphics; thin lines on dark ground need more to look the same.
_ENOUGH, _ENOUGH_ON_DARK = 3.0, 4.5
_STEPS = 50


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
    if dark and colour == _BLACK:
        return _INK_ON_DARK
    ground, goal = (DARK_GROUND, "#FFFFFF") if dark else (LIGHT_GROUND, "#000000")
    enough = _ENOUGH_ON_DARK if dark else _ENOUGH
    shades = (_mix(colour, goal, step / _STEPS) for step in range(_STEPS + 1))
    return next(shade for shade in shades if contrast(shade, ground) >= enough)


def _luminance(colour: str) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _mix(colour: str, other: str, share: float) -> str:
    mixed = (
        round(own + share * (goal - own))
        for own, goal in zip(_channels(colour), _channels(other), strict=True)
    )
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


def _channels(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return red, green, blue
