"""Scores on rows that are held out of training, after every epoch."""

import numpy as np
import torch
from numpy.typing import NDArray

from frem_core.datasets import Part
from frem_core.metrics.penalties import gdp_penalty
from frem_core.networks import Inputs
from frem_core.training.stack import TrainingStack
from frem_core.training.task_loss import task_loss


class Validation:
    """Held-out rows and the scores the stack reaches on them.

    Scores, (B,) each: ``validation_loss`` (the task loss), ``validation_accuracy`` or
    ``validation_mae``, and ``validation_gdp`` (generalised demographic parity gap).
    """

    def __init__(self, part: Part) -> None:
        self._part = part
        self._inputs: Inputs | None = None
        self.y = torch.tensor(part.y, dtype=torch.float32)
        self.s = torch.tensor(part.s, dtype=torch.float32)

    def _read(self, stack: TrainingStack) -> Inputs:
        """What encoders of this kind read; every stack of a training has the same kind."""
        if self._inputs is None:
            self._inputs = stack.encoder.read(self._part.x)
        return self._inputs

    @torch.no_grad()
    def scores(self, stack: TrainingStack) -> dict[str, NDArray[np.float64]]:
        """Returns every score by name."""
        everyone = torch.arange(len(self.y)).expand(len(stack.members), -1)
        with stack.evaluating():
            logits, p = stack.predict(stack.represent(self._read(stack), everyone))
        y, s = self.y.expand(len(p), -1), self.s.expand(len(p), -1)
        columns = p.unbind(-1) if p.ndim == 3 else (p,)  # one class against all others each
        scores = {
            "validation_loss": task_loss(stack.task, logits, p, y),
            "validation_gdp": torch.stack([gdp_penalty(one, s) for one in columns]).mean(dim=0),
        }
        if stack.task == "classification":
            predicted = p.argmax(-1) if p.ndim == 3 else (p > 0.5).long()
            scores["validation_accuracy"] = (predicted == y.long()).double().mean(dim=1)
        else:
            scores["validation_mae"] = (p - y).abs().mean(dim=1)
        return {name: score.double().numpy() for name, score in scores.items()}
