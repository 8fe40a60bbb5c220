"""Quickly trained models of one small table."""

import numpy as np

from frem_core import FairClassifier
from tests.estimators.people import QUICK, people

X, y, age = people()
NUMBERS = X[["years_of_work", "skill"]].to_numpy()
THREE = np.select([X["skill"] > 0.5, X["skill"] > -0.5], ["high", "middle"], "low")


def fair(method="frem", target=y, **settings):
    model = FairClassifier(method=method, **{**QUICK, "random_state": 0, **settings})
    return model.fit(X, target, sensitive_features=age)
