"""How FREM's bandwidth γ is found: given, or chosen on a held-out part of train."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from frem_core.errors import ConfigError
from frem_core.sections import check_keys, choice, numbers
from frem_core.training.bandwidth import CANDIDATES

_SECTION = "[gamma]"


@dataclass(frozen=True, kw_only=True)
class GammaPolicy:
    """Whether γ is given or chosen.

    Attributes:
        policy: ``"fixed"`` takes γ from the method's settings; ``"validate"`` trains with every
            candidate on four fifths of train, compares on the last fifth and trains once more
            on all of train with the best, as the paper does.
        candidates: bandwidths to choose from.
    """

    policy: str = "fixed"
    candidates: tuple[float, ...] = CANDIDATES

    def __post_init__(self) -> None:
        choice(_SECTION, "policy", self.policy, ("fixed", "validate"))
        candidates = numbers(_SECTION, "candidates", self.candidates)
        for gamma in candidates:
            if not 0 < gamma < math.inf:
                raise ConfigError(f"candidates in {_SECTION} must be above 0, not {gamma:g}.")
        object.__setattr__(self, "candidates", candidates)

    @property
    def validates(self) -> bool:
        """Whether γ is chosen rather than given."""
        return self.policy == "validate"

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values."""
        if not self.validates and self.candidates == CANDIDATES:
            return {"policy": self.policy}
        return {"policy": self.policy, "candidates": list(self.candidates)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "GammaPolicy":
        """Reads a section."""
        check_keys(_SECTION, values, (field.name for field in fields(cls)))
        return cls(**values)
