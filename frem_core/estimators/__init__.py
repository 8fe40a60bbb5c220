"""Every method as a scikit-learn estimator, and trained models that predict from tables.

An estimator can be named, set and put into a pipeline without torch, which takes about as long to
load as all the rest; `fit` and `load` bring it.
"""

from typing import TYPE_CHECKING

from frem_core.estimators.classifier import FairClassifier
from frem_core.estimators.frem import FREMClassifier, FREMRegressor
from frem_core.estimators.regressor import FairRegressor
from frem_core.estimators.representation import FREMRepresentation
from frem_core.estimators.scoring import make_fairness_scorer
from frem_core.extras import lazy_names

if TYPE_CHECKING:
    from frem_core.estimators.table_predictor import TablePredictor as TablePredictor

__all__ = [
    "FREMClassifier",
    "FREMRegressor",
    "FREMRepresentation",
    "FairClassifier",
    "FairRegressor",
    "TablePredictor",
    "make_fairness_scorer",
]

__getattr__ = lazy_names(__name__, {"TablePredictor": "table_predictor"})
