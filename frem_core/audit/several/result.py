"""What an audit of several attributes found, as tables, sentences, and documents."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pandas as pd

from frem_core.audit.result import AuditResult, Documented, records
from frem_core.audit.rules import RuleResult
from frem_core.errors import ConfigError, did_you_mean


@dataclass(frozen=True, eq=False)
class AttributesAudit(Documented):
    """The outcome of :func:`frem_core.audit.audit_attributes`.

    Attributes:
        results: the audit of each attribute, by name; its factors are the other attributes.
        levels: of each category, and None for a number.
        attributes: one row for each: ``attribute, kind``, the mean gap ``value, low, high,
            p_value``, and the same of what is left between people alike in the others
            (``value_left, low_left, high_left, p_value_left``).
        joint: EIPM of each attribute and of all together: ``attribute, eipm, chance,
            share_covered``; ``excess`` is what only the combination shows.
        joint_rows: how many rows that compares.
        places: combinations in words, ``place, difference, low, high, mean, rows, share``, the
            one that is off most surely first.
        places_p_value: whether the largest of their differences could be chance.
    """

    results: Mapping[str, AuditResult]
    levels: Mapping[str, tuple[str, ...] | None]
    attributes: pd.DataFrame
    joint: pd.DataFrame
    joint_rows: int
    places: pd.DataFrame
    places_p_value: float

    @property
    def title(self) -> str:
        """What is judged along what."""
        names = list(self.results)
        prediction = self.results[names[0]].prediction_name
        return f"{prediction} along {', '.join(names[:-1])} and {names[-1]}"

    def check(self, rule: str) -> tuple[RuleResult, ...]:
        """Holds every attribute against a rule, or one: ``"age: ratio>=0.8"``."""
        name, colon, rest = rule.partition(":")
        if colon:
            if name.strip() not in self.results:
                known = list(self.results)
                raise ConfigError(
                    f"The rule {rule!r} names '{name.strip()}'; the attributes are "
                    f"{', '.join(known)}." + did_you_mean(name.strip(), known)
                )
            return (self._held(name.strip(), rest.strip()),)
        return tuple(self._held(one, rule) for one in self.results)

    def _held(self, name: str, rule: str) -> RuleResult:
        found = self.results[name].check(rule)
        return RuleResult(
            f"{name}: {found.rule}", found.decision, found.low, found.high, found.reason
        )

    def shown_curve(self, name: str, *, adjusted: bool = False) -> pd.DataFrame:
        """The curve of an attribute; that of a category has its levels instead of numbers."""
        result, levels = self.results[name], self.levels[name]
        table = result.adjusted if adjusted else result.curve
        assert table is not None  # the others are its factors
        if levels is None:
            return table
        return table.assign(s=[levels[round(one)] for one in table["s"]])

    def _words(self) -> ModuleType:
        from frem_core.audit.several import document

        return document

    def to_dict(self) -> dict[str, Any]:
        """Everything as values that JSON knows."""
        return {
            "attributes": records(self.attributes),
            "joint": records(self.joint),
            "joint_rows": self.joint_rows,
            "places": records(self.places),
            "places_p_value": self.places_p_value,
            "sentences": list(self.sentences()),
            "results": {name: one.to_dict() for name, one in self.results.items()},
        }
