"""A small social network as a user would bring it."""

import numpy as np
import pandas as pd


def people(n_people: int = 120, *, seed: int = 0) -> pd.DataFrame:
    """A node table with an id, a category, a number, an age and a yes/no target."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 70, n_people)
    score = rng.normal(age / 20, 1.0)
    return pd.DataFrame(
        {
            "who": [f"p{number}" for number in range(n_people)],
            "town": rng.choice(["north", "south", "east"], n_people),
            "score": score.round(3),
            "age": age,
            "joined": np.where(score > np.median(score), "yes", "no"),
        }
    )


def friendships(n_people: int = 120, *, seed: int = 1) -> pd.DataFrame:
    """A ring, so that nobody is alone, and some random friendships."""
    rng = np.random.default_rng(seed)
    ring = np.column_stack([np.arange(n_people), np.roll(np.arange(n_people), -1)])
    first = rng.integers(0, n_people, 60)
    others = np.column_stack([first, (first + rng.integers(2, n_people - 1, 60)) % n_people])
    pairs = np.concatenate([ring, others])
    return pd.DataFrame({"a": pairs[:, 0], "b": pairs[:, 1]}).map(lambda number: f"p{number}")
