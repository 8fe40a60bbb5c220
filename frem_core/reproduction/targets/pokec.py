"""Graphs: the paper's methods with GCN and SGC on Pokec, German credit and Bail."""

from math import isnan

import pandas as pd

from frem_core.datasets import available_datasets
from frem_core.reproduction.front_comparison import constant_prediction
from frem_core.reproduction.front_panels import comparison_table, front_picture, score_words
from frem_core.reproduction.graph_claims import (
    REGULARISED,
    REPRESENTING,
    STATEMENTS,
    TREND,
    absent,
    judged,
)
from frem_core.reproduction.graph_study import ACCURACY, FAIRNESS, GraphStudy, mean_and_error
from frem_core.reproduction.pareto import ORDER
from frem_core.reproduction.report import Finding, Report, Section
from frem_core.reproduction.results import Results
from frem_core.reproduction.target import Target, effort, register

PAPER = {"pokec_z": "Pokec-z", "pokec_n": "Pokec-n"}
OURS = {"bail": "Bail", "german": "German credit"}
TITLES = PAPER | OURS
NETWORKS = ("gcn", "sgc")
PREDICTIONS = (ACCURACY, "average_precision")


@register
class Pokec(Target):
    """Fronts on every graph whose files are there."""

    name = "pokec"
    title = "Fronts on graphs with GCN and SGC"
    where = ", ".join(dict.fromkeys([*(one.where for one in STATEMENTS), TREND.where]))
    specs = tuple(f"graph_{dataset}_{network}" for dataset in TITLES for network in NETWORKS)
    has_readings = False  # the paper prints no scores on graphs that could tell readings apart

    def wanted_specs(self) -> tuple[str, ...]:
        """Pokec and Bail only when their files were added (``frem datasets add``)."""
        there = available_datasets()
        return tuple(
            f"graph_{name}_{network}" for name in TITLES if name in there for network in NETWORKS
        )

    def report(self, results: Results, *, quick: bool = False) -> Report:
        """Judges what the paper says on graphs, on each graph by itself."""
        there = available_datasets()
        findings: list[Finding] = []
        sections: list[Section] = []
        for name, title in TITLES.items():
            if name in there:
                studies = _studies(results, name)
                findings += judged(studies, title, "" if name in PAPER else " (there on Pokec)")
                sections += [_section(study, name, title) for study in studies]
            elif name in PAPER:
                findings += absent(name, title)
        return Report(
            target=self.name,
            title=self.title,
            where=self.where,
            protocol=(
                "One graph convolution of 64 with ReLU (GCN), or two propagations and one linear "
                "layer of 64 (SGC); 200 epochs, batches of 512 training nodes, γ = .05. Pokec: "
                "half of the nodes to train, a quarter each to watch and to test; others: 80/20.",
                *_remarks(there),
                *effort(results, self.wanted_specs()),
            ),
            findings=tuple(findings),
            sections=tuple(sections),
        )


def _studies(results: Results, name: str) -> list[GraphStudy]:
    runs = {network: results.runs(f"graph_{name}_{network}") for network in NETWORKS}
    constant = constant_prediction(name, ACCURACY)
    return [
        GraphStudy(network.upper(), found, constant, results.store)
        for network, found in runs.items()
        if len(found)
    ]


def _remarks(there: tuple[str, ...]) -> list[str]:
    """What a reader has to know before believing a verdict."""
    remarks = [
        "Each network is compared by itself; a verdict counts the comparisons of both. A graph "
        "cannot tell methods apart, and gives no verdict, where the unfair model is within two "
        "standard errors of the best constant prediction, or where its fairness score is not "
        "above what 95 % of shuffles of the sensitive values stay below.",
        "With three seeds the interval of a difference reaches from the worst seed to the best. "
        "“Better” then means that all three agree, which happens to one of two equal methods in "
        "one case out of four.",
    ]
    missing = [title for name, title in PAPER.items() if name not in there]
    if missing:
        remarks.append(
            f"{' and '.join(missing)}: the files were not there. What the paper says on them is "
            "not tested; Bail and German credit are evidence of our own."
        )
    return remarks


def _section(study: GraphStudy, name: str, title: str) -> Section:
    called = f"{title}, {study.network}"
    pairs = [(prediction, fairness) for fairness in FAIRNESS for prediction in PREDICTIONS]
    picture = front_picture(
        f"{name}_{study.network.lower()}",
        study.runs,
        pairs,
        f"{called}. Means over seeds with standard errors; faint points are dominated. Dashed: "
        "what the unfair model's score stays below in 95 % of shuffles of the sensitive values.",
        ORDER,
        columns=2,
        chance={} if study.unfair.empty else {one: study.levels[one].upper for one in FAIRNESS},
    )
    others = (*REGULARISED, *REPRESENTING)
    comparisons = [one for fairness in FAIRNESS for one in study.compare(others, fairness)]
    comparisons += study.compare(("reg_gdp",), "gdp", of="train.")
    tables = (_unfair_table(study), comparison_table(comparisons))
    return Section(
        called,
        "Below the picture: the model without a fairness term, beside what needs no model; then "
        "the hypervolumes of the fronts, down to the corner of best constant prediction and "
        "unfair model.",
        tables=tuple(table for table in tables if len(table)),
        pictures=(picture,),
    )


def _unfair_table(study: GraphStudy) -> pd.DataFrame:
    """Scores of the unfair model beside the best constant and beside shuffled values of S."""
    columns = ["unfair model", "mean ± standard error", "without a model", "95 % stay below"]
    if study.unfair.empty:
        return pd.DataFrame(columns=columns)
    rows = [("Acc", _shown(study.unfair[ACCURACY]), f"{study.constant:.4f} (best constant)", "")]
    for score, level in study.levels.items():
        chance = f"{level.chance:.4f} (S shuffled)"
        rows.append((score_words(score), _shown(study.unfair[score]), chance, f"{level.upper:.4f}"))
    return pd.DataFrame(rows, columns=columns)


def _shown(values: "pd.Series[float]") -> str:
    mean, error = mean_and_error(values)
    return f"{mean:.4f} (one seed)" if isnan(error) else f"{mean:.4f} ± {error:.4f}"
