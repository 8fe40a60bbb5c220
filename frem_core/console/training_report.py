"""What a finished training has to say, for people and for programs."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from frem_core.console.chance_levels import EIPM_SETTINGS, chance_levels
from frem_core.console.score_table import score_table
from frem_core.datasets import PreparedData
from frem_core.errors import DataError
from frem_core.evaluation import (
    ConstantScore,
    LeakageProbe,
    evaluate_split,
    leakage_probe,
)
from frem_core.evaluation.evaluate_split import constants_beside, outputs_of
from frem_core.limits import LimitReport
from frem_core.methods.frem import Frem
from frem_core.metrics import NoiseFloor, usual_metric
from frem_core.training import TrainedModel
from frem_core.words import counted, per_cent


@dataclass(frozen=True, eq=False)
class TrainingReport:
    """A trained model with its scores.

    Attributes:
        data: what it was trained and tested on.
        model: the model.
        seconds: how long the training took.
        gamma_choice: the candidates for γ and their criterion, when γ was chosen.
        scores: by set of rows ("train", "test") and name.
        constant: the best constant prediction beside it, by set of rows and name.
        chance: what the fairness scores of the test rows give by chance.
        leakage: what fresh models still read off the representation; None where that cannot be
            measured, for which there is a reason then.
        saved: where the model was written to.
        limit: whether the limit that was asked for is kept, when one was.
    """

    data: PreparedData
    model: TrainedModel
    seconds: float
    gamma_choice: pd.DataFrame | None
    scores: dict[str, dict[str, float]]
    constant: dict[str, dict[str, ConstantScore]]
    chance: dict[str, NoiseFloor]
    leakage: LeakageProbe | None
    no_leakage: str = ""
    saved: Path | None = None
    limit: LimitReport | None = None

    @classmethod
    def of(
        cls, data: PreparedData, model: TrainedModel, *, permutations: int, **facts: Any
    ) -> "TrainingReport":
        """Scores a model on train and test."""
        outputs = outputs_of(model, data)
        scores = evaluate_split(model, data, outputs, **EIPM_SETTINGS)
        test = data.test
        z, p = outputs["test"]
        leakage, reason = _probed(data, model, outputs)
        return cls(
            data=data,
            model=model,
            scores=scores,
            constant=constants_beside(data, outputs),
            chance=chance_levels(
                scores["test"],
                test.y,
                p,
                z.astype(np.float64),
                test.s,
                permutations=permutations,
                attributes=test.attributes,
            ),
            leakage=leakage,
            no_leakage=reason,
            **facts,
        )

    def to_json(self) -> str:
        """Everything, for programs."""
        data, model = self.data, self.model
        choice = None if self.gamma_choice is None else self.gamma_choice.to_dict("records")
        facts = {
            "dataset": {
                "name": data.dataset_name,
                "task": data.task,
                "target": data.target_name,
                "target_scale": [data.target_scale.low, data.target_scale.high],
                "sensitive": data.sensitive_name,
                **(
                    {}
                    if data.test.attributes is None
                    else {"sensitive_attributes": list(data.test.attributes.names)}
                ),
                "sensitive_scale": [data.sensitive_scale.low, data.sensitive_scale.high],
                "features": len(data.feature_names),
                "rows": {"train": len(data.train), "test": len(data.test)},
            },
            "split": {"kind": data.split.kind, "seed": data.split.seed},
            "method": model.method.to_dict(),
            "config": model.config.to_dict(),
            "member": model.member.to_dict(),
            "gamma_choice": choice,
            "seconds": round(self.seconds, 3),
            "scores": self.scores,
            "constant": {
                rows: {name: asdict(one) for name, one in found.items()}
                for rows, found in self.constant.items()
            },
            "beats_constant": self.beats_constant,
            "chance_levels": {name: asdict(level) for name, level in self.chance.items()},
            "leakage": None if self.leakage is None else asdict(self.leakage),
            "saved": None if self.saved is None else str(self.saved),
        }
        if self.limit is not None:
            about = self.limit.to_dict()
            facts |= {name: about[name] for name in ("unfair", "limit", "reached", "interval")}
            facts["limit_report"] = about
        return json.dumps(facts, ensure_ascii=False, indent=2)

    def show(self, console: Console) -> None:
        """Prints tables and remarks for people."""
        data, model = self.data, self.model
        console.print(
            f"[bold]{model.method.title}[/bold] on [bold]{escape(data.dataset_name)}[/bold]: "
            f"{escape(self._settings())}; {len(data.train):,} train and {len(data.test):,} test "
            f"rows, {self.seconds:.1f} s."
        )
        if self.gamma_choice is not None:
            console.print(_choice_table(self.gamma_choice))
        console.print(score_table(self.scores, self.chance, self._constants()))
        if not self.beats_constant:
            # What to do about it the sentence on the limit says, where there is one.
            advice = "" if self.limit is not None else " Use a smaller fairness weight."
            console.print(
                "Warning: this model predicts no better than a constant on the test rows (within "
                f"two standard errors).{advice}",
                style="yellow",
            )
        gamma, sigma = EIPM_SETTINGS["gamma"], EIPM_SETTINGS["sigma"]
        console.print(f"EIPM is measured with γ = {gamma:g} and σ = {sigma:g}.")
        if data.task == "regression":
            low, high = data.target_scale.low, data.target_scale.high
            console.print(f"Errors are on the target scaled to 0–1 ({low:g} to {high:g}).")
        if self.chance:
            console.print("Chance level: the score when sensitive values are shuffled (test rows).")
        if self.limit is not None:
            style = "" if self.limit.reached else "yellow"
            console.print(escape(self.limit.sentence), style=style)
        console.print(self._leakage())
        if self.leakage is not None and self.leakage.warning:
            console.print(f"Warning: {self.leakage.warning}", style="yellow")
        if self.saved is not None:
            console.print(f"Model saved in {escape(str(self.saved))}")

    @property
    def beats_constant(self) -> bool:
        """Whether it clearly predicts better than the same answer for everybody."""
        usual = usual_metric(self.data.task)
        scores, constant = self.scores["test"], self.constant["test"][usual.name]
        return constant.is_beaten_by(scores[usual.name], usual) and scores.get("r2", 1.0) > 0

    def _constants(self) -> dict[str, float]:
        return {name: one.value for name, one in self.constant["test"].items()}

    def _settings(self) -> str:
        model = self.model
        words = [counted(model.config.epochs, "epoch"), f"batches of {model.config.batch_size}"]
        if model.method.uses_fairness_weight:
            words.insert(0, f"fairness weight λ = {model.member.fairness_weight:.4g}")
        if isinstance(model.method, Frem):
            words.insert(1, f"γ = {model.method.gamma:g}")
        return ", ".join([*words, f"seed {model.member.seed}"])

    def _leakage(self) -> str:
        probe = self.leakage
        if probe is None:
            return f"Leakage was not measured. {escape(self.no_leakage)}"
        beside = (
            "" if probe.features is None else f", {per_cent(probe.features.best_r2)} from features"
        )
        return (
            f"Leakage: a fresh model explains {per_cent(probe.representation.best_r2)} of the "
            f"variance of {escape(self.data.sensitive_name)} from the representation"
            f"{beside} (test rows)."
        )


def _probed(
    data: PreparedData, model: TrainedModel, outputs: dict[str, tuple[Any, Any]]
) -> tuple[LeakageProbe | None, str]:
    """What fresh models read off Z; a table may be large enough to learn from and not for that."""
    test = data.test
    try:
        probe = leakage_probe(
            outputs["train"][0],
            data.train.s,
            data.train.x,
            held_out=(outputs["test"][0], test.s, test.x),
            sigma=model.method.sigma if isinstance(model.method, Frem) else 1.0,
            advice=model.method.advice_on_leakage,
        )
    except DataError as error:
        return None, str(error)
    return probe, ""


def _choice_table(choice: pd.DataFrame) -> Table:
    table = Table(title="Choice of γ on a fifth of the training rows")
    for heading in ("γ", "loss", "EIPM", "criterion: loss + λ · EIPM", ""):
        table.add_column(heading, justify="right")
    numbers = choice[["gamma", "validation_loss", "validation_eipm", "criterion"]].to_numpy()
    for (gamma, *scores), chosen in zip(numbers, choice["chosen"], strict=True):
        cells = (f"{gamma:g}", *(f"{score:.4f}" for score in scores))
        table.add_row(*cells, "chosen" if chosen else "")
    return table
