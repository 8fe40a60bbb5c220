"""What is said of a model and its limit: verdict, sentence, and how much the rows can tell."""

from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, Final, Literal

from frem_core.limits.chance import words_on_precision, words_on_rows
from frem_core.limits.limit import Limit
from frem_core.words import decimals, per_cent

Verdict = Literal["fairer than asked", "keeps", "probably", "at the limit", "not reached"]

CONFIDENCE: Final = 0.95
# A model is trained to be at its limit, so this much above is not "not reached" if chance allows,
# and more than that below is more fairness than was asked for.
_CLOSE: Final = 0.15


@dataclass(frozen=True, kw_only=True)
class LimitReport:
    """A limit, and what a model does with it on rows it was not trained on.

    Attributes:
        limit: what was asked for.
        value: the limit as a value of the score.
        unfair: the score of the unfair model on the same rows.
        score: the score of the model.
        low: lower end of its 95 % interval (bootstrap over rows).
        high: upper end.
        rows: on how many rows.
        fairness_weight: λ that training found.
        collapsed: whether it predicts no better than one number for everybody, within two
            standard errors; such a model is not recommended, however fair.
        unfair_collapsed: whether the unfair model predicts no better either.
        method: title of the method.
        chance: what the score gives where nothing depends on the sensitive attribute: 95 % of
            random arrangements of it stay below. None where it was not measured.
        set_aside: score ÷ limit on the training rows by which the weight was found, if known.
        prediction: how well it predicts, in words and in the target's own units.
        others: where the model has several limits, the reports on those that are kept better.
    """

    limit: Limit
    value: float
    unfair: float
    score: float
    low: float
    high: float
    rows: int
    fairness_weight: float
    collapsed: bool
    method: str
    unfair_collapsed: bool = False
    chance: float | None = None
    set_aside: float | None = None
    prediction: str = ""
    others: "tuple[LimitReport, ...]" = ()

    @property
    def verdict(self) -> Verdict:
        """How sure it is that the limit is kept; "keeps" only when the whole interval does."""
        if self.high <= self.value:
            return "keeps" if self.score >= (1 - _CLOSE) * self.value else "fairer than asked"
        if self.score <= self.value:
            return "probably"
        if self.low <= self.value and self.score <= (1 + _CLOSE) * self.value:
            return "at the limit"
        return "not reached"

    @property
    def reached(self) -> bool:
        """Whether every limit was reached by a model that still predicts something."""
        own = self.verdict != "not reached" and not self.collapsed
        return own and all(one.reached for one in self.others)

    @property
    def is_within_chance(self) -> bool:
        """Whether the limit is so low that these rows cannot tell it from no dependence."""
        return self.chance is not None and self.value <= self.chance

    @property
    def is_below_chance(self) -> bool:
        """Whether these rows cannot tell the model from one without any dependence."""
        return self.chance is not None and self.score <= self.chance

    @property
    def ratio(self) -> float:
        """Score ÷ limit; infinite where the unfair model leaves nothing to halve."""
        return self.score / self.value if self.value > 0 else inf

    @property
    def precision(self) -> float:
        """To what share of the limit, up or down, so many rows tell the score (95 %)."""
        return (self.high - self.low) / 2 / self.value if self.value > 0 else inf

    @property
    def sentence(self) -> str:
        """The verdict in words, with the numbers behind it."""
        symbol = self.limit.symbol
        has = f"{symbol} is {self._shown(self.score)} ({self._interval})"
        asked = f"asked for was at most {self._shown(self.value)}" + (
            "" if self.limit.keep is None else f", {self.limit.words} ({self._shown(self.unfair)})"
        )
        verdicts = {
            "fairer than asked": f"{self.method} keeps the limit and is fairer than asked: {has}; "
            f"{asked}. The interval lies below it.",
            "keeps": f"{self.method} keeps the limit: {has}; {asked}.",
            "probably": f"{self.method} probably keeps the limit: {has}; {asked}.",
            "at the limit": f"{self.method} is at the limit, within its uncertainty: {has}; "
            f"{asked}.",
            "not reached": f"{self.method} did not reach the limit: {asked}; the nearest was "
            f"{symbol} {self._shown(self.score)} ({self._interval}).",
        }
        further = [self.explanation, *(one.sentence for one in self.others)]
        words = " ".join(filter(None, [verdicts[self.verdict], *further]))
        if self.collapsed:
            advice = (
                ". Neither does the unfair model: train for more epochs, with less weight decay, "
                "or give better features."
                if self.unfair_collapsed
                else ", so it is not recommended: ask for less, or take another method."
            )
            words += f" It predicts no better than one number for everybody{advice}"
        return f"{words} {self.prediction}".strip()

    @property
    def explanation(self) -> str:
        """What these rows cannot tell, and why a score is not near its limit; else ""."""
        return (self._chance_words() + self._reason_words()).lstrip()

    def _chance_words(self) -> str:
        """What these rows cannot tell; "" where they can."""
        if self.chance is None or not (self.is_within_chance or self.is_below_chance):
            return ""
        level = self._shown(self.chance)
        if not self.is_within_chance:
            words = "they cannot tell this model from no dependence at all."
            return f" Chance alone gives up to {level} on so many rows: {words}"
        takes = words_on_rows(self.limit.metric, self.rows, self.chance, self.value)
        nor = " Nor do they show any dependence of the unfair model."
        where = f"on {self.rows:,} rows ({level}): they cannot test it{takes}."
        words = f" The limit {self._shown(self.value)} is below what chance alone shows {where}"
        return words + (nor if self.unfair <= self.chance else "")

    def _reason_words(self) -> str:
        """Why a score is not near a limit above chance; "" where it is, or where nothing tells."""
        aside, is_missed = self.set_aside, self.verdict == "not reached"
        is_near = not is_missed and self.score >= (1 - _CLOSE) * self.value
        if is_near or self.collapsed or self.is_within_chance:
            return ""
        if is_missed and (aside or 0.0) > 1 + _CLOSE:
            return " Training was not there by its last epoch: give it more, or try another method."
        if not is_missed and (aside or 0.0) < 1 - _CLOSE:
            return " Try a higher limit if you want more accuracy."
        if aside is None:
            return ""
        where = " On training rows set aside to find the weight it is at"
        at = f"{where} {per_cent(aside)} of the limit"
        if abs(self.ratio - 1) > self.precision:
            return f"{at}; luck with so many test rows seldom goes so far."
        return f"{at}; {words_on_precision(self.rows, self.precision, _CLOSE)}."

    @property
    def _interval(self) -> str:
        return (
            f"{per_cent(CONFIDENCE)} interval {self._shown(self.low)} to {self._shown(self.high)}, "
            f"{self.rows:,} held-out rows"
        )

    def _shown(self, value: float) -> str:
        return f"{value:.{decimals(self.unfair)}f}"

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, with verdict and sentence."""
        return {
            "score": self.limit.score,
            **({} if self.limit.attribute is None else {"attribute": self.limit.attribute}),
            **({} if self.limit.keep is None else {"keep": self.limit.keep}),
            "limit": self.value,
            "unfair": self.unfair,
            "value": self.score,
            "interval": [self.low, self.high],
            "chance": self.chance,
            "below_chance": self.is_below_chance,
            "limit_below_chance": self.is_within_chance,
            "precision": self.precision if isfinite(self.precision) else None,
            "rows": self.rows,
            "fairness_weight": self.fairness_weight,
            "collapsed": self.collapsed,
            "verdict": self.verdict,
            "reached": self.reached,
            "sentence": self.sentence,
            **({"others": [one.to_dict() for one in self.others]} if self.others else {}),
        }
