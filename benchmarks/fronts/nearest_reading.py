"""Hands trainings by the nearest reading to `frem reproduce` and writes its pages anew.

The runs of the paper's methods that `front_runs` has kept, and those of ablations that
``frem reproduce … --reading nearest`` has trained into the store of this machine, become the tables
that come with the program. Then the targets that rest on them are judged again; what their pages
say on the settings as printed stays.
"""

from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from benchmarks.fronts.front_runs import (
    CONTESTANTS,
    GAMMA,
    OPPORTUNITY,
    PAPER,
    STUDIES,
    Study,
    kept,
)
from benchmarks.report import Report, Table
from frem_core.evaluation import available_scores, get_score
from frem_core.reproduction import (
    StoredResults,
    earlier_printed,
    get_target,
    load_spec,
    write_overview,
    write_report,
)
from frem_core.reproduction.results import shipped_name
from frem_core.reproduction.series import series_name
from frem_core.store import Store, open_store

ROOT: Final = Path(__file__).parents[2]
SHIPPED: Final = ROOT / "frem_core" / "reproduction" / "specs"
PAGES: Final = ROOT / "docs" / "results"
OF_STUDY: Final[dict[Study, tuple[str, ...]]] = {
    STUDIES[0]: ("pareto_crime",),
    STUDIES[3]: ("pareto_adult", "pareto_adult_binary"),
    OPPORTUNITY: ("eo_adult",),
}
ABLATIONS: Final = ("mmd-bins", "kernels-s", "kernels-z", "sigma", "train-vs-test")
RESTING: Final = (
    *("pareto-crime", "pareto-adult", "table-other", "eo-adult"),
    *ABLATIONS,
    "implications",
)
_ABOUT: Final = ("seed", "weight", "method", "gamma", "seconds", "epochs", "series")
_ON_TRAIN: Final = ("train.mse", "train.gdp")


def run() -> Report:
    tables = {
        spec: _of_spec(papers_runs(one), spec) for one, all_ in OF_STUDY.items() for spec in all_
    }
    store = open_store()
    try:
        tables |= _of_ablations(store)
        for spec, table in tables.items():
            if len(table):
                table.to_csv(SHIPPED / shipped_name(spec), index=False)
        _write_pages(store)
    finally:
        store.close()
    rows = [
        [
            *(spec, table["series"].nunique()),
            *(_listed(table["seed"]), _listed(table["epochs"]), len(table)),
        ]
        for spec, table in tables.items()
    ]
    columns = ("sweep", "series", "seeds", "epochs", "runs")
    note = "A seed counts when every method of the paper is trained on it."
    return Report("Runs by the nearest reading", [Table("Shipped", columns, rows, note)])


def papers_runs(study: Study) -> pd.DataFrame:
    """Runs of the paper's methods on seeds that all of them have, with scores as in charts."""
    specs = [load_spec(spec) for spec in OF_STUDY[study]]
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


def _of_spec(runs: pd.DataFrame, spec: str) -> pd.DataFrame:
    """Those of the methods that a sweep has, in the cuts that it has."""
    wanted = [
        series_name({"method": one.method, "config.method.cut": cut})
        for one in load_spec(spec).methods
        for cut in one.settings.get("cut", (None,))
    ]
    return runs[runs["series"].isin(wanted)]


def _of_ablations(store: Store) -> dict[str, pd.DataFrame]:
    """Runs of whole ablations, from a store and from what is shipped already."""
    results = StoredResults(store, reading="nearest")
    found = {}
    for spec in (f"{name}@crime" for name in ABLATIONS):
        runs = results.runs(spec)
        if len(runs) == results.expected(spec):
            runs["epochs"] = load_spec(spec).training["epochs"]
            wanted = (*_ABOUT, *available_scores(), *_ON_TRAIN)
            table = runs[[name for name in wanted if name in runs]]
            found[spec] = table.dropna(axis="columns", how="all").round(6)
    return found


def _write_pages(store: Store) -> None:
    """Judges what rests on the runs that come with the program now."""
    for name in RESTING:
        printed = earlier_printed(PAGES, name)
        write_report(get_target(name).judged(store, printed=printed), PAGES)
    write_overview(PAGES)


def _listed(values: "pd.Series[int]") -> str:
    return ", ".join(map(str, sorted(values.unique()))) or "none yet"
