"""Mutual information between predictions and sensitive attribute."""

from numpy.typing import ArrayLike

from frem_core.metrics.inputs import predictions_and_sensitive
from frem_core.metrics.metric import define_metric
from frem_core.metrics.neighbours import neighbour_information
from frem_core.metrics.sensitive_range import scale_sensitive


@define_metric(
    "mutual_information",
    label="Information predictions share with the sensitive attribute",
    symbol="MI(Ŷ, S)",
    formula="KL( P(Ŷ, S) ‖ P(Ŷ) P(S) ), in nats",
    help=(
        "How much knowing the prediction tells about the sensitive attribute; 0 = nothing. "
        "Estimated from nearest neighbours: negative estimates are shown as 0, independent data "
        "give values up to a few hundredths, and repeated rows inflate it."
    ),
    purpose="fairness",
    higher_is_better=False,
    has_noise_floor=True,
    slow_on_many_rows=True,
)
def mutual_information(
    y_true: ArrayLike | None,
    y_pred: ArrayLike,
    *,
    sensitive_features: ArrayLike,
    n_neighbors: int = 3,
    random_state: int = 0,
    sensitive_range: tuple[float, float] | None = None,
) -> float:
    """Nearest-neighbour estimate of MI(Ŷ, S) in nats, as scikit-learn computes it.

    scikit-learn breaks ties with noise of size 1e-10. In float32 that noise rounds away and tied
    sensitive values inflate the estimate, so everything is taken to float64 first.

    Args:
        y_true: ignored, may be None; there because scikit-learn and fairlearn pass it.
        y_pred: predictions, (n,).
        sensitive_features: sensitive values, (n,).
        n_neighbors: neighbours of the estimator.
        random_state: seed of the tie-breaking noise.
        sensitive_range: (smallest, largest); what lies outside is clipped, see
            :func:`scale_sensitive`.

    Returns:
        The estimate, at least 0; 0 when predictions or sensitive values are constant.

    References:
        Kraskov, Stögbauer and Grassberger, Estimating mutual information, Phys. Rev. E 69, 2004.

    Example:
        >>> s = [i / 200 for i in range(200)]
        >>> mutual_information(None, s, sensitive_features=s) > 2
        True
    """
    p, s = predictions_and_sensitive(y_true, y_pred, sensitive_features, fewest=n_neighbors + 1)
    if sensitive_range is not None:
        s = scale_sensitive(s, sensitive_range)
    if p.min() == p.max() or s.min() == s.max():
        return 0.0
    estimate = neighbour_information(
        p[:, None], s, n_neighbors=n_neighbors, random_state=random_state
    )
    return float(estimate[0])
