"""What a sweep looks for when it chooses its settings itself: the section [search]."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from frem_core.errors import ConfigError
from frem_core.sections import check_keys, numbers, table, text

_SECTION: Final = "[search]"
WEIGHT: Final = "fairness_weight"
#: How far below and above the usual value is searched, as factors; methods without a setting skip
#: it. Few trainings find nothing in a wide space, so only what the paper varies most is wide.
AROUND: Final[Mapping[str, tuple[float, float]]] = {
    "gamma": (0.8, 5.0),
    "sigma": (0.7, 1.4),
    "learning_rate": (0.8, 4.0),
    "width": (0.8, 1.6),
}


@dataclass(frozen=True, kw_only=True)
class SearchSpec:
    """How a sweep looks for its own settings.

    Attributes:
        trainings: settings of each method to train in all, each with every seed.
        side_by_side: how many of them share all but λ and train as one stack.
        fairness: the fairness score to lower.
        prediction: the prediction score to raise; "" is the usual one of the task.
        at_most: upper limit of the fairness score, or None: the whole front is looked for.
        ranges: lower and upper end by setting: ``fairness_weight``, ``gamma``, ``sigma``,
            ``learning_rate`` and ``width`` (units of each layer). Those of λ come from the
            method's fairness weights where none are given.
    """

    trainings: int = 30
    side_by_side: int = 6
    fairness: str = "hgr"
    prediction: str = ""
    at_most: float | None = None
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for key, least in (("trainings", 2), ("side_by_side", 1)):
            value = getattr(self, key)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ConfigError(
                    f"{key} in {_SECTION} must be a whole number of at least {least}, not "
                    f"{value!r}."
                )
        text(_SECTION, "fairness", self.fairness)
        if self.at_most is not None and not float(self.at_most) > 0:
            raise ConfigError(f"at_most in {_SECTION} must be above 0, not {self.at_most!r}.")
        check_keys(f"{_SECTION} ranges", self.ranges, (WEIGHT, *AROUND))
        object.__setattr__(
            self, "ranges", {key: _ends(key, value) for key, value in self.ranges.items()}
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values."""
        values: dict[str, Any] = {
            "trainings": self.trainings,
            "side_by_side": self.side_by_side,
            "fairness": self.fairness,
        }
        if self.prediction:
            values["prediction"] = self.prediction
        if self.at_most is not None:
            values["at_most"] = self.at_most
        if self.ranges:
            values["ranges"] = {key: list(ends) for key, ends in self.ranges.items()}
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "SearchSpec":
        """Reads a section."""
        check_keys(_SECTION, values, (one.name for one in fields(cls)))
        settings = dict(values)
        if "ranges" in settings:
            settings["ranges"] = table(f"{_SECTION} ranges", settings["ranges"])
        return cls(**settings)

    def space(
        self, weights: Sequence[float], usual: Mapping[str, float]
    ) -> dict[str, tuple[float, float]]:
        """What is searched for one method, by setting.

        Args:
            weights: its fairness weights in a grid; the search goes a little beyond them.
            usual: the value that each of its searched settings has otherwise.
        """
        own = self.ranges.get(WEIGHT, (min(weights) / 2, 2 * max(weights)))
        return {WEIGHT: own} | {
            name: self.ranges.get(name, (low * usual[name], high * usual[name]))
            for name, (low, high) in AROUND.items()
            if name in usual
        }


def _ends(key: str, value: Any) -> tuple[float, float]:
    ends = numbers(f"{_SECTION} ranges", key, value)
    if len(ends) != 2 or not 0 < ends[0] < ends[1]:
        raise ConfigError(
            f"{key} in {_SECTION} ranges must be a lower and a higher number above 0, not "
            f"{value!r}."
        )
    return ends[0], ends[1]
