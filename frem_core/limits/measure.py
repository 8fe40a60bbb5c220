"""How the score of a limit is measured on rows: along the leading attribute or a named one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from frem_core.attributes import Attributes
from frem_core.eipm import eipm
from frem_core.evaluation.several import gap_between
from frem_core.limits.limit import Limit
from frem_core.metrics.classes import suited
from frem_core.types import Floats

EIPM: Final = {"gamma": 0.05, "sigma": 1.0}
"""How EIPM is measured where its value is reported, whatever a method penalises."""


@dataclass(frozen=True)
class Measure:
    """A limit's score as a function of rows.

    Attributes:
        function: of targets and predictions, or of representations, as a metric takes them.
        of_representation: which of both.
        place: column of the attribute; None for the leading one.
        options: of the function.
    """

    function: Callable[..., float]
    of_representation: bool
    place: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, limit: Limit, attributes: Attributes | None, p: Floats) -> "Measure":
        """How a single limit is measured; an unknown attribute was refused before.

        Args:
            limit: whose score.
            attributes: where there are several.
            p: predictions (n,), or (n, C) of more than two classes: their score is the mean over
                each class against all others.
        """
        metric = (
            limit.metric if limit.metric.measures == "representation" else suited(limit.metric, p)
        )
        of_z = metric.measures == "representation"
        options = EIPM if of_z else {}
        if limit.attribute is None or attributes is None:
            return cls(metric, of_z, None, options)
        place = attributes.names.index(limit.attribute)
        if attributes.levels[place] is None:
            return cls(metric, of_z, place, options)
        return cls(_eipm_of_category if of_z else _gdp_of_category, of_z, place)

    def column(self, s: Floats, attributes: Attributes | None) -> Floats:
        """The sensitive values it looks at: those of the leading attribute are ``s``."""
        if self.place is None or attributes is None:
            return s
        column: Floats = attributes.values[:, self.place]
        return column

    def arrays(self, y: Floats, p: Floats, z: ArrayLike) -> tuple[ArrayLike, ...]:
        """What the function takes by position."""
        return (z,) if self.of_representation else (y, p)


def _gdp_of_category(y: Floats | None, p: Floats, *, sensitive_features: Floats) -> float:
    s, columns = np.asarray(sensitive_features), np.asarray(p).reshape(len(p), -1).T
    return float(np.mean([gap_between(column, s) for column in columns]))


def _eipm_of_category(z: ArrayLike, *, sensitive_features: Floats) -> float:
    levels = np.asarray(sensitive_features).astype(np.intp).astype(str)
    return float(eipm(z, levels, sigma=EIPM["sigma"]))
