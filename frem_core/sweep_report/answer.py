"""The first page: question, answer, what it costs, how sure that is, what was not looked at."""

import math
from dataclasses import dataclass
from typing import Any

import pandas as pd

from frem_core.figures import method_looks
from frem_core.figures.front_points import constant_of
from frem_core.metrics import Metric, NoiseFloor
from frem_core.report.blocks import shown
from frem_core.sweep_report.chance import chance_level
from frem_core.sweep_report.subject import Subject
from frem_core.words import NOTIONS, counted, decimals, per_cent

_GOAL = 0.5
"""The share of today's unfairness that a recommended model has at most, where one does."""


@dataclass(frozen=True, eq=False)
class Answer:
    """What a sweep answers.

    Attributes:
        points: one row per setting.
        best: the recommended point, or None.
        unfair: the model without fairness, or None.
        constant: the prediction score of the best constant, where it is known.
        chance: chance level of the recommended model's fairness score, where it was measured.
    """

    points: pd.DataFrame
    best: dict[str, Any] | None
    unfair: dict[str, Any] | None
    constant: float | None
    chance: NoiseFloor | None

    @classmethod
    def of(cls, subject: Subject) -> "Answer":
        """Finds the recommended setting: half as unfair as without fairness, then best."""
        points = subject.points(subject.fairness)
        unfair = _best(points[points["method"] == "unfair"], "prediction", highest=True)
        best = _recommended(points[points["method"] != "unfair"], unfair)
        return cls(points, best, unfair, constant_of(points), _chance(subject, best))

    def facts(self, subject: Subject) -> dict[str, str]:
        """The first page as names and sentences."""
        notion = NOTIONS.get(subject.notion, subject.notion)
        people = " among those with a positive outcome" if subject.notion == "eo" else ""
        return {
            "Question": f"Can {subject.target} be predicted so that predictions do not follow "
            f"{subject.sensitive}{people} ({notion})? Asked of {subject.record.name}, "
            f"{counted(subject.record.rows, 'row')}.",
            "Answer": self._answer(subject),
            "What it costs": self._cost(subject),
            "How sure": self._certainty(subject),
            "What was not looked at": "Other attributes than "
            f"{subject.sensitive}, whether the recorded outcome is itself fair, people who are not "
            "in the data, and how predictions are used. An average may hide single cases.",
        }

    def _answer(self, subject: Subject) -> str:
        metric = subject.fairness
        if self.points.empty:
            return "No run has finished yet, so there is no answer."
        if self.best is None:
            if (self.points["method"] != "unfair").any():
                return (
                    "No fair model predicts better than one and the same value for everybody. Try "
                    "smaller fairness weights (λ)."
                )
            return "Only the model without fairness was trained; train a fair method beside it."
        name = _name(self.best)
        words = f"{name}: the {_lower(metric)} is {_number(self.best['fairness'])}"
        if self.unfair is not None:
            before = float(self.unfair["fairness"])
            if before <= float(self.best["fairness"]):
                return self._none_fairer(metric, before)
            words += f", against {_number(before)} without fairness{_share(self.best, before)}"
        chance = self.chance
        if chance is not None:
            above = float(self.best["fairness"]) > chance.upper
            words += (
                f". Chance alone gives {_number(chance.mean)}, at most {_number(chance.upper)} in "
                f"95 of 100 shuffles, so {'some' if above else 'no'} dependence is left that "
                f"{'is' if above else 'could be told from chance'}"
                f"{' more than chance' if above else ''}"
            )
            if self.unfair is not None and float(self.unfair["fairness"]) <= chance.upper:
                words += (
                    ". The same holds without fairness: as far as these rows can tell, nothing had "
                    "to be made fairer"
                )
        return words + "."

    def _none_fairer(self, metric: Metric, before: float) -> str:
        """The answer where the model without fairness is as fair as any."""
        words = (
            f"No fair model that was trained is fairer than the one without fairness: its "
            f"{_lower(metric)} is {_number(before)}"
        )
        if self.chance is not None and before <= self.chance.upper:
            return (
                f"{words}, and chance alone gives up to {_number(self.chance.upper)}. Nothing has "
                "to be made fairer here, as far as these rows can tell."
            )
        return f"{words}. Try other fairness weights (λ), or another method."

    def _cost(self, subject: Subject) -> str:
        metric = subject.prediction
        if self.best is None:
            return "Nothing can be said without a fair model that predicts."
        value = float(self.best["prediction"])
        words = f"{metric.axis_full_name} is {value:.3f}"
        if self.unfair is None:
            words += "; no model without fairness was trained, so what fairness costs is not known"
        else:
            before = float(self.unfair["prediction"])
            change = value - before
            same = f"{change:+.3f}" in {"+0.000", "-0.000"}
            words += f" instead of {before:.3f} without fairness" + (
                ", no difference in three digits" if same else f" ({_signed(change)})"
            )
        if self.constant is not None:
            words += f". The best constant reaches {self.constant:.3f}"
        return f"{words}.{self._error_in_units(subject)}"

    def _error_in_units(self, subject: Subject) -> str:
        """The mean absolute error as people know it, where scores are on a scale from 0 to 1."""
        span = float((self.best or {}).get("target_span", 1.0))
        if subject.task != "regression" or self.best is None or span == 1 or math.isnan(span):
            return ""

        def error(point: dict[str, Any]) -> str:
            return shown((1 - float(point["prediction"])) * span)

        words = f" In the units of {subject.target} predictions are off by {error(self.best)}"
        if self.unfair is not None:
            words += f" on average instead of {error(self.unfair)}"
        return f"{words}."

    def _certainty(self, subject: Subject) -> str:
        if self.best is None:
            return "–"
        seeds = int(self.best["seeds"])
        if seeds < 2:
            return (
                "One run only: another seed may give other numbers. Train with several seeds to "
                "know how far they move."
            )
        fairness, prediction = (float(self.best[f"{n}.se"]) for n in ("fairness", "prediction"))
        words = (
            f"Means over {seeds} seeds, each with its own test rows. Standard errors: "
            f"{_number(fairness)} of unfairness, {prediction:.4f} of prediction."
        )
        if self.unfair is not None and not math.isnan(float(self.unfair["fairness.se"])):
            gap = float(self.unfair["fairness"]) - float(self.best["fairness"])
            error = math.hypot(fairness, float(self.unfair["fairness.se"]))
            words += (
                " The gain in fairness is larger than two standard errors."
                if gap > 2 * error
                else " The gain in fairness is within two standard errors: it may be chance."
            )
        return words


def _recommended(fair: pd.DataFrame, unfair: dict[str, Any] | None) -> dict[str, Any] | None:
    useful = fair[~fair["no_better"].astype(bool)]
    if useful.empty:
        return None
    if unfair is not None:
        half = useful[useful["fairness"] <= _GOAL * float(unfair["fairness"])]
        if len(half):
            return _best(half, "prediction", highest=True)
    return _best(useful, "fairness", highest=False)


def _best(points: pd.DataFrame, column: str, *, highest: bool) -> dict[str, Any] | None:
    if points.empty:
        return None
    place = points[column].argmax() if highest else points[column].argmin()
    return {str(name): value for name, value in points.iloc[int(place)].to_dict().items()}


def _chance(subject: Subject, best: dict[str, Any] | None) -> NoiseFloor | None:
    if best is None:
        return None
    return chance_level(subject, best["runs"][0], subject.fairness.name)


def _name(point: dict[str, Any]) -> str:
    title = method_looks([point["method"]])[point["method"]].title
    return f"{title}, {point['words']}" if point["words"] else title


def _lower(metric: Metric) -> str:
    return f"{metric.label[0].lower()}{metric.label[1:]} ({metric.symbol})"


def _signed(change: float) -> str:
    return f"{change:+.3f}".replace("-", "−")


def _number(value: float) -> str:
    return f"{value:.{decimals(abs(float(value)))}f}"


def _share(point: dict[str, Any], before: float) -> str:
    if before <= 0:
        return ""
    change = 1 - float(point["fairness"]) / before
    return f" ({per_cent(abs(change))} {'less' if change >= 0 else 'more'})"
