"""Declares a tunable setting once: value, range and words for forms, command line and docs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from numbers import Integral, Real
from typing import Any, Literal

from frem_core.errors import ConfigError, did_you_mean

Kind = Literal["number", "integer", "flag", "choice", "integers"]


class Choices:
    """The choices of a `Parameter`: words, or a function that is asked for them at each look-up.

    A function, e.g. ``available_kernels``, lets a form offer what was registered after the
    parameter had been declared.
    """

    def __get__(self, owner: "Parameter | None", kind: object = None) -> tuple[str, ...]:
        if owner is None:  # what a dataclass takes for the field's default
            return ()
        given = vars(owner)["choices"]
        return tuple(given()) if callable(given) else given

    def __set__(
        self, owner: "Parameter", given: tuple[str, ...] | Callable[[], Iterable[str]]
    ) -> None:
        vars(owner)["choices"] = given


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """What a form, a command line or a page of documentation needs to know about a setting.

    Attributes:
        default: value when none is given; its type decides ``kind``.
        label: plain words, e.g. "fairness weight".
        help: one sentence on what raising or choosing it does.
        symbol: the paper's letter, e.g. "λ", or "".
        minimum: smallest allowed number.
        maximum: largest allowed number.
        log_scale: whether a slider should move in powers.
        choices: the allowed words of a choice, or words allowed beside a number ("median");
            a function that gives them is asked each time.
        advanced: whether a form may hide it at first.
        before: what was done before the setting existed, or None for a setting as old as the
            method. This value is never written down and a record without the setting means it, so
            that runs stored earlier keep their identity, whatever the default becomes.
    """

    default: Any
    label: str
    help: str
    symbol: str = ""
    minimum: float | None = None
    maximum: float | None = None
    log_scale: bool = False
    choices: Choices = Choices()  # a descriptor, shared by design
    advanced: bool = False
    before: Any = None

    @property
    def kind(self) -> Kind:
        """What sort of value this is, read off the default."""
        match self.default:
            case bool():
                return "flag"
            case int():
                return "integer"
            case float():
                return "number"
            case tuple():
                return "integers"
            case _:
                return "choice"

    def checked(self, name: str, value: Any) -> Any:
        """Returns the value in its one canonical form, or raises a ConfigError.

        Equal settings must look equal (``1`` and ``1.0``, list and tuple): runs are recognised
        by them.
        """
        if isinstance(value, str):
            return self._word(name, value)
        if self.kind == "integers" and isinstance(value, Sequence) and len(value) > 0:
            return tuple(self._number(name, item, whole=True) for item in value)
        if self.kind == "flag" and isinstance(value, bool):
            return value
        if self.kind in ("integer", "number"):
            return self._number(name, value, whole=self.kind == "integer")
        raise self._refusal(name, value)

    def _word(self, name: str, value: str) -> str:
        if value not in self.choices:
            raise self._refusal(name, value, did_you_mean(value, self.choices))
        return value

    def _number(self, name: str, value: Any, *, whole: bool) -> float | int:
        wanted = Integral if whole else Real
        if isinstance(value, bool) or not isinstance(value, wanted):
            raise self._refusal(name, value)
        number = float(value)
        if not isfinite(number):
            raise self._refusal(name, value)
        low = -float("inf") if self.minimum is None else self.minimum
        high = float("inf") if self.maximum is None else self.maximum
        if not low <= number <= high:
            raise self._refusal(name, value)
        return int(number) if whole else number

    @property
    def allowed(self) -> str:
        """The allowed values in words, e.g. "a number from 0 to 10"."""
        words = " or ".join(f"'{choice}'" for choice in self.choices)
        if self.kind == "choice":
            return words
        if self.kind == "flag":
            return "true or false"
        noun = {"number": "a number", "integer": "a whole number"}.get(self.kind, "whole numbers")
        low = "" if self.minimum is None else f" from {self.minimum:,.10g}"
        high = "" if self.maximum is None else f" up to {self.maximum:,.10g}"
        return f"{noun}{low}{high}" + (f" or {words}" if words else "")

    def _refusal(self, name: str, value: Any, hint: str = "") -> ConfigError:
        return ConfigError(f"{name} = {value!r} ({self.label}) must be {self.allowed}.{hint}")


def parameter(default: Any, **description: Any) -> Any:
    """A dataclass field described by a `Parameter`; the keywords are its attributes.

    Example:
        >>> from dataclasses import dataclass
        >>> from frem_core.methods.settings import Settings
        >>> @dataclass(frozen=True, kw_only=True)
        ... class Kettle(Settings):
        ...     litres: float = parameter(1.0, label="volume", help="How much.", minimum=0.5)
        >>> Kettle(litres=2).litres
        2.0
        >>> Kettle(litres=0.1)
        Traceback (most recent call last):
            ...
        frem_core.errors.ConfigError: litres = 0.1 (volume) must be a number from 0.5.
    """
    return field(default=default, metadata={"parameter": Parameter(default=default, **description)})
