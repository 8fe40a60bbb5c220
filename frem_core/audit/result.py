"""What an audit found, as tables, sentences, and documents."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from frem_core.audit.curve import Curve
from frem_core.audit.cuts import Cuts
from frem_core.audit.regions import Region
from frem_core.audit.rules import RuleResult, check_rule
from frem_core.words import per_cent, rounded

if TYPE_CHECKING:
    from frem_core.report import Report

Kind = Literal["probability", "decision", "number"]


class Documented(ABC):
    """What was found, as something to read: sentences, a report, a section for a model card."""

    @abstractmethod
    def _words(self) -> ModuleType:
        """The module that puts it into words: its ``sentences``, ``report`` and ``markdown``."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything as values that JSON knows; missing numbers are None."""

    def sentences(self) -> tuple[str, ...]:
        """What was found, in plain words, the most important first."""
        told: tuple[str, ...] = self._words().sentences(self)
        return told

    def report(self, rules: tuple[RuleResult, ...] = ()) -> "Report":
        """The audit as a report, which can be shown, saved, or put together with others."""
        made: Report = self._words().report(self, rules)
        return made

    def to_html(self, path: str | Path, rules: tuple[RuleResult, ...] = ()) -> Path:
        """Writes one HTML file that opens offline and prints.

        Args:
            path: where to.
            rules: results of rules to show at the top.
        """
        target = Path(path)
        if target.suffix not in (".html", ".htm"):
            target = target.with_name(target.name + ".html")
        return self.report(rules).save(target)

    def to_markdown(self, rules: tuple[RuleResult, ...] = ()) -> str:
        """A section for a model card."""
        section: str = self._words().markdown(self, rules)
        return section


@dataclass(frozen=True, eq=False)
class AuditResult(Documented):
    """The outcome of :func:`frem_core.audit.audit`.

    Attributes:
        scores: ``score, value, low, high, chance, p_value``. ``value`` is what the formula gives
            for these rows; ``low`` and ``high`` hold what it would give for endlessly many of
            their kind, so noise is in the value but not in the interval; ``chance`` is the mean
            value when predictions and S are unrelated.
        curve: E[ŷ | S] as ``s, mean, low, high, rows``; the band holds everywhere at once.
        differences: the same, less the overall mean.
        errors: curves of what goes wrong along S, by name; empty without true outcomes.
        adjusted: the curve between people alike in the factors, and its scores; None without.
        adjusted_scores: as ``scores``, of that curve.
        features: columns by how much each tells about S, the strongest first; None without.
        fit: the curve with all that rules need.
        cuts: what ways of binning would have said.
        kind: what was predicted.
        rows: how many rows were looked at.
        overall: the mean prediction.
        sensitive_name: what S is called.
        prediction_name: what the prediction is called.
        worst: the region with the largest certain difference, or None.
        silent: rows at values of S about which nothing can be said: ``rows``, ``share``, ``where``.
        smallest_effect: the smallest difference between both ends of S, along a straight line,
            that this sample finds with 80 % probability.
        settings: everything that determines the numbers.
        notes: what a reader must know.
    """

    scores: pd.DataFrame
    curve: pd.DataFrame
    differences: pd.DataFrame
    errors: Mapping[str, pd.DataFrame]
    fit: Curve
    cuts: Cuts
    kind: Kind
    rows: int
    overall: float
    sensitive_name: str
    prediction_name: str
    worst: Region | None
    silent: Mapping[str, Any]
    smallest_effect: float
    settings: Mapping[str, Any]
    adjusted: pd.DataFrame | None = None
    adjusted_scores: pd.DataFrame | None = None
    features: pd.DataFrame | None = None
    notes: tuple[str, ...] = ()
    nulls: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def method(self) -> dict[str, str]:
        """How it was done, in words: the settings that determine the numbers."""
        used, eipm = self.settings, self.settings["eipm"]
        low, high = (rounded(one, 6) for one in used["sensitive_range"])
        sigma = "the median distance" if eipm["sigma"] == "median" else f"{eipm['sigma']:g}"
        told = {
            "Scale": f"{self.sensitive_name} from {low} to {high} became 0 to 1, for every score",
            "Curve": "smoothed along it" if used["smoothed"] else "one mean for each value",
            "Confidence": f"{per_cent(used['confidence'])}, of intervals and bands",
            "Resamples": f"{used['n_resamples']:,} behind each interval",
            "Shuffles": f"{used['n_permutations']:,} behind chance and p, which is at least "
            f"{used['smallest_p_value']:.3g}",
            "Weights": "rows count by their weight" if used["weighted"] else "all rows count alike",
            "EIPM": f"bandwidth γ {eipm['gamma']:g}, scale σ {sigma}, noise {eipm['noise']}",
            "Seed": f"{used['random_state']}",
        }
        if self.kind == "probability":
            told["Threshold"] = f"above {used['threshold']:g} a probability is a positive decision"
        return told

    def at(self, s: float) -> dict[str, float]:
        """How much more than average people with this value of S get: difference, low, high."""
        place = int(np.abs(self.differences["s"].to_numpy() - s).argmin())
        return {
            name: float(self.differences[name].to_numpy()[place])
            for name in ("s", "mean", "low", "high")
        }

    def check(self, rule: str) -> RuleResult:
        """Holds the audit against a rule such as ``"ratio>=0.8"``: kept, broken, cannot be told."""
        return check_rule(rule, self)

    def score(self, name: str) -> dict[str, float]:
        """One row of the scores by name."""
        return row_of(self.scores, name)

    def _words(self) -> ModuleType:
        from frem_core.audit import document

        return document

    def to_dict(self) -> dict[str, Any]:
        """Everything as values that JSON knows; missing numbers are None."""
        return {
            "prediction": self.prediction_name,
            "sensitive": self.sensitive_name,
            "kind": self.kind,
            "rows": self.rows,
            "overall": self.overall,
            "scores": {
                str(row["score"]): {
                    key: _plain(row[key]) for key in ("value", "low", "high", "chance", "p_value")
                }
                for _, row in self.scores.iterrows()
            },
            "curve": records(self.curve),
            "differences": records(self.differences),
            "errors": {name: records(table) for name, table in self.errors.items()},
            "adjusted": None if self.adjusted is None else records(self.adjusted),
            "adjusted_scores": (
                None if self.adjusted_scores is None else records(self.adjusted_scores)
            ),
            "features": None if self.features is None else records(self.features),
            "worst_region": None if self.worst is None else vars(self.worst).copy(),
            "silent_rows": dict(self.silent),
            "smallest_effect": {
                "difference": _plain(self.smallest_effect),
                "power": 0.8,
                "level": 0.05,
                "shape": "straight line from the smallest to the largest value",
                "test": "gap",
            },
            "binnings": records(self.cuts.binned()),
            "settings": dict(self.settings),
            "sentences": list(self.sentences()),
            "notes": list(self.notes),
        }


def row_of(scores: pd.DataFrame, name: str) -> dict[str, float]:
    """The numbers of one score."""
    place = scores["score"].tolist().index(name)
    numbers = [column for column in scores.columns if column != "score"]
    return {str(column): float(scores[column].to_numpy()[place]) for column in numbers}


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as values that JSON knows."""
    return [
        {str(name): _plain(value) for name, value in row.items()}
        for row in table.to_dict(orient="records")
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
