"""Marks where along S too few rows speak for a curve to be trusted."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

FEWEST = 30
"""Effective rows below which a value along S is mostly noise."""


def thin_stretches(
    s: ArrayLike, effective_n: ArrayLike, fewest: float = FEWEST
) -> list[tuple[float, float]]:
    """The stretches of S in which fewer than ``fewest`` rows effectively speak.

    Each reaches half way to the neighbouring values that have enough.

    Args:
        s: rising values, (points,).
        effective_n: rows that effectively speak at each, (points,).
        fewest: what is enough.

    >>> thin_stretches([0.0, 1.0, 2.0, 3.0], [100, 100, 5, 2])
    [(1.5, 3.0)]
    """
    values, thin = np.asarray(s, np.float64), np.asarray(effective_n, np.float64) < fewest
    if not len(values):
        return []
    borders = np.concatenate([values[:1], (values[1:] + values[:-1]) / 2, values[-1:]])
    changes = np.diff(np.concatenate([[False], thin, [False]]).astype(int))
    starts, stops = np.flatnonzero(changes == 1), np.flatnonzero(changes == -1)
    return [(float(borders[a]), float(borders[b])) for a, b in zip(starts, stops, strict=True)]


def shade_thin_data(
    figure: go.Figure, s: ArrayLike, effective_n: ArrayLike, fewest: float = FEWEST
) -> go.Figure:
    """Shades those stretches and writes "too little data here" into the widest one."""
    stretches = thin_stretches(s, effective_n, fewest)
    widest = max((high - low for low, high in stretches), default=0.0)
    for low, high in stretches:
        is_widest = high - low == widest
        figure.add_vrect(
            x0=low,
            x1=high,
            fillcolor="rgba(122, 130, 136, 0.22)",
            line_width=0,
            layer="below",
            annotation={"text": "too little data here", "font": {"size": 12}} if is_widest else {},
            annotation_position="top right",
        )
    return figure
