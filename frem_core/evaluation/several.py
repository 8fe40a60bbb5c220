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
from frem_core.eipm.several.kernel import JointKernel
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
    scores = gaps_along(p, attributes)
    for name, levels, column in zip(
        attributes.names, attributes.levels, attributes.values.T, strict=True
    ):
        if levels is None:
            distance = eipm(z, column, gamma=gamma, **settings)
        else:
            distance = eipm(z, np.asarray(levels)[column.astype(np.intp)], **settings)
        scores[attribute_score("eipm", name)] = distance
    return (
        scores
        | _together("gdp", gap_of_all(p, attributes, gamma=gamma))
        | _together("eipm", _of_all(z, attributes, gamma=gamma, **settings))
    )


def gaps_along(p: Floats, attributes: Attributes) -> dict[str, float]:
    """ΔGDP of predictions along every attribute by itself, by names as ``gdp@sex``."""
    return {
        attribute_score("gdp", name): gap_between(p, column)
        if levels is not None
        else gdp(p, p, sensitive_features=column)
        for name, levels, column in zip(
            attributes.names, attributes.levels, attributes.values.T, strict=True
        )
    }


def gap_of_all(p: Floats, attributes: Attributes, *, gamma: float) -> float:
    """ΔGDP along all attributes together; NaN where no combination has enough people."""
    # On one number the Epanechnikov kernel compares means: √1.5 times their distance.
    return _of_all(p, attributes, gamma=gamma, representation_kernel="epanechnikov") / sqrt(1.5)


def _of_all(z: Floats, attributes: Attributes, **settings: Any) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncoveredWarning)
        return float(eipm(z, attributes.shown(attributes.values), **settings))


def _together(score: str, value: float) -> dict[str, float]:
    return {attribute_score(score, ALL_TOGETHER): value} if np.isfinite(value) else {}


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
