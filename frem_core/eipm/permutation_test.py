"""Whether an EIPM is more than noise."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from frem_core.eipm.evaluation import signed_root
from frem_core.eipm.exact import ipm_from_sums
from frem_core.eipm.features import feature_ipm, spread_of
from frem_core.eipm.inputs import as_arrays
from frem_core.eipm.plan import plan_linear_weights
from frem_core.eipm.settings import ANY_GAMMA, EipmSettings, check_settings
from frem_core.eipm.several.kernel import one_or_several
from frem_core.eipm.several.plan import N_MIN
from frem_core.eipm.several.sample import JointSample
from frem_core.eipm.tiles import KernelTiles, keep_freed_memory, row_blocks
from frem_core.eipm.units import comparable_rows, in_units
from frem_core.eipm.weights import LowRankWeights
from frem_core.errors import ConfigError
from frem_core.kernels import Kernel
from frem_core.kernels.feature_map import Identity

_LARGEST_EXACT = 4_000
_FEATURES = 512
_KEPT_FEATURES = 2**27
_KEPT_KERNEL_BYTES = 2**29
_KERNEL_ROWS = 256
_SUMS_ENTRIES = 2**24


@dataclass(frozen=True)
class EipmTestResult:
    """Result of a permutation test of independence of Z and S.

    Attributes:
        statistic: EIPM of the data.
        floor: mean EIPM when S is shuffled, what the estimator shows without any dependence.
        floor_upper: 95 % quantile of the shuffled values.
        p_value: share of values, the data's among them, that are at least as large.
        permutations: how often S was shuffled.
        dropped: anchors without a neighbour in reach, or of several attributes without enough.
        null: the shuffled values.
    """

    statistic: float
    floor: float
    floor_upper: float
    p_value: float
    permutations: int
    dropped: int
    null: NDArray[np.float64] = field(repr=False, compare=False)


def eipm_test(
    z: ArrayLike | Tensor,
    s: Any,
    *,
    permutations: int = 199,
    random_state: int = 0,
    gamma: float | Sequence[float] | None = None,
    sigma: float | str = 1.0,
    sensitive_kernel: str = "rbf",
    representation_kernel: str = "rbf",
    labels: ArrayLike | Tensor | None = None,
    positive_label: Any = 1,
    method: str = "auto",
    noise: str = "kept",
    form: str = "root",
    units: str = "as_is",
    n_min: float = N_MIN,
) -> EipmTestResult:
    """Compares EIPM with its values when S is shuffled.

    Only S moves, so the kernel matrix (or the features) of Z and the weights of each value of S
    are computed once; a shuffle only changes which rows share a value.

    Args:
        z: representation, ``(n, m)`` or ``(n,)``.
        s: sensitive attribute, ``(n,)``, or several, as in ``eipm``; people are shuffled with all
            their attributes.
        permutations: how often S is shuffled.
        random_state: seed of the shuffles.
        gamma: bandwidth γ of the kernel on S, or one for each of several attributes.
        sigma: scale σ of the kernel on Z, or ``"median"``.
        sensitive_kernel: name of the kernel on S. For a compact one, continuous S is snapped to a
            grid of γ/32.
        representation_kernel: name of the kernel on Z.
        labels: when given, only rows with the positive label count.
        positive_label: which label that is.
        method: ``"exact"``, ``"linear"`` (512 random frequencies; the test stays valid, because
            shuffled and true values use the same ones), or ``"auto"``, exact up to 4,000 rows.
        noise: ``"kept"`` or ``"removed"``, as in ``eipm``. Removed, the floor is about 0.
        form: ``"root"`` or ``"square"``, as in ``eipm``.
        units: of ``z``, as in ``eipm``.
        n_min: of several attributes, fewest effective neighbours of an anchor that counts.

    Example:
        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> s = rng.random(100)
        >>> eipm_test(rng.normal(size=100) + 3 * s, s, gamma=0.1, permutations=99).p_value
        0.01
    """
    if permutations < 1:
        raise ConfigError(f"permutations is {permutations}; give a whole number of at least 1.")
    s, several = one_or_several(s, z)
    settings = check_settings(
        gamma=gamma if several is None else ANY_GAMMA,
        sigma=sigma,
        sensitive_kernel=sensitive_kernel,
        representation_kernel=representation_kernel,
        method=method,
        features=_FEATURES,
        random_state=0,
        noise=noise,
        form=form,
        units=units,
    )
    rows, attribute = as_arrays(
        z, s if several is None else several.values[:, 0], labels, positive_label
    )
    n = rows.shape[1]
    if n < 3:
        return _result(np.zeros(permutations + 1), dropped=0)
    keep_freed_memory()
    if several is None:
        weights = plan_linear_weights(
            attribute, settings.sensitive_kernel, settings.gamma, rows.dtype
        )
        assert weights is not None  # one stack
    else:
        sample = JointSample(
            z,
            several,
            gamma=gamma,
            n_min=n_min,
            settings=settings,
            labels=labels,
            positive_label=positive_label,
        )
        plan = sample.plan(linear=n > _LARGEST_EXACT)
        rows, weights = plan.sorted(rows), plan.weights
        if not plan.share_covered:
            sample.warn_of_nobody()
            return _result(np.full(permutations + 1, np.nan), dropped=plan.uncovered)
    generator = np.random.default_rng(random_state)
    orders = [np.arange(n), *(generator.permutation(n) for _ in range(permutations))]
    means, squares = shuffled_means(
        rows, weights, [torch.from_numpy(order) for order in orders], settings
    )
    found = squares if settings.form == "square" else signed_root(squares)
    values = (means if settings.is_papers else found).numpy()
    dropped = int((weights.share == 0).sum()) if several is None else plan.uncovered
    return _result(values, dropped=dropped)


def _result(values: NDArray[np.float64], dropped: int) -> EipmTestResult:
    statistic, null = float(values[0]), values[1:]
    at_least = 1 + (null >= statistic).sum() if np.isfinite(statistic) else np.nan
    return EipmTestResult(
        statistic=statistic,
        floor=float(null.mean()),
        floor_upper=float(np.quantile(null, 0.95)),
        p_value=float(at_least / (1 + len(null))),
        permutations=len(null),
        dropped=dropped,
        null=null,
    )


def shuffled_means(
    z: Tensor, weights: LowRankWeights, orders: list[Tensor], settings: EipmSettings
) -> tuple[Tensor, Tensor]:
    """Mean IPM, and mean squared IPM less its noise where that is removed, for every order of S.

    Args:
        z: ``(1, n, m)``, in the order of the weights.
        weights: on S.
        orders: which row's S each row gets.
        settings: of the estimator.
    """
    rows, _ = comparable_rows(in_units(z, settings.units), settings)
    linear = settings.computation == "linear" or (
        settings.computation == "auto" and rows.shape[1] > _LARGEST_EXACT
    )
    features = settings.feature_map(rows.shape[-1], linear=linear)
    kernel = settings.representation_kernel
    noise = 0.0  # the same in every order
    if settings.noise == "removed":
        noise = float(weights.noise) * spread_of(rows, kernel, features)
    if features is None:
        ipms = _shuffled_by_kernel(rows, weights, orders, kernel)
    else:
        mapped = rows.float()  # shuffled and true values carry the same rounding
        if rows.shape[1] * 2 * settings.features <= _KEPT_FEATURES:
            mapped, features = features(mapped), Identity(features.weight, features.width)
        shuffles = (weights.reordered(order) for order in orders)
        ipms = (feature_ipm(mapped, w, features, gradient=False)[0] for w in shuffles)
    # Shuffled rows take their share along.
    shares = (weights.share[:, order] for order in orders)
    both = [
        torch.stack([(ipm * share).sum(), (ipm.square() * share).sum()])
        for ipm, share in zip(ipms, shares, strict=True)
    ]
    means, squares = torch.stack(both, 1)
    return means, squares - noise


def _shuffled_by_kernel(
    rows: Tensor, weights: LowRankWeights, orders: list[Tensor], kernel: Kernel
) -> Iterator[Tensor]:
    n = rows.shape[1]
    together = max(1, _SUMS_ENTRIES // (n * weights.rank))
    tiles = KernelTiles(rows, kernel, keep_bytes=_KEPT_KERNEL_BYTES)
    blocks = row_blocks(n, _KERNEL_ROWS)
    for start in range(0, len(orders), together):
        shuffles = [weights.reordered(order) for order in orders[start : start + together]]
        sums = [rows.new_zeros(1, weights.rank, n) for _ in shuffles]
        for block in blocks:
            similarity = tiles.tile(block, slice(0, n))
            # While the block is in the cache, every shuffle uses it.
            for total, shuffle in zip(sums, shuffles, strict=True):
                total += shuffle.into_basis(similarity, block)
        for total, shuffle in zip(sums, shuffles, strict=True):
            yield ipm_from_sums(total, shuffle, kernel)
