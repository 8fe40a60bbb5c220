"""Min-max scaling of variables, and the way back to their own units."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frem_core.attributes import Attributes
from frem_core.errors import DataError


@dataclass(frozen=True)
class MinMax:
    """Maps ``[low, high]`` to ``[0, 1]``: ``(v − low) / (high − low)``.

    Values outside ``[low, high]`` land outside ``[0, 1]``; the caller decides about clipping.
    A variable that does not vary is mapped to 0.

    >>> age = MinMax(17.0, 90.0)
    >>> float(age.inverse(age.transform(53.5)))
    53.5
    """

    low: float
    high: float

    @classmethod
    def fit(cls, values: NDArray[np.floating]) -> "MinMax":
        """Takes the smallest and largest value; missing ones do not count."""
        known = values[~np.isnan(values)]
        if not len(known):
            return cls(0.0, 0.0)
        return cls(float(known.min()), float(known.max()))

    @property
    def is_constant(self) -> bool:
        """Whether the variable does not vary (or by less than can be divided by)."""
        return self.high - self.low < 1e-150

    def transform(self, values: ArrayLike) -> NDArray[np.float64]:
        """From own units to the scale on which ``[low, high]`` is ``[0, 1]``."""
        shifted = np.asarray(values, dtype=np.float64) - self.low
        if self.is_constant:
            return np.zeros_like(shifted)
        return shifted / (self.high - self.low)

    def inverse(self, values: ArrayLike) -> NDArray[np.float64]:
        """From the ``[0, 1]`` scale back to own units."""
        return self.low + np.asarray(values, dtype=np.float64) * (self.high - self.low)


IDENTITY = MinMax(0.0, 1.0)


@dataclass(frozen=True)
class AttributeScales:
    """How several sensitive attributes were read: ranges of numbers, levels of categories.

    Attributes:
        names: of the attributes.
        ranges: what stands for [0, 1] of each number; None for a category.
        levels: of each category; None for a number.

    >>> import pandas as pd
    >>> from frem_core.attributes import read_attributes
    >>> people = read_attributes(pd.DataFrame({"age": [20.0, 60.0], "sex": ["f", "m"]}), 2)
    >>> further = read_attributes(pd.DataFrame({"sex": ["m"], "age": [40.0]}), 1)
    >>> AttributeScales.fit(people).transform(further).values.tolist()
    [[0.5, 1.0]]
    """

    names: tuple[str, ...]
    ranges: tuple[MinMax | None, ...]
    levels: tuple[tuple[str, ...] | None, ...]

    @classmethod
    def fit(cls, attributes: Attributes) -> "AttributeScales":
        """Takes the smallest and largest value of every number."""
        ranges = [
            None if levels is not None else MinMax.fit(column)
            for column, levels in zip(attributes.values.T, attributes.levels, strict=True)
        ]
        return cls(attributes.names, tuple(ranges), attributes.levels)

    @property
    def leading(self) -> MinMax:
        """The range of the first number."""
        return next(scale for scale in self.ranges if scale is not None)

    def transform(self, attributes: Attributes) -> Attributes:
        """People with these attributes: numbers within [0, 1], categories by their level here.

        Raises:
            DataError: attributes are others, of another kind, or have a level nobody had before.
        """
        if set(attributes.names) != set(self.names):
            raise DataError(
                f"The sensitive attributes were {', '.join(self.names)} and now are "
                f"{', '.join(attributes.names)}; give the same."
            )
        columns = []
        for name, scale, levels in zip(self.names, self.ranges, self.levels, strict=True):
            place = attributes.names.index(name)
            column, given = attributes.values[:, place], attributes.levels[place]
            if (levels is None) != (given is None):
                kinds = (
                    ("a number", "a category") if given is not None else ("a category", "a number")
                )
                raise DataError(
                    f"The sensitive attribute '{name}' was {kinds[0]} and now is {kinds[1]}; give "
                    "it as it was."
                )
            if scale is not None:
                columns.append(np.clip(scale.transform(column), 0.0, 1.0))
            elif given is not None and levels is not None:
                columns.append(_renumbered(name, column, given, levels))
        return Attributes(self.names, np.stack(columns, axis=1), self.levels)


def _renumbered(
    name: str, column: NDArray[np.float64], given: tuple[str, ...], levels: tuple[str, ...]
) -> NDArray[np.float64]:
    """The numbers of levels in another order."""
    unknown = [level for level in given if level not in levels]
    if unknown:
        raise DataError(
            f"The sensitive attribute '{name}' has the category '{unknown[0]}', which it had in no "
            f"row before; it had {', '.join(levels)}."
        )
    numbers = np.array([levels.index(level) for level in given], dtype=np.float64)
    renumbered: NDArray[np.float64] = numbers[column.astype(np.intp)]
    return renumbered
