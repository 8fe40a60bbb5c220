"""The base of every group of settings: frozen, validated, to and from plain dictionaries."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from frem_core.errors import ConfigError, did_you_mean
from frem_core.methods.parameter import Parameter


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Fields declared with `parameter`; wrong values raise a ConfigError at construction."""

    def __post_init__(self) -> None:
        for name, parameter in self.parameters().items():
            value = parameter.checked(name, getattr(self, name))
            object.__setattr__(self, name, value)  # the one moment a frozen object may change

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """The settings by field name, in the order in which they are declared."""
        return {item.name: item.metadata["parameter"] for item in fields(cls)}

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values that JSON can hold, as `from_dict` reads them."""
        values = {
            name: getattr(self, name)
            for name, parameter in self.parameters().items()
            if parameter.before is None or getattr(self, name) != parameter.before
        }
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Builds the settings from plain values; an unknown name raises a ConfigError.

        A setting that came later and is not among them has the value it had before it came.
        """
        known = cls.parameters()
        for name in values:
            if name not in known:
                raise ConfigError(
                    f"{cls.__name__} has no setting '{name}'; it has {', '.join(known)}."
                    + did_you_mean(name, known)
                )
        later = {name: one.before for name, one in known.items() if one.before is not None}
        return cls(**{**later, **values})
