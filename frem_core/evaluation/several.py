"""Scores of each of several sensitive attributes, and of all of them together."""

import warnings
from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
import torch

from frem_core.attributes import ALL_TOGETHER, Attributes
from frem_core.eipm import UncoveredWarning, eipm
from frem_core.eipm.joint_kernel import JointKernel
from frem_core.kernels import get_kernel
from frem_core.metrics import gdp
from frem_core.types import Floats

# A place is near somebody when the weights of all people add up to this.
_SMALLEST_MASS = 0.01


def attribute_score(score: str, attribute: str) -> str:
    """The name of a score of one attribute, or of all together.

    >>> attribute_score("gdp", "sex")
    'gdp@sex'
    """
    return f"{score}@{attribute}"


def several_scores(
    p: Floats, z: Floats, attributes: Attributes, *, gamma: float, **settings: Any
) -> dict[str, float]:
    """ΔGDP and EIPM of every attribute, and of all together where there are enough people.

    For a category ΔGDP is ``Σ_c P(c) |E[p | c] - E[p]|``; for all attributes together it is the
    mean over people of ``|E[p | neighbours] - E[p]|`` with the kernel of `frem_core.eipm.eipm`.

    Args:
        p: predictions, (n,).
        z: representation, (n, m).
        attributes: numbers in [0, 1] and categories.
        gamma: bandwidth of all numbers.
        **settings: further ones of ``eipm``.

    Returns:
        By names as `attribute_score` gives them; those of all together are left out where no
        combination has enough people.
    """
    scores: dict[str, float] = {}
    for place, (name, levels) in enumerate(zip(attributes.names, attributes.levels, strict=True)):
        column = attributes.values[:, place]
        if levels is None:
            gap = gdp(p, p, sensitive_features=column)
            distance = eipm(z, column, gamma=gamma, **settings)
        else:
            gap = gap_between(p, column)
            texts = np.asarray(levels)[column.astype(np.intp)]
            distance = eipm(z, texts, **settings)
        scores[attribute_score("gdp", name)] = gap
        scores[attribute_score("eipm", name)] = distance
    everything = attributes.shown(attributes.values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncoveredWarning)
        mean = eipm(p, everything, gamma=gamma, representation_kernel="epanechnikov")
        together = eipm(z, everything, gamma=gamma, **settings)
    # On one number the Epanechnikov kernel compares means: √1.5 times their distance.
    found = {"gdp": mean / sqrt(1.5), "eipm": together}
    return scores | {
        attribute_score(name, ALL_TOGETHER): float(value)
        for name, value in found.items()
        if np.isfinite(value)
    }


def gap_between(p: Floats, groups: Floats) -> float:
    """ΔGDP of a category: ``Σ_c P(c) |E[p | c] - E[p]|``."""
    levels, place, counts = np.unique(groups, return_inverse=True, return_counts=True)
    means = np.bincount(place, weights=p, minlength=len(levels)) / counts
    return float((counts / len(p)) @ np.abs(means - p.mean()))


def mean_by_place(
    p: Floats, attributes: Attributes, *, gamma: Sequence[float], steps: int = 31
) -> pd.DataFrame:
    """Mean prediction of the people near each place, over a grid of all attributes.

    Args:
        p: predictions, (n,).
        attributes: of n people, in any units.
        gamma: bandwidth of each number, in its units.
        steps: of the grid along each number.

    Returns:
        A column for each attribute, ``mean``, and ``effective_n``, the number of people who
        effectively speak there; ``mean`` is NaN where nobody is near.
    """
    joint = JointKernel.of(attributes, get_kernel("rbf"), gamma)
    places = attributes.grid(steps)
    people, values = torch.from_numpy(attributes.values), torch.from_numpy(np.asarray(p, float))
    means, speaking = [], []
    for some in torch.split(torch.from_numpy(places), max(1, 2**24 // len(values))):
        logits = joint.log(some, people)
        # Far from everybody a softmax would still name the nearest.
        near = logits.exp().sum(1) > _SMALLEST_MASS
        weights = torch.softmax(logits, 1).nan_to_num_(nan=0.0)
        means.append(torch.where(near, weights @ values, torch.nan))
        speaking.append(torch.where(near, 1 / weights.square().sum(1).clamp(min=1e-12), 0.0))
    return attributes.shown(places).assign(
        mean=torch.cat(means).numpy(), effective_n=torch.cat(speaking).numpy()
    )
