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
from frem_core.evaluation import LeakageProbe, evaluate_split, leakage_probe
from frem_core.methods.frem import Frem
from frem_core.metrics import NoiseFloor
from frem_core.training import TrainedModel
from frem_core.words import counted


@dataclass(frozen=True, eq=False)
class TrainingReport:
    """A trained model with its scores.

    Attributes:
        data: what it was trained and tested on.
        model: the model.
        seconds: how long the training took.
        gamma_choice: the candidates for γ and their criterion, when γ was chosen.
        scores: by set of rows ("train", "test") and name.
        chance: what the fairness scores of the test rows give by chance.
        leakage: what fresh models still read off the representation.
        saved: where the model was written to.
    """

    data: PreparedData
    model: TrainedModel
    seconds: float
    gamma_choice: pd.DataFrame | None
    scores: dict[str, dict[str, float]]
    chance: dict[str, NoiseFloor]
    leakage: LeakageProbe
    saved: Path | None = None

    @classmethod
    def of(
        cls, data: PreparedData, model: TrainedModel, *, permutations: int, **facts: Any
    ) -> "TrainingReport":
        """Scores a model on train and test."""
        scores = evaluate_split(model, data, **EIPM_SETTINGS)
        test = data.test
        z = model.transform(test.x)
        sigma = model.method.sigma if isinstance(model.method, Frem) else 1.0
        return cls(
            data=data,
            model=model,
            scores=scores,
            chance=chance_levels(
                scores["test"],
                test.y,
                model.predict_from_representation(z),
                z.astype(np.float64),
                test.s,
                permutations=permutations,
            ),
            leakage=leakage_probe(
                model.transform(data.train.x),
                data.train.s,
                data.train.x,
                held_out=(z, test.s, test.x),
                sigma=sigma,
                advice=model.method.advice_on_leakage,
            ),
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
            "chance_levels": {name: asdict(level) for name, level in self.chance.items()},
            "leakage": asdict(self.leakage),
            "saved": None if self.saved is None else str(self.saved),
        }
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
        console.print(score_table(self.scores, self.chance))
        gamma, sigma = EIPM_SETTINGS["gamma"], EIPM_SETTINGS["sigma"]
        console.print(f"EIPM is measured with γ = {gamma:g} and σ = {sigma:g}.")
        if data.task == "regression":
            low, high = data.target_scale.low, data.target_scale.high
            console.print(f"Errors are on the target scaled to 0–1 ({low:g} to {high:g}).")
        if self.chance:
            console.print("Chance level: the score when sensitive values are shuffled (test rows).")
        console.print(self._leakage())
        if self.leakage.warning:
            console.print(f"Warning: {self.leakage.warning}", style="yellow")
        if self.saved is not None:
            console.print(f"Model saved in {escape(str(self.saved))}")

    def _settings(self) -> str:
        model = self.model
        words = [counted(model.config.epochs, "epoch"), f"batches of {model.config.batch_size}"]
        if model.method.uses_fairness_weight:
            words.insert(0, f"fairness weight λ = {model.member.fairness_weight:g}")
        if isinstance(model.method, Frem):
            words.insert(1, f"γ = {model.method.gamma:g}")
        return ", ".join([*words, f"seed {model.member.seed}"])

    def _leakage(self) -> str:
        probe = self.leakage
        beside = "" if probe.features is None else f", {probe.features.best_r2:.0%} from features"
        return (
            f"Leakage: a fresh model explains {probe.representation.best_r2:.0%} of the variance "
            f"of {escape(self.data.sensitive_name)} from the representation{beside} (test rows)."
        )


def _choice_table(choice: pd.DataFrame) -> Table:
    table = Table(title="Choice of γ on a fifth of the training rows")
    for heading in ("γ", "loss", "EIPM", "criterion: loss + λ · EIPM", ""):
        table.add_column(heading, justify="right")
    numbers = choice[["gamma", "validation_loss", "validation_eipm", "criterion"]].to_numpy()
    for (gamma, *scores), chosen in zip(numbers, choice["chosen"], strict=True):
        cells = (f"{gamma:g}", *(f"{score:.4f}" for score in scores))
        table.add_row(*cells, "chosen" if chosen else "")
    return table
