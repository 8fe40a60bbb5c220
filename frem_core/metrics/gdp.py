"""Generalised demographic parity: how far mean predictions move along the sensitive attribute."""

import numpy as np
from numpy.typing import ArrayLike

from frem_core.errors import DataError
from frem_core.metrics.inputs import predictions_and_sensitive, row_weights
from frem_core.metrics.metric import define_metric
from frem_core.metrics.sensitive_grid import gaussian_series, gdp_bandwidth
from frem_core.metrics.sensitive_range import scale_sensitive
from frem_core.types import Floats

# Rows walked at a time: keeps the working memory at a few megabytes for any number of rows.
_BLOCK = 8192


@define_metric(
    "gdp",
    label="Demographic parity gap",
    symbol="ΔGDP",
    formula="E_S | E(Ŷ | S) − E(Ŷ) |",
    help=(
        "Average distance between the mean prediction at one value of the sensitive attribute "
        "and the overall mean prediction; 0 when the mean does not move along the attribute. "
        "It over-smooths: the default bandwidth is wide (0.27 of the range at 1,000 rows), so "
        "sharp steps are understated; lower the bandwidth to see them. It compares means only: "
        "differences in spread stay unseen."
    ),
    purpose="fairness",
    higher_is_better=False,
    has_noise_floor=True,
    usual_for=("dp",),
)
def gdp(
    y_true: ArrayLike | None,
    y_pred: ArrayLike,
    *,
    sensitive_features: ArrayLike,
    sample_weight: ArrayLike | None = None,
    bandwidth: float | None = None,
    sensitive_range: tuple[float, float] | None = None,
) -> float:
    r"""Kernel estimate of generalised demographic parity.

    .. math:: \Delta GDP = \frac{\sum_g w(g) |m(g) - \bar p|}{\sum_g w(g)}, \quad
              w(g) = \tfrac1n \sum_i K_h(g - s_i), \quad
              m(g) = \frac{\sum_i K_h(g - s_i) p_i}{\sum_i K_h(g - s_i)}

    with a Gaussian K and g = 0.001, 0.002, …, 0.998.

    Args:
        y_true: ignored, may be None; there because scikit-learn and fairlearn pass it.
        y_pred: predictions (probabilities or values), (n,).
        sensitive_features: sensitive values, (n,).
        sample_weight: what each row counts, (n,); a row of weight 2 is that row twice.
        bandwidth: h on the scaled sensitive attribute; by default (3n/4)^(-1/5).
        sensitive_range: the values that stand for 0 and 1, e.g. ``(17, 90)`` for raw ages; what
            lies outside is clipped, see :func:`scale_sensitive`. Without it S is in [0, 1].

    Returns:
        The gap, on the scale of the predictions; 0 for constant predictions.

    Raises:
        DataError: fewer than three rows, missing values, or values that do not fit the range.

    References:
        Jiang et al., Generalized Demographic Parity for Group Fairness, ICLR 2022.

    Example:
        >>> s = np.linspace(0, 1, 101)
        >>> round(gdp(None, s, sensitive_features=s), 6)
        0.087946
    """
    p, s = predictions_and_sensitive(y_true, y_pred, sensitive_features, fewest=3)
    weights = row_weights(sample_weight, len(p))
    return mean_gap(p, scale_to_unit(s, sensitive_range), bandwidth, weights)


def mean_gap(p: Floats, s: Floats, bandwidth: float | None, weights: Floats | None = None) -> float:
    """The estimate itself, for checked predictions and sensitive values in [0, 1]."""
    if p.min() == p.max():
        return 0.0
    w = np.ones(len(p)) if weights is None else weights
    mean = float(np.average(p, weights=w))
    rows = len(p) if weights is None else float(w.sum() ** 2 / (w**2).sum())
    series = gaussian_series(gdp_bandwidth(rows, bandwidth))  # (998, terms)
    order = np.arange(series.shape[1])
    # Rows with the same value share a kernel row: Adult's 45,222 rows have 74 ages.
    values, group = np.unique(s, return_inverse=True)
    sums = np.stack([np.bincount(group, w * (p - mean)), np.bincount(group, w)])  # (2, values)
    moments = np.zeros((2, len(order)))
    for start in range(0, len(values), _BLOCK):
        block = slice(start, start + _BLOCK)
        angles = np.arccos(2 * values[block] - 1)
        moments += sums[:, block] @ np.cos(angles[:, None] * order)
    gap, mass = series @ moments.T[:, 0], series @ moments.T[:, 1]  # (998,) each
    return float(np.abs(gap).sum() / mass.sum())


def scale_to_unit(s: Floats, sensitive_range: tuple[float, float] | None) -> Floats:
    """Scales with a range, see `scale_sensitive`; without one, values must lie in [0, 1]."""
    if sensitive_range is not None:
        return scale_sensitive(s, sensitive_range)
    if s.min() < -1e-6 or s.max() > 1 + 1e-6:
        raise DataError(
            f"Sensitive values run from {s.min():g} to {s.max():g}, outside [0, 1]; say which "
            f"values stand for 0 and 1: sensitive_range=({s.min():g}, {s.max():g}), or the "
            "sensitive_range_ of the fitted model."
        )
    return np.clip(s, 0, 1)
