"""Every method as a scikit-learn estimator, and trained models that predict from tables."""

from frem_core.estimators.classifier import FairClassifier
from frem_core.estimators.frem import FREMClassifier, FREMRegressor
from frem_core.estimators.regressor import FairRegressor
from frem_core.estimators.representation import FREMRepresentation
from frem_core.estimators.scoring import make_fairness_scorer
from frem_core.estimators.table_predictor import TablePredictor

__all__ = [
    "FREMClassifier",
    "FREMRegressor",
    "FREMRepresentation",
    "FairClassifier",
    "FairRegressor",
    "TablePredictor",
    "make_fairness_scorer",
]
