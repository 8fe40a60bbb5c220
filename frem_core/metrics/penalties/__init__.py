"""Differentiable fairness measures for training: the same numbers as the scores, with gradients."""

from frem_core.metrics.penalties.chi_squared import chi_squared_penalty
from frem_core.metrics.penalties.gdp import gdp_penalty
from frem_core.metrics.penalties.hgr import hgr_penalty

__all__ = ["chi_squared_penalty", "gdp_penalty", "hgr_penalty"]
