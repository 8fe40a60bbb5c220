"""Colours and marker shapes that stay apart for colour-blind readers and on light and dark ground.

Every colour here has a contrast of at least 3:1 against both page backgrounds. Colour is never the
only cue: series also differ in shape, dash or text.
"""

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
