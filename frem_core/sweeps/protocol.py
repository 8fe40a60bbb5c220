"""What decides how a sweep is judged: which rows it tests on, and how FREM's γ is found."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from frem_core.datasets.splits import SPLIT_KINDS
from frem_core.errors import ConfigError
from frem_core.sections import check_keys, choice, numbers
from frem_core.training.bandwidth import CANDIDATES

_SPLIT = "[split]"
_GAMMA = "[gamma]"


@dataclass(frozen=True, kw_only=True)
class SplitSpec:
    """Which rows are tested on.

    Attributes:
        kind: ``"random"``, or ``"paper_table"`` for the fixed partition of the paper's table.
        seed: ``"each"`` draws another split for every seed of the sweep, as the paper does; a
            number keeps one split for all seeds.
        test_size: share of the rows to test on; ``"paper_table"`` has its own.
        validation_size: share of the training rows that is held out and scored after every
            epoch; 0 trains on all of them.
    """

    kind: str = "random"
    seed: int | Literal["each"] = "each"
    test_size: float = 0.2
    validation_size: float = 0.0

    def __post_init__(self) -> None:
        choice(_SPLIT, "kind", self.kind, SPLIT_KINDS)
        whole = isinstance(self.seed, int) and not isinstance(self.seed, bool)
        if self.seed != "each" and not (whole and int(self.seed) >= 0):
            raise ConfigError(
                f"seed in {_SPLIT} must be 'each' or a whole number of at least 0, "
                f"not {self.seed!r}."
            )
        self._check_share("test_size", self.test_size, self.test_size > 0)
        self._check_share("validation_size", self.validation_size, self.validation_size >= 0)

    @staticmethod
    def _check_share(key: str, value: float, above: bool) -> None:
        if not above or not value < 1:
            raise ConfigError(f"{key} in {_SPLIT} must be a share below 1, not {value!r}.")

    def of_seed(self, seed: int) -> dict[str, Any]:
        """Returns the arguments of `split_dataset` for one seed of the sweep.

        What does not matter is left at one value, because runs are recognised by it.
        """
        fixed = self.kind == "paper_table"
        number = seed if self.seed == "each" else int(self.seed)
        return {
            "kind": self.kind,
            "seed": 0 if fixed and self.validation_size == 0 else number,
            "test_size": 0.2 if fixed else self.test_size,
            "validation_size": self.validation_size,
        }

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "SplitSpec":
        """Reads a section."""
        check_keys(_SPLIT, values, (field.name for field in fields(cls)))
        settings = dict(values)
        for key in ("test_size", "validation_size"):
            value = settings.get(key, 0.2)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ConfigError(f"{key} in {_SPLIT} must be a number, not {value!r}.")
            if key in settings:
                settings[key] = float(value)
        return cls(**settings)


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
        choice(_GAMMA, "policy", self.policy, ("fixed", "validate"))
        candidates = numbers(_GAMMA, "candidates", self.candidates)
        for gamma in candidates:
            if not 0 < gamma < math.inf:
                raise ConfigError(f"candidates in {_GAMMA} must be above 0, not {gamma:g}.")
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
        check_keys(_GAMMA, values, (field.name for field in fields(cls)))
        return cls(**values)
