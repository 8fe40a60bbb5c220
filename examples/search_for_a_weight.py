"""Chooses the fairness weight by cross-validation, with scikit-learn's own tools."""

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV

from frem_core import FairClassifier, make_fairness_scorer

random = np.random.default_rng(1)
age = pd.Series(random.uniform(18, 80, 400))
X = pd.DataFrame(
    {
        "experience": np.maximum(age - 20 + random.normal(0, 5, 400), 0),
        "skill": np.where(random.random(400) < 0.1, np.nan, random.normal(size=400)),
        "city": random.choice(["north", "south", None], 400),
    }
)
y = (X["skill"].fillna(0) + age / 30 + random.normal(0, 0.5, 400) > 1.6).map(
    {True: "yes", False: "no"}
)

search = GridSearchCV(
    FairClassifier(method="frem", epochs=15, batch_size=200, random_state=0),
    {"fairness_weight": [0.0, 1.0, 10.0]},
    scoring={"accuracy": "accuracy", "fair": make_fairness_scorer("hgr", sensitive_features=age)},
    refit="fair",
    cv=3,
)
search.fit(X, y, sensitive_features=age)
results = pd.DataFrame(search.cv_results_)
print(results[["param_fairness_weight", "mean_test_accuracy", "mean_test_fair"]].round(3))
