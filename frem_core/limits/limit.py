"""A limit on unfairness, as a user says it: "at most 0.2", or "half of the unfair model's"."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Final

from frem_core.attributes import Attributes
from frem_core.errors import ConfigError, did_you_mean
from frem_core.evaluation import get_score
from frem_core.metrics import Metric
from frem_core.metrics.classes import has_form_for_classes
from frem_core.types import Task

SCORES: Final = ("hgr", "gdp", "mutual_information", "eipm", "geo")
"""The scores that can be limited; the first is meant where none is named."""

OF_CATEGORIES: Final = ("gdp", "eipm")
"""The scores that are defined for an attribute that is a category."""

_SHORT: Final = {"mi": "mutual_information"}
_AND: Final = ";"


@dataclass(frozen=True, kw_only=True)
class Limit:
    """What a model's dependence on a sensitive attribute may be at most.

    Exactly one of ``at_most`` and ``keep`` is given. Several limits that one model has to keep,
    each about an attribute or score of its own, are one limit with `also`, see `together`.

    Attributes:
        score: which fairness score, one of `SCORES`.
        at_most: its largest allowed value.
        keep: its largest allowed share of what the unfair model has, between 0 and 1.
        attribute: name of the sensitive attribute; None means the leading one.
        also: further limits that the same model has to keep.

    Example:
        >>> Limit(score="hgr", keep=0.5).words
        "50 % of the unfair model's ΔHGR"
        >>> Limit.parse("mi=0.1")
        Limit(score='mutual_information', at_most=0.1, keep=None, attribute=None, also=())
        >>> Limit.parse("age:hgr=0.2; sex:gdp=30%").words
        "ΔHGR of at most 0.2 along age, and 30 % of the unfair model's ΔGDP along sex"
    """

    score: str = SCORES[0]
    at_most: float | None = None
    keep: float | None = None
    attribute: str | None = None
    also: "tuple[Limit, ...]" = ()

    def __post_init__(self) -> None:
        name = _SHORT.get(self.score, self.score)
        if name not in SCORES:
            raise ConfigError(
                f"There is no limit for '{self.score}'; limit one of {', '.join(SCORES)} (or mi)."
                + did_you_mean(str(self.score), [*SCORES, *_SHORT])
            )
        object.__setattr__(self, "score", name)
        if (self.at_most is None) == (self.keep is None):
            raise ConfigError(
                "A limit is either a value (limit hgr=0.2) or a share of the unfair model's "
                "(keep 50%); give one of them."
            )
        if self.at_most is not None:
            most = 1.0 if name == "hgr" else float("inf")
            allowed = "above 0" + (" and below 1" if name == "hgr" else "")
            object.__setattr__(
                self, "at_most", _checked(f"limit {name}", self.at_most, most, allowed, "0.2")
            )
        if self.keep is not None:
            words = "a share above 0 and below 1, or above 0% and below 100%"
            object.__setattr__(self, "keep", _checked(f"keep {name}", self.keep, 1.0, words, "50%"))

    @property
    def metric(self) -> Metric:
        """The score that is limited."""
        return get_score(self.score)

    @property
    def every(self) -> "tuple[Limit, ...]":
        """All limits that the model has to keep, each by itself."""
        return (replace(self, also=()), *self.also)

    @property
    def symbol(self) -> str:
        """The score and, where it is named, the attribute: "ΔHGR along age"."""
        return self.metric.symbol + ("" if self.attribute is None else f" along {self.attribute}")

    @property
    def words(self) -> str:
        """The limit in words, e.g. "at most 0.2 ΔHGR"."""
        if self.also:
            return ", and ".join(one.words for one in self.every)
        if self.keep is not None:
            return f"{100 * self.keep:.3g} % of the unfair model's {self.symbol}"
        along = "" if self.attribute is None else f" along {self.attribute}"
        return f"{self.metric.symbol} of at most {self.at_most:g}{along}"

    @property
    def short(self) -> str:
        """The limit where there is little room, e.g. in a legend: "ΔHGR ≤ 50 % of unfair"."""
        if self.also:
            return ", ".join(one.short for one in self.every)
        if self.keep is not None:
            return f"{self.symbol} ≤ {100 * self.keep:.3g} % of unfair"
        return f"{self.symbol} ≤ {self.at_most:g}"

    def value(self, unfair: float) -> float:
        """The limit as a value, given the score of the unfair model on the same rows."""
        if self.keep is not None:
            return self.keep * unfair
        assert self.at_most is not None
        return self.at_most

    def check_task(self, task: Task, classes: int = 2) -> None:
        """Raises a ConfigError when a score is not defined for the task, or for so many classes."""
        what = task if classes == 2 else f"{classes} classes"
        allowed = [
            name
            for name in SCORES
            if task in get_score(name).tasks
            and (classes == 2 or has_form_for_classes(get_score(name)))
        ]
        for one in self.every:
            if one.score not in allowed:
                raise ConfigError(
                    f"{one.metric.symbol} ({one.score}) is not defined for {what}; limit one of "
                    f"{', '.join(allowed)}."
                )

    def check_attributes(self, attributes: Attributes | None, only: str = "") -> None:
        """Raises a ConfigError when an attribute is unknown or its score is not defined for it.

        Args:
            attributes: all sensitive attributes where there are several.
            only: name of the sensitive attribute where there is one.
        """
        names, categories = (
            ((only,), ()) if attributes is None else (attributes.names, attributes.categories)
        )
        for one in self.every:
            if one.attribute is not None and one.attribute not in names:
                raise ConfigError(
                    f"There is no sensitive attribute '{one.attribute}' to limit; there is "
                    f"{', '.join(names)}." + did_you_mean(one.attribute, names)
                )
            if one.attribute in categories and one.score not in OF_CATEGORIES:
                raise ConfigError(
                    f"{one.attribute} is a category, for which {one.metric.symbol} ({one.score}) "
                    f"is not defined; limit {' or '.join(OF_CATEGORIES)} of it."
                )

    @classmethod
    def together(cls, limits: "Sequence[Limit]") -> "Limit":
        """One limit that is kept where each of the given ones is.

        Example:
            >>> Limit.together([Limit(keep=0.5), Limit(score="gdp", at_most=0.02)]).text
            'hgr=50%; gdp=0.02'
        """
        first, *further = dict.fromkeys(part for one in limits for part in one.every)
        return replace(first, also=tuple(further))

    @classmethod
    def of_settings(
        cls, limit: Mapping[str, float] | None, keep: float | Mapping[str, float] | None
    ) -> "Limit | None":
        """Reads the settings ``limit={"hgr": 0.2}`` and ``keep=0.5`` of an estimator.

        Of several attributes one is named before the score, ``{"age:hgr": 0.2, "sex:gdp": 0.05}``.

        Returns:
            The limit; None when neither is given. Where there are several, all are to be kept.

        Example:
            >>> Limit.of_settings(None, 0.5).text
            'hgr=50%'
        """
        if limit is None and keep is None:
            return None
        shares = {SCORES[0]: keep} if isinstance(keep, int | float) else keep
        found = []
        for name, meaning, given in (("limit", "at_most", limit), ("keep", "keep", shares)):
            if given is None:
                continue
            if not isinstance(given, Mapping) or not given:
                raise ConfigError(
                    f"{name} = {given!r} must be scores with their values, as "
                    + ('{"hgr": 0.2}.' if name == "limit" else '{"hgr": 0.5}, or a share, as 0.5.')
                )
            for key, value in given.items():
                attribute, score = _named(str(key))
                size: dict[str, Any] = {meaning: value}
                found.append(cls(score=score, attribute=attribute, **size))
        return cls.together(found)

    @property
    def text(self) -> str:
        """The limit as `parse` reads it, e.g. "hgr=50%"; equal limits have equal texts."""
        if self.also:
            return f"{_AND} ".join(one.text for one in self.every)
        score = self.score if self.attribute is None else f"{self.attribute}:{self.score}"
        if self.keep is not None:
            return f"{score}={float(f'{100 * self.keep:.12g}')!r}%".replace(".0%", "%")
        return f"{score}={self.at_most!r}"

    @classmethod
    def parse(cls, text: str) -> "Limit":
        """Reads ``score=value``; a percentage is a share of the unfair model's score.

        Of several attributes one is named before the score, and several limits that one model has
        to keep are separated by semicolons: ``age:hgr=0.2; sex:gdp=0.05``.

        Example:
            >>> Limit.parse("gdp=50%").words
            "50 % of the unfair model's ΔGDP"
        """
        if _AND in text:
            return cls.together([cls.parse(one) for one in text.split(_AND) if one.strip()])
        name, given, value = text.rpartition("=")
        if not given:
            if not text.strip().endswith("%"):
                raise ConfigError(
                    f"'{text}' is no limit; write score=value, as hgr=0.2, or a share of the "
                    f"unfair model's, as hgr=50%, with one of {', '.join(SCORES)} (or mi)."
                )
            return cls.parse_keep(text)
        attribute, score = _named(name)
        number = _number(value, text)
        if value.strip().endswith("%"):
            return cls(score=score, attribute=attribute, keep=number)
        return cls(score=score, attribute=attribute, at_most=number)

    @classmethod
    def parse_keep(cls, text: str) -> "Limit":
        """Reads a share, ``50%``, ``0.5``, ``gdp=50%``, ``age:50%`` or ``age:gdp=50%``."""
        name, given, share = text.rpartition("=")
        if given:
            attribute, score = _named(name)
        else:
            attribute, share = _named(text)
            score = SCORES[0]
        return cls(score=score, attribute=attribute, keep=_number(share, text))


def limited_score(limits: Iterable[object]) -> str | None:
    """The one score that all of these limits are about, if there is one.

    Args:
        limits: as text, such as "hgr=50%"; anything else is no limit.

    >>> limited_score(["hgr=50%", None, "hgr=0.2"]), limited_score(["hgr=50%", "gdp=0.1"])
    ('hgr', None)
    """
    every = [
        one for text in set(limits) if isinstance(text, str) for one in Limit.parse(text).every
    ]
    scores = {one.score for one in every}
    is_one = len(scores) == 1 and all(one.attribute is None for one in every)
    return scores.pop() if is_one else None


def _named(text: str) -> tuple[str | None, str]:
    """The attribute of "age:hgr" and what stands behind it; None where no attribute is named."""
    attribute, named, rest = text.rpartition(":")
    return attribute.strip() if named else None, rest.strip()


def _checked(name: str, value: Any, most: float, allowed: str, example: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"{name} = {value!r} must be {allowed}, e.g. {example}.")
    if not (isfinite(value) and 0 < value < most):
        raise ConfigError(f"{name} = {value:g} must be {allowed}, e.g. {example}.")
    return float(value)


def _number(text: str, whole: str) -> float:
    digits, whole_is = text.strip(), 1
    if digits.endswith("%"):
        digits, whole_is = digits[:-1].strip(), 100
    try:
        return float(digits) / whole_is
    except ValueError:
        raise ConfigError(
            f"'{whole}' is no limit: '{text.strip()}' is not a number or a percentage."
        ) from None
