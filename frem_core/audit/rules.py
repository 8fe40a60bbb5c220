"""Rules an audit is held against, decided on intervals: kept, broken, or cannot be told.

A rule limits a score, ``gdp<=0.02`` or ``ratio>=0.8`` (the four-fifths rule without groups), or
asks for a shape: ``above 62 >= rest`` (nobody above 62 scores below the rest).
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from frem_core.errors import ConfigError, did_you_mean
from frem_core.words import rounded

if TYPE_CHECKING:
    from frem_core.audit.result import AuditResult

Decision = Literal["kept", "broken", "cannot be told"]
EXIT_CODES: Final = {"kept": 0, "broken": 1, "cannot be told": 2}
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_SCORE = re.compile(rf"\s*([A-Za-z_]+)\s*(<=|>=|<|>)\s*({_NUMBER})\s*")
_SHAPE = re.compile(
    rf"\s*(above|below)\s+({_NUMBER})\s*(<=|>=)\s*rest\s*(?:([-+])\s*({_NUMBER}))?\s*"
)


@dataclass(frozen=True)
class RuleResult:
    """A rule and what became of it.

    Attributes:
        rule: as it was given.
        decision: kept, broken, or cannot be told.
        low: lower end of the interval that was looked at.
        high: upper end.
        reason: the decision in a sentence.
    """

    rule: str
    decision: Decision
    low: float
    high: float
    reason: str


def check_rule(rule: str, result: "AuditResult") -> RuleResult:
    """Holds an audit against a rule.

    Args:
        rule: e.g. ``"gdp<=0.02"``, ``"range<=0.05"`` (no more than 0.05 between any two values of
            S), ``"ratio>=0.8"``, ``"above 62 >= rest"``.
        result: the audit.

    Raises:
        ConfigError: the rule cannot be read, or names a score the audit does not have.
    """
    shape = _SHAPE.fullmatch(rule)
    if shape is not None:
        return _check_shape(rule, shape, result)
    limit = _SCORE.fullmatch(rule)
    if limit is None:
        raise ConfigError(
            f"The rule {rule!r} cannot be read; write e.g. 'gdp<=0.02', 'ratio>=0.8', "
            "'range<=0.05' or 'above 62 >= rest'."
        )
    name, sign, number = limit.group(1), limit.group(2), float(limit.group(3))
    known = list(result.scores["score"])
    if name not in known:
        raise ConfigError(
            f"The rule {rule!r} names '{name}', which this audit does not have; it has "
            f"{', '.join(known)}." + did_you_mean(name, known)
        )
    row = result.score(name)
    low, high = row["low"], row["high"]
    upper = sign in ("<=", "<")
    kept, broken = (high <= number, low > number) if upper else (low >= number, high < number)
    decision = _decided(kept, broken)
    return RuleResult(
        rule,
        decision,
        low,
        high,
        f"{name} lies between {rounded(low, 4)} and {rounded(high, 4)}: {decision}.",
    )


def _check_shape(rule: str, shape: "re.Match[str]", result: "AuditResult") -> RuleResult:
    side, cut, sign = shape.group(1), float(shape.group(2)), shape.group(3)
    slack = float(f"{shape.group(4)}{shape.group(5)}") if shape.group(4) else 0.0
    s = result.curve["s"].to_numpy()
    inside = s > cut if side == "above" else s < cut
    if not inside.any() or inside.all():
        raise ConfigError(
            f"The rule {rule!r} leaves no rows on one side: {result.sensitive_name} runs from "
            f"{s.min():g} to {s.max():g}."
        )
    band = result.fit.against_rest(inside)
    low, high = float(np.min(band.low)), float(np.min(band.high))
    kept, broken = bool((band.low >= slack).all()), bool((band.high < slack).any())
    if sign == "<=":
        low, high = float(np.max(band.low)), float(np.max(band.high))
        kept, broken = bool((band.high <= slack).all()), bool((band.low > slack).any())
    decision = _decided(kept, broken)
    extreme = "lowest" if sign == ">=" else "highest"
    return RuleResult(
        rule,
        decision,
        low,
        high,
        f"{side} {cut:g} the {extreme} mean lies between {rounded(low, 4)} and "
        f"{rounded(high, 4)} away from the mean of the rest: {decision}.",
    )


def _decided(kept: bool, broken: bool) -> Decision:
    return "kept" if kept else "broken" if broken else "cannot be told"


def exit_code(results: list[RuleResult]) -> int:
    """1 when a rule is broken, else 2 when one cannot be told, else 0.

    >>> exit_code([])
    0
    """
    decisions = {one.decision for one in results}
    return 1 if "broken" in decisions else 2 if "cannot be told" in decisions else 0
