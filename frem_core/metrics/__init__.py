"""Fairness and prediction scores as pure functions.

All scores of predictions are called alike, ``score(y_true, y_pred, *, sensitive_features)``, the
convention of fairlearn and scikit-learn. What a score means, which way is better and where its
noise begins is declared beside its function and found with :func:`get_metric`.
"""

from frem_core.metrics.accuracy import accuracy
from frem_core.metrics.average_precision import average_precision
from frem_core.metrics.bootstrap import BootstrapResult, bootstrap
from frem_core.metrics.gdp import gdp
from frem_core.metrics.geo import geo
from frem_core.metrics.hgr import hgr
from frem_core.metrics.mae import mae
from frem_core.metrics.metric import Metric, available_metrics, get_metric, usual_metric
from frem_core.metrics.mse import mse
from frem_core.metrics.mutual_information import mutual_information
from frem_core.metrics.noise_floor import NoiseFloor, noise_floor
from frem_core.metrics.representation_mutual_information import (
    RepresentationInformation,
    representation_mutual_information,
)

__all__ = [
    "BootstrapResult",
    "Metric",
    "NoiseFloor",
    "RepresentationInformation",
    "accuracy",
    "available_metrics",
    "average_precision",
    "bootstrap",
    "gdp",
    "geo",
    "get_metric",
    "hgr",
    "mae",
    "mse",
    "mutual_information",
    "noise_floor",
    "representation_mutual_information",
    "usual_metric",
]
