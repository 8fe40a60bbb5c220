"""The paper's simulation designs, their exact EIPM, and estimators run over many replicates."""

from frem_core.simulation.designs import Design, GaussianDesign, MultivariateDesign
from frem_core.simulation.estimates import (
    ESTIMATORS,
    NOISE_FREE,
    PAPER_ESTIMATORS,
    EstimatorGrid,
    estimate_stack,
)
from frem_core.simulation.paper_tables import PAPER_DESIGNS, PAPER_SAMPLES, paper_values
from frem_core.simulation.replicates import Cell, collect, simulate
from frem_core.simulation.summary import ERRORS, compare_with_paper, summarise
from frem_core.simulation.truths import linear_gaussian_truth

__all__ = [
    "ERRORS",
    "ESTIMATORS",
    "NOISE_FREE",
    "PAPER_DESIGNS",
    "PAPER_ESTIMATORS",
    "PAPER_SAMPLES",
    "Cell",
    "Design",
    "EstimatorGrid",
    "GaussianDesign",
    "MultivariateDesign",
    "collect",
    "compare_with_paper",
    "estimate_stack",
    "linear_gaussian_truth",
    "paper_values",
    "simulate",
    "summarise",
]
