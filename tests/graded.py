"""A table whose target has three classes."""

import numpy as np
import pandas as pd


def graded(rows: int = 300, seed: int = 0) -> pd.DataFrame:
    """People with an age and a mark that follows skill and, unfairly, age; with gaps."""
    random = np.random.default_rng(seed)
    age = random.uniform(18, 80, rows).round(1)
    skill = random.normal(size=rows)
    mark = skill + (age - 50) / 40 + 0.3 * random.normal(size=rows)
    lower, upper = np.quantile(mark, [0.3, 0.6])
    return pd.DataFrame(
        {
            "age": age,
            "skill": np.where(random.random(rows) < 0.05, np.nan, skill.round(3)),
            "years": np.maximum(age - 20 + random.normal(0, 6, rows), 0).round(1),
            "town": random.choice(["Aachen", "Bonn", "Köln"], rows),
            "grade": np.select([mark > upper, mark > lower], ["pass", "resit"], "fail"),
        }
    )
