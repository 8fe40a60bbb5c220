"""EIPM of each sensitive attribute, of all together, and where it is worst, in words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from frem_core.attributes import ALL_TOGETHER, read_attributes
from frem_core.crossing import FEW_ROWS, filled_places
from frem_core.eipm.evaluation import contrast_ipm
from frem_core.eipm.inputs import as_arrays
from frem_core.eipm.permutation_test import shuffled_means
from frem_core.eipm.settings import ANY_GAMMA, ARRAY_FEATURES, EipmSettings, check_settings
from frem_core.eipm.several.plan import N_MIN
from frem_core.eipm.several.sample import JointSample

EXCESS = "excess"

# Random frequencies of the shuffled values; the mean over shuffles averages their error away.
_FEATURES = 256


def eipm_attributes(
    z: ArrayLike | Tensor,
    S: Any,
    *,
    gamma: float | Sequence[float] | None = None,
    sigma: float | str = 1.0,
    sensitive_kernel: str = "rbf",
    representation_kernel: str = "rbf",
    labels: ArrayLike | Tensor | None = None,
    positive_label: Any = 1,
    method: str = "auto",
    units: str = "as_is",
    n_min: float = N_MIN,
    permutations: int = 20,
    random_state: int = 0,
) -> pd.DataFrame:
    """EIPM of every attribute by itself, of all together, and what only the latter shows.

    Without their noise let ``J²`` be the mean squared IPM of all attributes together and ``M_d²``
    that of attribute d alone. The excess is ``√max(0, J² - Σ_d M_d²)``: for attributes that are
    independent of each other exactly the size of their interaction, and 0 on average where
    nothing depends on them.

    Args:
        z: representation, ``(n, m)`` or ``(n,)``.
        S: sensitive attributes: DataFrame, ``(n, d)`` or a list of columns, as in ``eipm``.
        gamma: bandwidth γ, one for all numbers or one for each, in units of S; by default from
            spread and number of the values, ``0.9 · min(sd, IQR / 1.34) · n^(-1/5)``.
        sigma: scale σ of the kernel on Z, or ``"median"``.
        sensitive_kernel: name of the kernel on numbers of S.
        representation_kernel: name of the kernel on Z.
        labels: when given, only rows with the positive label count.
        positive_label: which label that is.
        method: as in ``eipm``.
        units: of ``z``, as in ``eipm``.
        n_min: fewest effective neighbours of an anchor that counts in the joint EIPM.
        permutations: how often people are shuffled to see what chance gives.
        random_state: seed of the shuffles.

    Returns:
        One row for each attribute, then ``joint`` and ``excess`` where there are several:
        ``attribute``, ``eipm``, ``chance`` (its mean when people are shuffled) and
        ``share_covered``, the share of rows with enough neighbours. Where no row has enough, joint
        and excess are NaN.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> age, woman = rng.random(400), rng.random(400) < 0.5
        >>> z = np.where(woman, 1, -1) * np.where(age < 0.5, 1, -1) + rng.normal(size=400)
        >>> table = eipm_attributes(z, pd.DataFrame({"age": age, "woman": woman}), gamma=0.05)
        >>> (table["eipm"] > 2 * table["chance"]).tolist()
        [False, False, True, True]
    """
    settings = check_settings(
        gamma=ANY_GAMMA,
        sigma=sigma,
        sensitive_kernel=sensitive_kernel,
        representation_kernel=representation_kernel,
        method=method,
        features=ARRAY_FEATURES,
        random_state=0,
        units=units,
    )
    attributes = read_attributes(S, np.shape(z)[0])
    if labels is not None:
        keep = np.asarray(labels) == positive_label
        z = np.asarray(z.detach().cpu() if isinstance(z, Tensor) else z)[keep]
        attributes = attributes.of(keep)
    elif isinstance(z, Tensor):
        z = z.detach().cpu().numpy()
    orders = _orders(len(attributes), permutations, random_state)
    names = list(attributes.names)
    each = [attributes.alone(place) for place in range(len(names))]
    if len(names) > 1:
        each.append(attributes)
        names.append(ALL_TOGETHER)
    bandwidths = JointSample(
        z, attributes, gamma=gamma, n_min=n_min, settings=settings
    ).joint.gammas
    rows, squares = [], []
    for place, (name, one) in enumerate(zip(names, each, strict=True)):
        own = bandwidths if one is attributes else bandwidths[place : place + 1]
        known = [value for value in own if value is not None] or None
        sample = JointSample(z, one, gamma=known, n_min=n_min, settings=settings)
        found, means, its_squares, covered = _judged(z, sample, orders, settings)
        squares.append(its_squares)
        rows.append((name, found, float(means[1:].mean()), covered))
    table = pd.DataFrame(rows, columns=["attribute", "eipm", "chance", "share_covered"])
    if len(attributes.names) > 1:
        over = (squares[-1] - sum(squares[:-1])).clamp(min=0.0).sqrt()
        last = [EXCESS, float(over[0]), float(over[1:].mean()), table["share_covered"].iloc[-1]]
        table.loc[len(table)] = last
    return table


def _judged(
    z: Any, sample: JointSample, orders: list[Tensor], settings: EipmSettings
) -> tuple[float, Tensor, Tensor, float]:
    """EIPM, its values and noise-free squares in every order, and the share of rows covered."""
    value = sample.value()
    if len(sample) < 3 or not np.isfinite(value):
        unknown = torch.full((len(orders),), value, dtype=torch.float64)
        return value, unknown, unknown, 0.0
    features = settings if len(sample) <= 4000 else replace(settings, features=_FEATURES)
    rows, _ = as_arrays(z, sample.attributes.values[:, 0], None, 1)
    plan = sample.plan()
    rows = plan.sorted(rows)
    means, squares = shuffled_means(rows, plan.weights, orders, replace(features, noise="removed"))
    return value, means, squares, plan.share_covered


def eipm_places(
    z: ArrayLike | Tensor,
    S: Any,
    *,
    sigma: float | str = 1.0,
    representation_kernel: str = "rbf",
    units: str = "as_is",
    n_min: int = FEW_ROWS,
) -> pd.DataFrame:
    """How far people of each kind are from everybody, in words, the worst place first.

    Numbers are cut at their thirds, rounded to figures that are easy to read. Places of one
    attribute and of two or three together are compared: the more are named the smaller is the
    place, and the less is sure about it.

    Args:
        z: representation, ``(n, m)`` or ``(n,)``.
        S: sensitive attributes, as in ``eipm``.
        sigma: scale σ of the kernel on Z, or ``"median"``.
        representation_kernel: name of the kernel on Z.
        units: of ``z``, as in ``eipm``.
        n_min: places with fewer rows are not judged.

    Returns:
        ``place`` ("Female, age under 30"), ``ipm`` without its noise and ``rows``, in the order of
        what surely is more than noise.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> age, sex = rng.uniform(18, 78, 300), ["Female", "Male"] * 150
        >>> people = pd.DataFrame({"age": age, "sex": sex})
        >>> z = rng.normal(size=300) + 3 * ((people["sex"] == "Female") & (age < 30))
        >>> eipm_places(z, people)["place"].iloc[0]
        'Female, age under 42'
    """
    settings = check_settings(
        gamma=ANY_GAMMA,
        sigma=sigma,
        sensitive_kernel="rbf",
        representation_kernel=representation_kernel,
        method="auto",
        features=ARRAY_FEATURES,
        random_state=0,
        noise="removed",
        units=units,
    )
    attributes = read_attributes(S, np.shape(z)[0])
    rows, _ = as_arrays(z, attributes.values[:, 0], None, 1)
    places = filled_places(attributes, n_min)
    members = torch.zeros(len(places), len(attributes), dtype=torch.float64)
    for place, (_, there) in enumerate(places):
        members[place, torch.from_numpy(there)] = 1.0
    counts = members.sum(1, keepdim=True)
    ipm = contrast_ipm(rows, members / counts - 1.0 / len(attributes), settings).numpy()
    table = pd.DataFrame(
        {
            "place": [words for words, _ in places],
            "ipm": ipm,
            "rows": counts[:, 0].long().numpy(),
        }
    )
    # Few rows differ from all by chance: the square by about one over their number.
    sure = table["ipm"] * table["ipm"].abs() - 1.0 / table["rows"]
    return table.loc[sure.sort_values(ascending=False, kind="stable").index].reset_index(drop=True)


def _orders(n: int, permutations: int, random_state: int) -> list[Tensor]:
    generator = np.random.default_rng(random_state)
    return [
        torch.arange(n),
        *(torch.from_numpy(generator.permutation(n)) for _ in range(permutations)),
    ]
