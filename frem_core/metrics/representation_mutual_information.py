"""Mutual information between a representation and the sensitive attribute, by dimension."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from frem_core.metrics.inputs import check_rows, number_column, number_table
from frem_core.metrics.metric import define_metric
from frem_core.metrics.neighbours import neighbour_information


@dataclass(frozen=True)
class RepresentationInformation:
    """MI(Z_k, S) of every dimension k, with their mean and maximum."""

    mean: float
    max: float
    by_dimension: tuple[float, ...]


def representation_mutual_information(
    z: ArrayLike,
    *,
    sensitive_features: ArrayLike,
    n_neighbors: int = 3,
    random_state: int = 0,
) -> RepresentationInformation:
    """Nearest-neighbour estimates of MI(Z_k, S) in nats, one for each dimension of Z.

    Each dimension is looked at alone: information that only several dimensions together hold
    stays unseen (the leakage probe sees it).

    Args:
        z: representation, (n, m).
        sensitive_features: sensitive values, (n,).
        n_neighbors: neighbours of the estimator.
        random_state: seed of the tie-breaking noise.

    Returns:
        Mean, maximum and the estimate of each dimension; constant dimensions count as 0.

    Example:
        >>> s = np.linspace(0, 1, 200)
        >>> z = np.column_stack([s, np.zeros(200)])
        >>> information = representation_mutual_information(z, sensitive_features=s)
        >>> information.by_dimension[1], information.mean == information.max / 2
        (0.0, True)
    """
    table = number_table(z, "z")
    s = number_column(sensitive_features, "sensitive_features")
    check_rows({"z": len(table), "sensitive_features": len(s)}, fewest=n_neighbors + 1)
    information = np.zeros(table.shape[1])
    varying = table.min(axis=0) < table.max(axis=0)
    if varying.any() and s.min() < s.max():
        information[varying] = neighbour_information(
            table[:, varying], s, n_neighbors=n_neighbors, random_state=random_state
        )
    return RepresentationInformation(
        mean=float(information.mean()),
        max=float(information.max()),
        by_dimension=tuple(information.tolist()),
    )


_OF_REPRESENTATION: Final[Mapping[str, Any]] = {
    "purpose": "fairness",
    "higher_is_better": False,
    "measures": "representation",
    "has_noise_floor": True,
    "slow_on_many_rows": True,
}


@define_metric(
    "representation_mutual_information",
    label="Information the representation shares with the sensitive attribute",
    symbol="MI(Z, S)",
    formula="mean over dimensions k of MI(Z_k, S), in nats",
    help=(
        "How much one dimension of the representation tells about the sensitive attribute, on "
        "average; 0 = nothing. Information that only several dimensions together hold is not "
        "seen. Independent data give values up to a few hundredths."
    ),
    **_OF_REPRESENTATION,
)
def _mean_information(z: ArrayLike, **options: Any) -> float:
    return representation_mutual_information(z, **options).mean


@define_metric(
    "representation_mutual_information_max",
    label="Information the most telling dimension shares with the sensitive attribute",
    symbol="max MI(Z, S)",
    formula="max over dimensions k of MI(Z_k, S), in nats",
    help=(
        "How much the most telling dimension of the representation tells about the sensitive "
        "attribute; 0 = nothing. A maximum over many noisy estimates: its floor is higher than "
        "the mean's."
    ),
    **_OF_REPRESENTATION,
)
def _max_information(z: ArrayLike, **options: Any) -> float:
    return representation_mutual_information(z, **options).max
