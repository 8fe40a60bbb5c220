"""Five tables to keep limits on: two that come with the program and three drawn anew each time.

Environment:
    FREM_DRAW: the number that draws them, to have the same ones again; default a new one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from secrets import randbelow
from typing import Final

import numpy as np
import pandas as pd

from frem_core.datasets import Dataset, load_dataset
from frem_core.settings import whole_number
from frem_core.types import Floats

VARIABLE: Final = "FREM_DRAW"
_SMALLEST: Final = 1_000  # settings of the controller were chosen on smaller ones

BUILT_IN: Final = ("crime", "retirement_savings")


def new_draw() -> int:
    """The number that draws tables: that of the environment, else one nobody has seen."""
    given = whole_number(VARIABLE)
    return _SMALLEST + randbelow(1_000_000 - _SMALLEST) if given is None else given


@dataclass(frozen=True)
class _Nature:
    """What all rows of one table have in common.

    Attributes:
        strength: how much the target follows S, beside the other features.
        unit: of the target, beside the usual one: thousands, or hundredths.
        sensitive_unit: of S, e.g. months instead of years.
    """

    strength: float
    unit: float
    sensitive_unit: float


@dataclass(frozen=True)
class DrawnTable:
    """A table that was drawn, and as many further rows of its kind as one likes.

    Attributes:
        kind: one of `KINDS`.
        draw: the number that draws it.
        rows: how many it has; drawn too when None.
    """

    kind: str
    draw: int
    rows: int | None = None

    @cached_property
    def _place(self) -> int:
        return list(KINDS).index(self.kind)

    def table(self) -> Dataset:
        """The table itself."""
        random = np.random.default_rng([self.draw, self._place, 1])
        size = int(random.integers(*_SIZES[self.kind]))
        return self._drawn(random, self.rows or size)

    def further(self, rows: int) -> Dataset:
        """So many further rows of its kind."""
        return self._drawn(np.random.default_rng([self.draw, self._place, 2]), rows)

    def _drawn(self, random: np.random.Generator, rows: int) -> Dataset:
        of_all = np.random.default_rng([self.draw, self._place])
        nature = _Nature(
            strength=float(of_all.uniform(0.7, 1.3)),
            unit=float(of_all.choice([0.001, 1.0, 100.0])),
            sensitive_unit=float(of_all.choice([0.001, 1.0, 12.0])),
        )
        return KINDS[self.kind](nature, random, rows)


def _rents(nature: _Nature, random: np.random.Generator, n: int) -> Dataset:
    """Rents along a skewed income, which what people spend gives away."""
    income = random.gamma(3, 9_000, n)
    metres = random.normal(60, 15, n) + nature.strength * income / 2_000
    quarter = random.choice(list("abcd"), n)
    rent = 300 + 8 * metres + 60 * (quarter == "a") + random.normal(0, 60, n)
    rent += 0.006 * nature.strength * income
    features = pd.DataFrame(
        {
            "metres": metres,
            "quarter": pd.Categorical(quarter),
            "spending": 0.3 * income + random.normal(0, 2_500, n),
            "floor": random.integers(0, 9, n),
        }
    )
    return _dataset("rent", features, rent, "income", income, nature)


def _loans(nature: _Nature, random: np.random.Generator, n: int) -> Dataset:
    """Loans paid back or not; middle-aged people do so most often."""
    age = random.integers(18, 85, n).astype(np.float64)
    years = np.clip((age - 18) * random.uniform(0.2, 0.9, n), 0, None)
    habits = random.normal(size=(n, 4))
    along = 0.05 * (age - 45) + 0.03 * years - 0.0012 * (age - 45) ** 2
    level = 1.2 * habits[:, 0] - 0.8 * habits[:, 1] + nature.strength * along
    paid = (level + random.logistic(0, 0.8, n) > np.median(level)).astype(np.float64)
    features = pd.DataFrame(habits, columns=["a", "b", "c", "d"]).assign(
        years=years, health=-0.02 * age + random.normal(0, 0.5, n)
    )
    return _dataset("paid", features, paid, "age", age, nature, class_names=("no", "yes"))


def _marks(nature: _Nature, random: np.random.Generator, n: int) -> Dataset:
    """A positive, skewed target that rises and waves along deprivation."""
    deprivation = random.beta(2, 5, n) * 100
    parts = random.normal(size=(n, 6))
    wave = np.sin(deprivation / 10)
    along = nature.strength * (0.024 * deprivation + 0.2 * wave)
    mark = np.exp(0.5 * parts[:, 0] + 0.3 * parts[:, 1] + along + random.normal(0, 0.3, n))
    features = (
        pd.DataFrame(parts)
        .rename(columns=str)
        .assign(
            street=deprivation / 20 + random.normal(0, 1, n), school=wave + random.normal(0, 0.7, n)
        )
    )
    return _dataset("mark", features, mark, "deprivation", deprivation, nature)


def _dataset(
    target_name: str,
    features: pd.DataFrame,
    target: Floats,
    sensitive_name: str,
    sensitive: Floats,
    nature: _Nature,
    class_names: tuple[str, str] | None = None,
) -> Dataset:
    return Dataset(
        name=f"{target_name}s, drawn",
        features=features,
        target=target if class_names else nature.unit * target,
        sensitive=nature.sensitive_unit * sensitive,
        task="classification" if class_names else "regression",
        target_name=target_name,
        sensitive_name=sensitive_name,
        class_names=class_names,
        description="Drawn anew.",
    )


KINDS: dict[str, Callable[[_Nature, np.random.Generator, int], Dataset]] = {
    "rents": _rents,
    "loans": _loans,
    "marks": _marks,
}
# Large enough that their test rows tell most limits to 15 %.
_SIZES: Final = {
    "rents": (20_000, 30_000),
    "loans": (40_000, 60_000),
    "marks": (30_000, 40_000),
}


def table_of(name: str, draw: int) -> Dataset:
    """One of the five tables."""
    return load_dataset(name) if name in BUILT_IN else DrawnTable(name, draw).table()
