"""One method of a sweep with the grids of its settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Literal

from frem_core.errors import ConfigError, did_you_mean
from frem_core.limits import Limit
from frem_core.methods import Method, available_methods, get_method
from frem_core.sections import numbers, text
from frem_core.training import Member, relative_weights

PRESET: Literal["preset"] = "preset"
_SECTION = "[[methods]]"
_WEIGHTS = ("fairness_weights", "relative_weights", "limits")
_OWN = ("method", *_WEIGHTS)
# Set once for the whole sweep, so that all methods aim at the same notion.
_SHARED = "fairness"


@dataclass(frozen=True, kw_only=True)
class MethodSpec:
    """A method and every value that its settings take.

    Attributes:
        method: registered name.
        fairness_weights: the λ of the front, or ``"preset"`` for relative weights that span it.
        relative_weights: λ in units of the balance of loss and penalty on the data at hand, which
            a short probe measures: the same numbers fit every method and dataset.
        limits: what models have to keep, as "hgr=0.2" or "50%"; training finds λ.
        settings: values by setting; every combination of them is trained.
    """

    method: str
    fairness_weights: tuple[float, ...] | Literal["preset"] = PRESET
    relative_weights: tuple[float, ...] = ()
    limits: tuple[Limit, ...] = ()
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
                    f"{kind.title} has no setting '{name}'; it has {', '.join(_WEIGHTS)}"
                    f"{''.join(', ' + one for one in known)}."
                    + did_you_mean(name, [*known, *_WEIGHTS])
                )
        self._check_weights()
        self.methods("dp")  # checks the values

    def _check_weights(self) -> None:
        is_known = bool(self.relative_weights or self.limits)
        for name in ("fairness_weights", "relative_weights"):
            given = getattr(self, name)
            if given == PRESET or (not given and (is_known or name == "relative_weights")):
                continue
            weights = numbers(_SECTION, name, given)
            for weight in weights:
                Member(fairness_weight=weight)  # checks the range
            object.__setattr__(self, name, weights)
        if self.limits and not get_method(self.method).uses_fairness_weight:
            raise ConfigError(
                f"{get_method(self.method).title} has no fairness weight, so it cannot be held to "
                "a limit; leave its limits out."
            )

    def methods(self, fairness: str) -> list[Method]:
        """Returns the method under every combination of its settings."""
        kind = get_method(self.method)
        names = list(self.settings)
        return [
            kind(fairness=fairness, **dict(zip(names, values, strict=True)))
            for values in product(*self.settings.values())
        ]

    def aims(self) -> list[dict[str, Any]]:
        """Returns, for each run of one seed and setting, how its λ is found.

        Each is one of ``{"weight": λ}``, ``{"relative_weight": …}`` and ``{"limit": …}``.
        """
        if not get_method(self.method).uses_fairness_weight:
            return [{"weight": 0.0}]
        is_preset = isinstance(self.fairness_weights, str)
        spanning = relative_weights() if is_preset else ()
        return [
            *({"weight": weight} for weight in self.fairness_weights if not is_preset),
            *(
                {"relative_weight": one}
                for one in dict.fromkeys((*spanning, *self.relative_weights))
            ),
            *({"limit": limit} for limit in self.limits),
        ]

    def resolved(self) -> "MethodSpec":
        """Returns the same section with λ written out, and what later versions may set otherwise.

        A default that changed once may change again.
        """
        kind = get_method(self.method)
        parameters = kind.parameters()
        later = {name: (one.default,) for name, one in parameters.items() if one.before is not None}
        written = replace(self, settings={**later, **self.settings})
        if self.fairness_weights != PRESET or not kind.uses_fairness_weight:
            return written
        asked = [one["relative_weight"] for one in self.aims() if "relative_weight" in one]
        return replace(written, fairness_weights=(), relative_weights=tuple(asked))

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values; a setting with one value is written without a list."""
        weights = self.fairness_weights
        values: dict[str, Any] = {"method": self.method}
        if get_method(self.method).uses_fairness_weight:
            if weights:
                values["fairness_weights"] = weights if isinstance(weights, str) else list(weights)
            if self.relative_weights:
                values["relative_weights"] = list(self.relative_weights)
            if self.limits:
                values["limits"] = [limit.text for limit in self.limits]
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
        others = {name: values[name] for name in _WEIGHTS[1:] if name in values}
        weights = values.get("fairness_weights", () if others else PRESET)
        if weights != PRESET and not (others and weights == ()):
            weights = numbers(_SECTION, "fairness_weights", weights)
        relative = others.get("relative_weights", ())
        return cls(
            method=kind.name,
            fairness_weights=weights,
            relative_weights=numbers(_SECTION, "relative_weights", relative) if relative else (),
            limits=_limits(others.get("limits", ())),
            settings=grids,
        )


def _limits(value: Any) -> tuple[Limit, ...]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(one, str) for one in texts):
        raise ConfigError(
            f'limits in {_SECTION} must be texts, as ["50%", "hgr=0.2"]: a share of what the '
            "unfair model has, or a value."
        )
    return tuple(dict.fromkeys(map(Limit.parse, texts)))


def _options(value: Any, is_list_itself: bool) -> tuple[Any, ...]:
    """The values of a grid; a setting that is a list itself needs a list of lists."""
    if not isinstance(value, list | tuple):
        return (value,)
    if is_list_itself and not any(isinstance(item, list | tuple) for item in value):
        return (tuple(value),)
    if not value:
        raise ConfigError(f"A setting in {_SECTION} has an empty list of values.")
    return tuple(tuple(item) if isinstance(item, list) else item for item in value)
