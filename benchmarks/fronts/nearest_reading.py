"""Hands the trainings of `front_runs` to `frem reproduce` and writes its pages anew.

The runs of the paper's methods, by the nearest reading of its protocol, become the tables that come
with the program, and the targets that rest on them are judged again.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
import pandas as pd

from benchmarks.fronts.front_runs import CONTESTANTS, GAMMA, PAPER, STUDIES, Study, kept
from benchmarks.report import Report, Table
from frem_core.evaluation import available_scores, get_score
from frem_core.reproduction import (
    available_targets,
    get_target,
    load_spec,
    take_over_examples,
    write_overview,
    write_report,
)
from frem_core.reproduction.series import series_name
from frem_core.store import Store

ROOT: Final = Path(__file__).parents[2]
SHIPPED: Final = ROOT / "frem_core" / "reproduction" / "specs"
PAGES: Final = ROOT / "docs" / "results"
SPECS: Final = {
    "crime": ("pareto_crime",),
    "adult_with_age": ("pareto_adult", "pareto_adult_binary"),
}
RESTING: Final = ("pareto-crime", "pareto-adult", "table-other", "implications")


def run() -> Report:
    rows = []
    for study in STUDIES:
        runs = papers_runs(study)
        for spec in SPECS.get(study.dataset, ()):
            table = of_spec(runs, spec)
            if len(table):
                table.to_csv(SHIPPED / f"{spec}_nearest.csv", index=False)
            rows.append([spec, table["series"].nunique(), _seeds(table), study.epochs, len(table)])
    write_pages()
    columns = ("sweep", "series", "seeds", "epochs", "runs")
    note = "A seed counts when every method of the paper is trained on it."
    return Report("Runs by the nearest reading", [Table("Shipped", columns, rows, note)])


def papers_runs(study: Study) -> pd.DataFrame:
    """Runs of the paper's methods on seeds that all of them have, with scores as in charts."""
    specs = [load_spec(spec) for spec in SPECS.get(study.dataset, ())]
    methods = {one.method for spec in specs for one in spec.methods}
    # FREM's name is that of two contestants: the paper's form is meant.
    wanted = {
        title: method
        for title, method in CONTESTANTS.items()
        if method.name in methods and (method.name != "frem" or title == PAPER)
    }
    runs = kept(study)
    runs = runs[runs["contestant"].isin(wanted)]
    trained = runs.groupby("seed")["contestant"].nunique()
    runs = runs[runs["seed"].isin(trained[trained == len(wanted)].index)]
    own = [wanted[name] for name in runs["contestant"]]
    table = pd.DataFrame({"seed": runs["seed"], "weight": runs.get("weight")})
    table["method"] = [method.name for method in own]
    table["gamma"], table["seconds"], table["epochs"] = GAMMA, np.nan, study.epochs
    table["series"] = [
        series_name({"method": method.name, "config.method.cut": getattr(method, "cut", None)})
        for method in own
    ]
    for score in available_scores():
        if score in runs and runs[score].notna().all():
            table[score] = runs[score].map(get_score(score).axis_value).round(6)
    return table


def of_spec(runs: pd.DataFrame, spec: str) -> pd.DataFrame:
    """Those of the methods that a sweep has, in the cuts that it has."""
    wanted = [
        series_name({"method": one.method, "config.method.cut": cut})
        for one in load_spec(spec).methods
        for cut in one.settings.get("cut", (None,))
    ]
    return runs[runs["series"].isin(wanted)]


def write_pages() -> None:
    """Judges what rests on these runs; runs with the settings as printed come with the program."""
    with TemporaryDirectory() as folder:
        store = Store(folder=Path(folder))
        try:
            for name in available_targets():
                take_over_examples(store, get_target(name))
            for name in RESTING:
                write_report(get_target(name).judged(store), PAGES)
        finally:
            store.close()
    write_overview(PAGES)


def _seeds(table: pd.DataFrame) -> str:
    return ", ".join(map(str, sorted(table["seed"].unique()))) or "none yet"
