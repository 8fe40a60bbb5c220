"""Fairness and prediction scores as pure functions.

All scores of predictions are called alike, ``score(y_true, y_pred, *, sensitive_features)``, the
convention of fairlearn and scikit-learn. What a score means, which way is better and where its
noise begins is declared beside its function and found with :func:`get_metric`.
"""

from frem_core.metrics.accuracy import accuracy
from frem_core.metrics.auc import auc
from frem_core.metrics.average_precision import average_precision
from frem_core.metrics.balanced_accuracy import balanced_accuracy
from frem_core.metrics.bootstrap import BootstrapResult, bootstrap
from frem_core.metrics.gdp import gdp
from frem_core.metrics.geo import geo
from frem_core.metrics.hgr import hgr
from frem_core.metrics.mae import mae
from frem_core.metrics.metric import Metric, available_metrics, get_metric, usual_metric
from frem_core.metrics.mse import mse
from frem_core.metrics.mutual_information import mutual_information
from frem_core.metrics.noise_floor import NoiseFloor, noise_floor
from frem_core.metrics.r2 import r2
from frem_core.metrics.representation_mutual_information import (
    RepresentationInformation,
    representation_mutual_information,
)
from frem_core.metrics.selection_rate import selection_rate
from frem_core.metrics.sensitive_range import scale_sensitive

__all__ = [
    "BootstrapResult",
    "Metric",
    "NoiseFloor",
    "RepresentationInformation",
    "accuracy",
    "auc",
    "available_metrics",
    "average_precision",
    "balanced_accuracy",
    "bootstrap",
    "gdp",
    "geo",
    "get_metric",
    "hgr",
    "mae",
    "mse",
    "mutual_information",
    "noise_floor",
    "r2",
    "representation_mutual_information",
    "scale_sensitive",
    "selection_rate",
    "usual_metric",
]
