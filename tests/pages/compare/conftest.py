"""A store of really trained runs; all files of this folder run in one process and share it."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest

from frem_core.store import Store, open_store
from studio.store import close_store
from tools.trained_sweeps import train_sweep

CRIME = """
name = "Crime <b>small</b>"
seeds = [0, 1]
[dataset]
name = "crime"
[training]
epochs = 3
hidden = [6, 4]
[[methods]]
method = "unfair"
[[methods]]
method = "frem"
fairness_weights = [0.1, 1.0, 3.0]
[[methods]]
method = "reg_gdp"
fairness_weights = [1.0, 10.0]
"""
CLINIC = """
name = "Clinic"
fairness = "eo"
seeds = [0]
[dataset]
path = "{path}"
target = "recovered"
sensitive = "<b>age</b>"
[training]
epochs = 3
hidden = [4, 3]
[[methods]]
method = "unfair"
[[methods]]
method = "frem"
fairness_weights = [1.0]
"""


@pytest.fixture(scope="package")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with a regression and an equal-opportunity classification of a user's table."""
    home = tmp_path_factory.mktemp("compare-home")
    rng = np.random.default_rng(0)
    age = rng.integers(20, 90, 400)
    clinic = pd.DataFrame(
        {
            "<b>age</b>": age,
            "dose": age / 10 + rng.normal(size=400),
            "weight": rng.normal(70, 9, 400),
            "recovered": np.where(rng.random(400) < age / 100, "yes", "no"),
        }
    )
    clinic.to_csv(home / "clinic.csv", index=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FREM_HOME", str(home))
        patch.setenv("FREM_STORE", "")
        patch.setenv("FREM_EXAMPLES", "off")
        opened = open_store()
        train_sweep(opened, CLINIC.format(path=home / "clinic.csv"))
        train_sweep(opened, CRIME)
        close_store()
        yield opened
        opened.close()
    close_store()


@pytest.fixture
def crime(store: Store) -> pd.DataFrame:
    sweep = store.sweeps.find("Crime <b>small</b>")
    return store.runs.frame(sweep).assign(sweep=sweep)
