"""FREM as scikit-learn estimators, and trained models of any method that predict from tables."""

from frem_core.estimators.classifier import FREMClassifier
from frem_core.estimators.regressor import FREMRegressor
from frem_core.estimators.table_predictor import TablePredictor

__all__ = ["FREMClassifier", "FREMRegressor", "TablePredictor"]
