"""Graphs: the paper's methods with GCN and SGC on Pokec, German credit and Bail."""

from frem_core.datasets import available_datasets
from frem_core.reproduction import evidence, verdicts
from frem_core.reproduction.claim import Claim, Finding
from frem_core.reproduction.front_panels import comparison_table, front_picture, score_words
from frem_core.reproduction.pareto import FAIRNESS, ORDER, REPRESENTATION, FrontStudy
from frem_core.reproduction.report import Report, Section
from frem_core.reproduction.results import Results
from frem_core.reproduction.target import Target, effort, register

TITLES = {"pokec_z": "Pokec-z", "pokec_n": "Pokec-n", "bail": "Bail", "german": "German credit"}
NETWORKS = ("gcn", "sgc")
OTHERS = ("reg_gdp", "reg_hgr", "adv", "mmd:median")
ACCURACY = "accuracy"


@register
class Pokec(Target):
    """Fronts on every graph whose files are there."""

    name = "pokec"
    title = "Fronts on graphs with GCN and SGC"
    where = "the section on graph data: GDP, HGR, MI(Ŷ, S) and MI(Z, S) against accuracy"
    specs = tuple(f"graph_{dataset}_{network}" for dataset in TITLES for network in NETWORKS)

    def wanted_specs(self) -> tuple[str, ...]:
        """Pokec and Bail only when their files were added (``frem datasets add``)."""
        there = available_datasets()
        return tuple(
            f"graph_{name}_{network}" for name in TITLES if name in there for network in NETWORKS
        )

    def report(self, results: Results, *, quick: bool = False) -> Report:
        """Judges FREM on each graph and network by itself."""
        there = [name for name in TITLES if name in available_datasets()]
        missing = [title for name, title in TITLES.items() if name not in there]
        findings: list[Finding] = []
        sections: list[Section] = []
        for name in there:
            for network in NETWORKS:
                runs = results.runs(f"graph_{name}_{network}")
                if len(runs):
                    study = FrontStudy(name, (ACCURACY, "average_precision"), runs)
                    called = f"{TITLES[name]}, {network.upper()}"
                    findings += _findings(study, called)
                    sections.append(_section(study, called, f"{name}_{network}"))
        absent = f"Without {' and '.join(missing)}: their files were not there (frem datasets add)."
        return Report(
            target=self.name,
            title=self.title,
            where=self.where,
            protocol=(
                "One graph convolution of 64 with ReLU (GCN), or two propagations and one linear "
                "layer of 64 (SGC); 200 epochs, batches of 512 training nodes, γ = .05, six "
                "fairness weights from .05 to 10, the same for every method. Pokec: half of the "
                "nodes to train, a quarter each to watch and to test; others: 80/20.",
                *((absent,) if missing else ()),
                *effort(results, self.wanted_specs()),
            ),
            findings=tuple(findings),
            sections=tuple(sections),
        )


def _findings(study: FrontStudy, called: str) -> list[Finding]:
    found = []
    for fairness in (*FAIRNESS, REPRESENTATION):
        comparisons = study.compare(OTHERS, ACCURACY, fairness)
        claim = Claim(
            f"{called}: FREM outperforms the baselines (accuracy against {score_words(fairness)}).",
            "graph data",
        )
        verdict = verdicts.superiority(comparisons)
        found.append(Finding(claim, verdict, evidence.of_comparisons(comparisons)))
    return found


def _section(study: FrontStudy, called: str, name: str) -> Section:
    pairs = [(ACCURACY, fairness) for fairness in (*FAIRNESS, REPRESENTATION)]
    caption = f"{called}. Means over seeds with standard errors; faint points are dominated."
    comparisons = [one for pair in pairs for one in study.compare(OTHERS, *pair)]
    return Section(
        called,
        tables=(comparison_table(comparisons),),
        pictures=(front_picture(name, study.runs, pairs, caption, ORDER),),
    )
