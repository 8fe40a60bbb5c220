"""A table with every kind of column, and models trained on it."""

from pathlib import Path

import numpy as np
import pandas as pd

from frem_core.datasets import PreparedData, load_table, prepare, split_dataset
from frem_core.estimators import TablePredictor
from frem_core.methods import get_method
from frem_core.training import TrainingConfig, train


def people(rows: int = 240, seed: int = 0) -> pd.DataFrame:
    """People with numbers, text, true/false, dates and gaps; the outcome follows age and hours."""
    random = np.random.default_rng(seed)
    age = random.uniform(18, 80, rows).round(1)
    hours = random.integers(5, 60, rows).astype(float)
    hours[::17] = np.nan
    joined = pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 900, rows), "D")
    score = 0.04 * (age - 50) + 0.05 * (np.nan_to_num(hours, nan=30) - 30)
    return pd.DataFrame(
        {
            "age": age,
            "hours": hours,
            "town": random.choice(["Aachen", "Bonn", "Köln"], rows),
            "member": random.choice(["true", "false"], rows),
            "joined": joined.strftime("%Y-%m-%d"),
            "paid": np.where(score + random.normal(size=rows) > 0, "ja", "nein"),
            "income": (1000 + 40 * hours + 10 * age + 100 * random.normal(size=rows)).round(2),
        }
    )


def prepared(target: str, folder: Path) -> PreparedData:
    """The table as a user would load it from a file, with the other target left out."""
    file = folder / "people.csv"
    people().to_csv(file, index=False)
    other = "income" if target == "paid" else "paid"
    dataset = load_table(file, target=target, sensitive="age", leave_out=(other,))
    return prepare(dataset, split_dataset(dataset))


def predictor(data: PreparedData, method: str = "frem") -> TablePredictor:
    """A model of few epochs."""
    config = TrainingConfig(epochs=2, batch_size=64, hidden=(8, 8))
    (model,) = train(data.train, task=data.task, method=get_method(method)(), config=config)
    return TablePredictor.of(data, model)
