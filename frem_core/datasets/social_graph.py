"""A generated social network: people befriend people of their age, and the truth is known."""

from typing import Any

import numpy as np
import pandas as pd

from frem_core.datasets.bunch import to_bunch
from frem_core.datasets.dataset import Dataset
from frem_core.datasets.graphs.graph import Edges, Graph, undirected
from frem_core.errors import ConfigError
from frem_core.types import Floats

YOUNGEST, OLDEST = 15, 75
# The logarithms of Pokec's numbers of friends have about this spread.
_DEGREE_SPREAD = 1.0
_MOST_ROUNDS = 50
_SHARES = (0.3, 0.3, 0.4)  # of the features: about age, about taste, about nothing


def social_graph_dataset(
    n_nodes: int = 67_000,
    *,
    n_edges: int | None = None,
    n_features: int = 265,
    homophily: float = 0.8,
    dependence: float = 0.6,
    seed: int = 0,
) -> Dataset:
    """`make_social_graph` as a dataset; see there."""
    if n_edges is None:
        n_edges = min(round(n_nodes * 900_000 / 67_000), n_nodes * (n_nodes - 1) // 20)
    _check(n_nodes, n_edges, n_features, homophily, dependence)
    rng = np.random.default_rng(seed)
    age = _ages(n_nodes, rng)
    s = (age - YOUNGEST) / (OLDEST - YOUNGEST)
    taste = rng.random(n_nodes)  # independent of age
    y = (taste < 0.5 + dependence * (s - 0.5)).astype(np.float64)
    graph = Graph(n_nodes, _friendships(age, n_edges, homophily, rng))
    return Dataset(
        name="social_graph",
        features=_interests(s, taste, n_features, rng),
        target=y,
        sensitive=age,
        task="classification",
        target_name="joined",
        sensitive_name="age",
        class_names=("no", "yes"),
        description=(
            f"Generated social network: {n_nodes:,} people, {graph.n_edges:,} friendships; "
            f"P(joined | S = s) = 1/2 + {dependence:g} (s − 1/2) with s from age {YOUNGEST} to "
            f"{OLDEST}."
        ),
        graph=graph,
    )


def make_social_graph(
    n_nodes: int = 67_000,
    *,
    n_edges: int | None = None,
    n_features: int = 265,
    homophily: float = 0.8,
    dependence: float = 0.6,
    seed: int = 0,
    as_frame: bool = True,
    return_X_y: bool = False,
) -> Any:
    """Returns a social network of Pokec's size whose dependence on age is known exactly.

    With ``s = (age − 15) / 60`` the target follows ``P(Y = 1 | S = s) = ½ + dependence · (s − ½)``:
    a person's taste, uniform on [0, 1] and independent of age, lies below that line. Features are
    0/1 interests: three in ten depend on age, three in ten on taste, the others on nothing. Numbers
    of friends are log-normal as in Pokec, and friends are close in age.

    Args:
        n_nodes: number of people.
        n_edges: number of friendships; by default as many a person as in Pokec.
        n_features: number of interests.
        homophily: share of friendships made within a few years of age; the others are made
            without looking at age.
        dependence: slope of the target's probability over s, in [−1, 1]; 0 makes it independent.
        seed: chooses the network.
        as_frame: pandas objects instead of NumPy arrays.
        return_X_y: only ``(data, target)``.

    Returns:
        A Bunch with ``data``, ``target``, ``sensitive_features`` (age in years), ``edges`` and
        more; or ``(data, target)``. `social_graph_dataset` gives the same as a `Dataset`.

    >>> make_social_graph(500, n_features=10).edges.shape
    (6716, 2)
    """
    dataset = social_graph_dataset(
        n_nodes,
        n_edges=n_edges,
        n_features=n_features,
        homophily=homophily,
        dependence=dependence,
        seed=seed,
    )
    return to_bunch(dataset, as_frame=as_frame, return_X_y=return_X_y)


def _ages(n_nodes: int, rng: np.random.Generator) -> Floats:
    """Whole years, most of them young, as in Pokec."""
    years: Floats = YOUNGEST + np.floor(rng.gamma(2.0, 7.0, n_nodes))
    return years.clip(max=OLDEST)


def _friendships(age: Floats, n_edges: int, homophily: float, rng: np.random.Generator) -> Edges:
    """Draws pairs of people in proportion to how sociable both are, until there are enough."""
    order = np.lexsort([rng.random(len(age)), age])
    sociability = rng.lognormal(0.0, _DEGREE_SPREAD, len(age))[order]
    # People stand in line by age, each as wide as sociable: a place in the line is a person.
    ends = np.cumsum(sociability)
    reach = 0.03 * ends[-1]
    found = np.empty((0, 2), dtype=np.int64)
    for _ in range(_MOST_ROUNDS):
        count = round(1.2 * (n_edges - len(found))) + 100
        first = rng.random(count) * ends[-1]
        near = np.abs(first + rng.normal(0.0, reach, count))
        near = np.where(near > ends[-1], 2 * ends[-1] - near, near)
        second = np.where(rng.random(count) < homophily, near, rng.random(count) * ends[-1])
        places = np.column_stack([np.searchsorted(ends, first), np.searchsorted(ends, second)])
        new = order[np.minimum(places, len(age) - 1)]
        found = undirected(np.concatenate([found, new]), len(age))
        if len(found) >= n_edges:
            return found[rng.permutation(len(found))[:n_edges]]
    raise ConfigError(
        f"{len(age):,} people with homophily {homophily:g} do not make {n_edges:,} friendships; "
        "ask for fewer, or for less homophily."
    )


def _interests(s: Floats, taste: Floats, n_features: int, rng: np.random.Generator) -> pd.DataFrame:
    """0/1 columns; the logit of each is linear in age, in taste, or constant."""
    kinds = rng.choice(3, n_features, p=_SHARES)
    kinds[:2] = [0, 1]
    names = ("age", "taste", "other")
    columns = {}
    for number, kind in enumerate(kinds):
        slope, rarity = rng.normal(0.0, 3.0), rng.normal(-1.5, 1.0)
        cause = (s - s.mean(), taste - 0.5, np.zeros_like(s))[kind]
        chance = 1.0 / (1.0 + np.exp(-(rarity + slope * cause)))
        columns[f"{names[kind]}_{number}"] = (rng.random(len(s)) < chance).astype(np.int8)
    return pd.DataFrame(columns)


def _check(
    n_nodes: int, n_edges: int, n_features: int, homophily: float, dependence: float
) -> None:
    if n_nodes < 50:
        raise ConfigError(f"n_nodes = {n_nodes} is too few; give at least 50.")
    if not 1 <= n_edges <= n_nodes * (n_nodes - 1) // 8:
        raise ConfigError(
            f"n_edges = {n_edges:,} must lie between 1 and {n_nodes * (n_nodes - 1) // 8:,}, a "
            "quarter of all pairs."
        )
    if n_features < 2:
        raise ConfigError(f"n_features = {n_features} must be at least 2.")
    if not 0.0 <= homophily <= 1.0:
        raise ConfigError(f"homophily = {homophily} is a share; give 0 to 1.")
    if not -1.0 <= dependence <= 1.0:
        raise ConfigError(f"dependence = {dependence} must lie between -1 and 1.")
