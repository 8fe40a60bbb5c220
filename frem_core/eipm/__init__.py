"""The expectation of integral probability metrics and its estimators."""

from frem_core.eipm.estimator import eipm

__all__ = ["eipm"]
