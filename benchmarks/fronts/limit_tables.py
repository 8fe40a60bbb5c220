"""Five tables to keep limits on: two that come with the program and three drawn anew."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from frem_core.datasets import Dataset, load_dataset

SEED = 101
"""Draws and splits the tables; settings of the controller were chosen on seeds below 20."""


def _random(table: int, fresh: int) -> np.random.Generator:
    """Draws a table, or so many further rows of its kind."""
    return np.random.default_rng([SEED, table, fresh] if fresh else [SEED, table])


def rents(fresh: int = 0) -> Dataset:
    """Rents in euros along a skewed income; some hundreds of test rows."""
    random = _random(1, fresh)
    n = fresh or int(random.integers(4_000, 6_000))
    income = random.gamma(3, 9_000, n)
    metres = random.normal(60, 15, n) + income / 2_000
    quarter = random.choice(list("abcd"), n)
    rent = 300 + 8 * metres + 0.006 * income + 60 * (quarter == "a") + random.normal(0, 60, n)
    features = pd.DataFrame(
        {
            "metres": metres,
            "quarter": pd.Categorical(quarter),
            "spending": 0.3 * income + random.normal(0, 2_500, n),
            "floor": random.integers(0, 9, n),
        }
    )
    return _dataset("rents", features, rent, income, "rent", "income")


def loans(fresh: int = 0) -> Dataset:
    """Loans paid back or not; middle-aged people do so most often."""
    random = _random(2, fresh)
    n = fresh or int(random.integers(8_000, 12_000))
    age = random.integers(18, 85, n).astype(np.float64)
    years = np.clip((age - 18) * random.uniform(0.2, 0.9, n), 0, None)
    habits = random.normal(size=(n, 4))
    level = 1.2 * habits[:, 0] - 0.8 * habits[:, 1] + 0.05 * (age - 45) + 0.03 * years
    level -= 0.0012 * (age - 45) ** 2
    paid = (level + random.logistic(0, 0.8, n) > np.median(level)).astype(np.float64)
    features = pd.DataFrame(habits, columns=["a", "b", "c", "d"]).assign(
        years=years, health=-0.02 * age + random.normal(0, 0.5, n)
    )
    return _dataset("loans", features, paid, age, "paid", "age", class_names=("no", "yes"))


def marks(fresh: int = 0) -> Dataset:
    """A positive, skewed target that waves along deprivation."""
    random = _random(3, fresh)
    n = fresh or int(random.integers(5_000, 8_000))
    deprivation = random.beta(2, 5, n) * 100
    parts = random.normal(size=(n, 6))
    wave = np.sin(deprivation / 10)
    mark = np.exp(
        0.5 * parts[:, 0]
        + 0.3 * parts[:, 1]
        + 0.012 * deprivation
        + 0.2 * wave
        + random.normal(0, 0.3, n)
    )
    features = (
        pd.DataFrame(parts)
        .rename(columns=str)
        .assign(
            street=deprivation / 20 + random.normal(0, 1, n), school=wave + random.normal(0, 0.7, n)
        )
    )
    return _dataset("marks", features, mark, deprivation, "mark", "deprivation")


def _dataset(
    name: str,
    features: pd.DataFrame,
    target: np.ndarray,
    sensitive: np.ndarray,
    target_name: str,
    sensitive_name: str,
    class_names: tuple[str, str] | None = None,
) -> Dataset:
    return Dataset(
        name=name,
        features=features,
        target=target,
        sensitive=sensitive,
        task="regression" if class_names is None else "classification",
        target_name=target_name,
        sensitive_name=sensitive_name,
        class_names=class_names,
        description=f"Drawn anew: {name}.",
    )


DRAWN: dict[str, Callable[[int], Dataset]] = {"rents": rents, "loans": loans, "marks": marks}
"""Tables of which there are as many further rows as one likes."""

TABLES: dict[str, Callable[[], Dataset]] = {
    "crime": lambda: load_dataset("crime"),
    "retirement_savings": lambda: load_dataset("retirement_savings"),
    **DRAWN,
}
