"""The paper's experiments as commands: sweeps, statistics with uncertainty, a verdict per claim.

    target = get_target("pareto-crime")
    train_target(store, target)                     # nothing that is done is trained again
    report = target.report(StoredResults(store))    # from whatever is finished so far
    write_report(report, Path("docs/results"))

Every target is one small file in ``targets``; its sweeps are the TOML files in ``specs``.
"""

from frem_core.reproduction.document import write_overview, write_report
from frem_core.reproduction.earlier_page import earlier_printed
from frem_core.reproduction.front_comparison import FrontComparison, compare_fronts
from frem_core.reproduction.readings import READINGS, nearest_version
from frem_core.reproduction.report import Claim, Finding, Picture, Report, Section, Verdict
from frem_core.reproduction.results import Results, StoredResults
from frem_core.reproduction.specs import load_spec, quick_version
from frem_core.reproduction.target import (
    Target,
    available_targets,
    get_target,
    take_over_examples,
    train_target,
)

__all__ = [
    "READINGS",
    "Claim",
    "Finding",
    "FrontComparison",
    "Picture",
    "Report",
    "Results",
    "Section",
    "StoredResults",
    "Target",
    "Verdict",
    "available_targets",
    "compare_fronts",
    "earlier_printed",
    "get_target",
    "load_spec",
    "nearest_version",
    "quick_version",
    "take_over_examples",
    "train_target",
    "write_overview",
    "write_report",
]
