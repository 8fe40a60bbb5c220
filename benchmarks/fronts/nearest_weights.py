"""Fairness weights by which `frem reproduce` trains the nearest reading: one rule for all.

Those of the methods are the ones that `front_runs` has found and trained with. Variants of an
ablation whose penalty has another scale get their own, on the training rows of the first seed.
"""

from pathlib import Path
from typing import Final

from benchmarks.fronts.front_runs import CONTESTANTS, STUDIES, Study
from benchmarks.fronts.nearest_reading import OF_STUDY, papers_runs
from benchmarks.measuring import threads
from benchmarks.report import Report, Table
from frem_core.ablations import get_ablation
from frem_core.methods import get_method
from frem_core.training import spanning_weights

FILE: Final = Path(__file__).parents[2] / "frem_core" / "reproduction" / "nearest_weights.toml"
WORDS: Final = """\
# Written by `python -m benchmarks nearest_weights`; do not edit. Fairness weights of the nearest
# reading, from the first that moves a score to nearly constant predictions, as `spanning_weights`
# finds them on the training rows of the first seed. First by dataset and method (FREM as in the
# paper); then by sweep and series, where the penalty has another scale or one weight is asked for.

"""
CRIME: Final = STUDIES[0]
FRONTS: Final = ("kernels-s", "kernels-z", "sigma", "mmd-bins")
STABILITY: Final = "mi-stability"
Weights = dict[str, list[float]]


def run() -> Report:
    of_methods = {study.file.stem: _of_methods(study) for study in OF_STUDY}
    opportunity = {"eo_adult": of_methods.pop("adult_with_age_eo")}
    with threads(1):
        of_variants = {f"{name}@crime": _of_variants(name) for name in FRONTS}
    middle = {
        f"{STABILITY}@{name}": _middle(of_methods[table])
        for name, table in (("crime", "crime"), ("adult", "adult_with_age"))
    }
    sections = of_methods | opportunity | of_variants | middle
    FILE.write_text(WORDS + "\n\n".join(map(_section, sections.items())) + "\n", encoding="utf-8")
    rows = [
        [section, series, len(weights), f"{weights[0]:g}", f"{weights[-1]:g}"]
        for section, known in sections.items()
        for series, weights in known.items()
    ]
    columns = ("dataset or sweep", "method or variant", "weights", "smallest", "largest")
    return Report("Fairness weights of the nearest reading", [Table("Found", columns, rows)])


def _section(named: tuple[str, Weights]) -> str:
    """A table of TOML with one line for each series."""
    name, weights = named
    lines = [f'"{series}" = {values}' for series, values in weights.items()]
    return "\n".join([f'["{name}"]', *lines])


def _of_methods(study: Study) -> Weights:
    """What the paper's methods were trained with."""
    runs = papers_runs(study)
    return {
        str(method): sorted(own["weight"].unique().tolist())
        for method, own in runs.groupby("method", sort=False)
        if get_method(str(method)).uses_fairness_weight
    }


def _of_variants(ablation: str) -> Weights:
    """Those of the variants that are not simply one of the methods."""
    data = CRIME.data(CRIME.seeds[0])
    methods = {
        one.name: get_method(one.method)(**one.settings) for one in get_ablation(ablation).variants
    }
    return {
        name: list(
            spanning_weights(
                data.train,
                task=data.task,
                method=method,
                config=CRIME.config(data),
                count=CRIME.weights,
            )
        )
        for name, method in methods.items()
        if method not in CONTESTANTS.values()
    }


def _middle(weights: Weights) -> Weights:
    """One weight each, where a question is about a single model."""
    wanted = [one.method for one in get_ablation(STABILITY).variants]
    return {name: [weights[name][(len(weights[name]) - 1) // 2]] for name in wanted}
