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
        """Returns plain values that JSON can hold."""
        values = {name: getattr(self, name) for name in self.parameters()}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Builds the settings from plain values; an unknown name raises a ConfigError."""
        known = cls.parameters()
        for name in values:
            if name not in known:
                raise ConfigError(
                    f"{cls.__name__} has no setting '{name}'; it has {', '.join(known)}."
                    + did_you_mean(name, known)
                )
        return cls(**values)
