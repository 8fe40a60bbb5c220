"""Every method as a scikit-learn estimator, and trained models that predict from tables.

An estimator can be named, set and put into a pipeline without torch, which takes about as long to
load as all the rest; `fit` and `load` bring it. What only reads a model's folder needs no estimator
and so no scikit-learn: the names are loaded at first use.
"""

from typing import TYPE_CHECKING

from frem_core.extras import lazy_names

if TYPE_CHECKING:
    from frem_core.estimators.classifier import FairClassifier as FairClassifier
    from frem_core.estimators.frem import FREMClassifier as FREMClassifier
    from frem_core.estimators.frem import FREMRegressor as FREMRegressor
    from frem_core.estimators.regressor import FairRegressor as FairRegressor
    from frem_core.estimators.representation import FREMRepresentation as FREMRepresentation
    from frem_core.estimators.scoring import make_fairness_scorer as make_fairness_scorer
    from frem_core.estimators.table_predictor import TablePredictor as TablePredictor

_HOMES = {
    "FREMClassifier": "frem",
    "FREMRegressor": "frem",
    "FREMRepresentation": "representation",
    "FairClassifier": "classifier",
    "FairRegressor": "regressor",
    "TablePredictor": "table_predictor",
    "make_fairness_scorer": "scoring",
}

__all__ = [
    "FREMClassifier",
    "FREMRegressor",
    "FREMRepresentation",
    "FairClassifier",
    "FairRegressor",
    "TablePredictor",
    "make_fairness_scorer",
]

__getattr__ = lazy_names(__name__, _HOMES)
