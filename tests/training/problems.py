"""Small problems on which a training takes milliseconds."""

import numpy as np

from frem_core.datasets import Part
from frem_core.training import TrainedModel, TrainingConfig
from frem_core.types import Task

CONFIG = TrainingConfig(epochs=4, batch_size=32, hidden=(8, 6))


def small_part(rows: int = 80, *, task: Task = "classification", seed: int = 0) -> Part:
    """Features that carry the target and the sensitive value, which depend on each other."""
    rng = np.random.default_rng(seed)
    s = rng.integers(0, 30, rows) / 29
    x = rng.random((rows, 5))
    x[:, 0] = 0.7 * s + 0.3 * x[:, 0]
    level = (x[:, 0] + x[:, 1]) / 2
    y = (level > np.median(level)).astype(float) if task == "classification" else level
    return Part(x=x.astype(np.float32), y=y, s=s, rows=np.arange(rows))


def weights_of(model: TrainedModel) -> np.ndarray:
    """Every parameter in one vector."""
    states = {
        **model.encoder.state_dict(),
        **{f"h{k}": v for k, v in model.head.state_dict().items()},
    }
    return np.concatenate([states[key].numpy().ravel() for key in sorted(states)])
