"""A small table of people on which age drives both a feature and the outcome."""

import numpy as np
import pandas as pd


def people(rows=240, seed=0):
    """Returns (X, y, age): X a DataFrame with numbers and categories, y 'no' or 'yes'."""
    random = np.random.default_rng(seed)
    age = random.integers(18, 80, rows).astype(float)
    skill = random.normal(size=rows)
    X = pd.DataFrame(
        {
            "years_of_work": np.maximum(age - 20 + random.normal(0, 4, rows), 0),
            "skill": skill,
            "city": random.choice(["north", "south", "west"], rows),
        },
        index=random.permutation(rows) + 1000,
    )
    y = np.where(skill + age / 25 + random.normal(0, 0.5, rows) > 2, "yes", "no")
    return X, pd.Series(y, index=X.index, name="hired"), pd.Series(age, index=X.index, name="age")


QUICK = {"epochs": 8, "batch_size": 120, "hidden": (12, 6), "learning_rate": 0.01}
