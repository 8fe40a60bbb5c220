"""A table that its owner keeps to herself, and a finished sweep about it."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from frem_core.datasets import DatasetSpec
from frem_core.store import Store
from frem_core.sweeps import SweepSpec, submit
from tests.finished_sweeps import add_crime, finish_next

ANN, VERA, ADA, BEN = (f"{name}@example.org" for name in ("ann", "vera", "ada", "ben"))
ROLES = {
    "FREM_ALLOW": "@example.org",
    "FREM_AUTHORS": f"{ANN}, {BEN}",
    "FREM_ADMINISTRATORS": ADA,
}
TABLE = "5ec2e7" + "0" * 14
CHOSEN = DatasetSpec(table=TABLE).key  # what an address calls it
#: Stand in the table's name, its columns, its values and the sweep's name, and nowhere else.
SECRET = "zugspitze"

_SPEC = f"""
name = "{SECRET} by ann"
[dataset]
table = "{TABLE}"
target = "{SECRET}_pay"
sensitive = "{SECRET}_age"
[training]
epochs = 3
[[methods]]
method = "frem"
fairness_weights = [0.03, 0.1]
[[methods]]
method = "unfair"
"""


@dataclass(frozen=True)
class Private:
    """What belongs to ann alone, and a sweep on public data that is hers too."""

    sweep: str
    run: str
    public_sweep: str
    public_run: str


def add_private(store: Store) -> Private:
    """Keeps the table, trains nothing, gives every run its result."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            f"{SECRET}_age": rng.integers(20, 70, 200),
            f"{SECRET}_pay": rng.normal(size=200),
            "place": rng.choice([f"{SECRET} north", f"{SECRET} south"], 200),
        }
    )
    store.own_table(TABLE, ANN)
    store.tables.keep(frame, table_id=TABLE, name=f"{SECRET}.csv")
    sweep = submit(store, SweepSpec.from_toml(_SPEC), queued_by=ANN)
    run = finish_next(store)[0]
    public = add_crime(store, queued_by=ANN)
    return Private(sweep, run, public, finish_next(store)[0])


def addresses(private: Private) -> list[tuple[str, dict[str, str]]]:
    """Every page with every way in which an address can name what is private."""
    dataset = {"dataset": CHOSEN, "target": f"{SECRET}_pay", "sensitive": f"{SECRET}_age"}
    run = {"sweep": private.sweep, "run": private.run}
    smuggled = {"sweep": private.public_sweep, "run": private.run}
    return [
        ("app.py", dataset),
        ("app.py", {"sweep": private.sweep}),
        ("pages/1_Data.py", dataset),
        ("pages/1_Data.py", {"reading": TABLE}),
        ("pages/1_Data.py", {"dataset": "crime", "reading_edges": TABLE}),
        ("pages/1_Data.py", {"dataset": "crime", "edge_table": TABLE, "edges": TABLE}),
        ("pages/2_Train.py", dataset),
        ("pages/2_Train.py", {"sweep": private.sweep}),
        ("pages/2_Train.py", run),
        ("pages/2_Train.py", smuggled),
        ("pages/3_Trade-offs.py", {"sweep": private.sweep}),
        ("pages/3_Trade-offs.py", smuggled),
        ("pages/4_Compare.py", run),
        ("pages/4_Compare.py", smuggled),
        ("pages/4_Compare.py", {"run": private.run}),
        ("pages/6_Ablations.py", {**dataset, "ablation": "sigma"}),
        ("pages/7_Audit.py", {"table": TABLE, "sensitive": f"{SECRET}_age"}),
        ("pages/7_Audit.py", {"reading": TABLE}),
        ("pages/7_Audit.py", {"from": "run", **run}),
        ("pages/7_Audit.py", {"from": "run", **smuggled}),
        ("pages/7_Predict.py", run),
        ("pages/7_Predict.py", smuggled),
    ]
