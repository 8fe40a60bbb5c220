"""Generalised equal opportunity: the demographic parity gap among the truly positive."""

from typing import Any

from numpy.typing import ArrayLike

from frem_core.errors import DataError
from frem_core.metrics.gdp import mean_gap, scale_to_unit
from frem_core.metrics.inputs import is_positive, predictions_and_sensitive, row_weights
from frem_core.metrics.metric import define_metric

_FEWEST_POSITIVES = 3


@define_metric(
    "geo",
    label="Equal opportunity gap",
    symbol="ΔGEO",
    formula="E_S | E(Ŷ | S, Y = 1) − E(Ŷ | Y = 1) |",
    help=(
        "The demographic parity gap among the people whose true label is positive: do equally "
        "deserving people get the same predictions along the sensitive attribute? It uses the "
        "positive rows only, so it is noisier, and it over-smooths like ΔGDP."
    ),
    purpose="fairness",
    higher_is_better=False,
    tasks=("classification",),
    given_label=True,
    fewest_positives=_FEWEST_POSITIVES,
    has_noise_floor=True,
    usual_for=("eo",),
)
def geo(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sensitive_features: ArrayLike,
    sample_weight: ArrayLike | None = None,
    positive_label: Any = 1,
    bandwidth: float | None = None,
    sensitive_range: tuple[float, float] | None = None,
) -> float:
    r"""ΔGDP on the rows with Y = 1; its default bandwidth follows their number.

    Args:
        y_true: binary labels, (n,).
        y_pred: predictions, (n,).
        sensitive_features: sensitive values, (n,).
        sample_weight: what each row counts, (n,).
        positive_label: the label that counts as positive.
        bandwidth: h; by default (3n₁/4)^(-1/5) with n₁ positive rows.
        sensitive_range: the values that stand for 0 and 1, as for :func:`gdp`.

    Returns:
        The gap; 0 for constant predictions.

    Raises:
        DataError: as :func:`~frem_core.metrics.gdp`, and for labels that are not binary or
            fewer than three positive rows.

    Example:
        >>> s = [0.0, 0.3, 0.6, 1.0]
        >>> geo([1, 1, 1, 0], [0.2, 0.2, 0.2, 0.9], sensitive_features=s)
        0.0
    """
    p, s = predictions_and_sensitive(y_true, y_pred, sensitive_features, fewest=3)
    positive = is_positive(y_true, positive_label)
    if positive.sum() < _FEWEST_POSITIVES:
        raise DataError(
            f"Equal opportunity needs at least {_FEWEST_POSITIVES} rows with the label "
            f"{positive_label!r}, but there are {positive.sum()}; add rows or check "
            "positive_label."
        )
    weights = row_weights(sample_weight, len(p))
    own = None if weights is None else weights[positive]
    return mean_gap(p[positive], scale_to_unit(s, sensitive_range)[positive], bandwidth, own)
