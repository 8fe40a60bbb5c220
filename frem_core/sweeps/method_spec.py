"""One method of a sweep with the grids of its settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal

from frem_core.errors import ConfigError, did_you_mean
from frem_core.methods import Method, available_methods, get_method
from frem_core.sections import numbers, text
from frem_core.training import Member, suggested_fairness_weights

PRESET: Literal["preset"] = "preset"
_SECTION = "[[methods]]"
_OWN = ("method", "fairness_weights")
# Set once for the whole sweep, so that all methods aim at the same notion.
_SHARED = "fairness"


@dataclass(frozen=True, kw_only=True)
class MethodSpec:
    """A method and every value that its settings take.

    Attributes:
        method: registered name.
        fairness_weights: the λ of the front, or ``"preset"`` for those that suit the dataset.
        settings: values by setting; every combination of them is trained.
    """

    method: str
    fairness_weights: tuple[float, ...] | Literal["preset"] = PRESET
    settings: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        text(_SECTION, "method", self.method)
        kind = get_method(self.method)
        if _SHARED in self.settings:
            raise ConfigError(f"fairness is set once for the whole sweep, not in {_SECTION}.")
        for name in self.settings:
            known = [one for one in kind.parameters() if one != _SHARED]
            if name not in known:
                raise ConfigError(
                    f"{kind.title} has no setting '{name}'; it has fairness_weights"
                    f"{''.join(', ' + one for one in known)}."
                    + did_you_mean(name, [*known, "fairness_weights"])
                )
        if self.fairness_weights != PRESET:
            weights = numbers(_SECTION, "fairness_weights", self.fairness_weights)
            for weight in weights:
                Member(fairness_weight=weight)  # checks the range
            object.__setattr__(self, "fairness_weights", weights)
        self.methods("dp")  # checks the values

    def methods(self, fairness: str) -> list[Method]:
        """Returns the method under every combination of its settings."""
        kind = get_method(self.method)
        names = list(self.settings)
        return [
            kind(fairness=fairness, **dict(zip(names, values, strict=True)))
            for values in product(*self.settings.values())
        ]

    def weights(self, preset: str) -> tuple[float, ...]:
        """Returns the fairness weights to train; those of a built-in dataset, or general ones."""
        kind = get_method(self.method)
        if not kind.uses_fairness_weight:
            return (0.0,)
        if isinstance(self.fairness_weights, str):
            return suggested_fairness_weights(kind, preset)
        return self.fairness_weights

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values; a setting with one value is written without a list."""
        weights = self.fairness_weights
        values: dict[str, Any] = {"method": self.method}
        if get_method(self.method).uses_fairness_weight:
            values["fairness_weights"] = weights if isinstance(weights, str) else list(weights)
        for name, options in self.settings.items():
            plain = [list(one) if isinstance(one, tuple) else one for one in options]
            values[name] = plain[0] if len(plain) == 1 else plain
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "MethodSpec":
        """Reads a section; a setting may be one value or a list of values."""
        if "method" not in values:
            raise ConfigError(
                f"A section {_SECTION} names no method; choose one of "
                f"{', '.join(available_methods())}."
            )
        kind = get_method(text(_SECTION, "method", values["method"]))
        parameters = kind.parameters()
        grids = {
            name: _options(value, name in parameters and parameters[name].kind == "integers")
            for name, value in values.items()
            if name not in _OWN
        }
        weights = values.get("fairness_weights", PRESET)
        if weights != PRESET:
            weights = numbers(_SECTION, "fairness_weights", weights)
        return cls(method=kind.name, fairness_weights=weights, settings=grids)


def _options(value: Any, is_list_itself: bool) -> tuple[Any, ...]:
    """The values of a grid; a setting that is a list itself needs a list of lists."""
    if not isinstance(value, list | tuple):
        return (value,)
    if is_list_itself and not any(isinstance(item, list | tuple) for item in value):
        return (tuple(value),)
    if not value:
        raise ConfigError(f"A setting in {_SECTION} has an empty list of values.")
    return tuple(tuple(item) if isinstance(item, list) else item for item in value)
