"""A network of your own, trained by three methods, saved and loaded."""

import tempfile

import numpy as np
from torch import nn

from frem_core import FairClassifier


def tabular_network(inputs: int) -> nn.Module:
    """Gets the number of inputs and returns what turns rows into representations."""
    return nn.Sequential(
        nn.Linear(inputs, 32), nn.LayerNorm(32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 8)
    )


random = np.random.default_rng(0)
age = random.uniform(18, 80, 600)
X = np.column_stack([age + random.normal(0, 8, 600), random.normal(size=(600, 3))])
y = np.select([X[:, 1] > 0.5, X[:, 1] > -0.5], ["high", "middle"], "low")

for method in ("frem", "mmd", "adv"):
    model = FairClassifier(method=method, encoder=tabular_network, epochs=15, random_state=0)
    model.fit(X, y, sensitive_features=age)
    with tempfile.TemporaryDirectory() as folder:
        model.save(folder)
        again = FairClassifier.load(folder, encoder=tabular_network)
    assert (again.predict(X) == model.predict(X)).all()
    print(method, model.score_fairness(X, y, age).round(3).to_dict())
