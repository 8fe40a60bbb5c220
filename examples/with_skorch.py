"""EIPM as part of the loss of a skorch network."""

import numpy as np
import torch
from skorch import NeuralNetClassifier
from torch import nn

from frem_core import EIPMLoss


class TwoPart(nn.Module):
    """Returns predictions and the representation they come from."""

    def __init__(self, inputs: int = 2) -> None:
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(inputs, 16), nn.SELU())
        self.head = nn.Linear(16, 2)

    def forward(self, x, age=None):
        z = self.encoder(x)
        return self.head(z), z


class FairNet(NeuralNetClassifier):
    """Adds EIPM of the representation to the cross-entropy."""

    fair = EIPMLoss(gamma=0.1)

    def get_loss(self, y_pred, y_true, X=None, training=False):
        logits, z = y_pred
        return nn.functional.cross_entropy(logits, y_true) + 2.0 * self.fair(z, X["age"])


random = np.random.default_rng(0)
age = random.uniform(18, 80, 800).astype(np.float32)
x = np.column_stack([age / 80 + random.normal(0, 0.1, 800), random.normal(size=800)])
y = (x.sum(axis=1) > 0.6).astype(np.int64)

net = FairNet(
    TwoPart,
    max_epochs=5,
    lr=0.01,
    optimizer=torch.optim.Adam,
    batch_size=200,
    train_split=None,
    verbose=0,
)
net.fit({"x": x.astype(np.float32), "age": age}, y)
print(f"loss of the last epoch: {net.history[-1, 'train_loss']:.3f}")
