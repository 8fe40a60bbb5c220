"""A small, ordinary table that tests bend into shape."""

import numpy as np
import pandas as pd


def people(n_rows: int = 120, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 80, n_rows),
            "hours": rng.normal(38.0, 6.0, n_rows).round(2),
            "city": rng.choice(["Ulm", "Köln", "Jena"], n_rows),
            "hired": rng.choice(["no", "yes"], n_rows),
        }
    )
