"""Chooses how the weights on several attributes are represented, as `plan` does for one."""

from dataclasses import dataclass

import torch
from torch import Tensor

from frem_core.eipm.several.kernel import JointKernel
from frem_core.eipm.tiles import LARGEST_WHOLE, row_blocks
from frem_core.eipm.weights import (
    AnchorWeights,
    GroupedWeights,
    LowRankWeights,
    Precision,
    ProductWeights,
)
from frem_core.eipm.weights.low_rank import exact_rows
from frem_core.eipm.weights.product import MOST_COLUMNS, MOST_EXACT, kernel_factor

N_MIN = 10.0
"""Effective neighbours that an anchor needs by default, for its place to say anything."""

# Up to so many distinct tuples nothing is quicker than a table of all pairs of them.
_FEWEST_TUPLES = 256
# Up to so many it still is small and quick, unless a factor has this many times fewer columns.
_FEW_TUPLES = 2048
_WORTH_A_FACTOR = 6
# Beyond, only where there is no shorter form.
_MOST_TUPLES = 4096

# Rows that tell how long a factor would be, and columns it has for each large eigenvalue, at least.
_LOOKED_AT = 128
_COLUMNS_PER_EIGENVALUE = 2.5

# Anchors that stand for all; their mean errs by about a fiftieth of the spread between anchors.
_SAMPLE = 2048

# Random features err by about a percent: weights need not be finer than this.
_LINEAR = Precision(dtype=torch.float64, row=1e-4, node=2e-9, smallest_mass=1.0)


@dataclass(frozen=True, eq=False)
class JointPlan:
    """Weights on several attributes.

    Attributes:
        weights: of the rows in this order.
        order: the rows sorted as the weights want them; None for as they are.
    """

    weights: LowRankWeights
    order: Tensor | None = None

    def sorted(self, z: Tensor) -> Tensor:
        """The rows of ``(B, n, m)`` in the order of the weights."""
        return z if self.order is None else z[:, self.order]

    @property
    def share_covered(self) -> float:
        """Share of the anchors that count, among those looked at."""
        return 1.0 - self.uncovered / self._looked_at

    @property
    def uncovered(self) -> int:
        """How many of the anchors looked at do not count."""
        return self._looked_at - int((self.weights.share > 0).sum())

    @property
    def _looked_at(self) -> int:
        if isinstance(self.weights, AnchorWeights):
            return self.weights.rank
        return self.weights.share.numel()


def plan_joint(
    places: Tensor,
    joint: JointKernel,
    *,
    n_min: float,
    dtype: torch.dtype,
    linear: bool = False,
) -> JointPlan:
    """Weights on several attributes, exact where a table of all pairs of tuples is affordable.

    Args:
        places: ``(n, d)`` float64: the attributes of n >= 3 people.
        joint: kernel on them.
        n_min: anchors with fewer effective neighbours, ``1 / Σ_j W_ij²``, do not count.
        dtype: of Z; decides how fine a factor of the kernel has to be.
        linear: whether Z is represented by random features, which need less.

    Returns:
        Groups of equal tuples where these are few; otherwise for a smooth kernel a factor of it,
        as fine as the dtype resolves; and where that would be long, the weights as they stand: of
        all anchors, or beyond 4,096 tuples of 2,048 drawn at random, whose mean stands for all.
    """
    n = len(places)
    values, group = torch.unique(places, dim=0, return_inverse=True)

    def grouped() -> JointPlan:
        order = torch.argsort(group, stable=True) if n > LARGEST_WHOLE else None
        rows = (group if order is None else group[order]).unsqueeze(0)
        logits = joint.log(values, values)
        return JointPlan(
            GroupedWeights(logits, rows, leaves_out=joint.leaves_out, n_min=n_min), order
        )

    few = len(values) <= _FEW_TUPLES
    if len(values) <= _FEWEST_TUPLES or (few and not joint.is_smooth):
        return grouped()
    most = len(values) // _WORTH_A_FACTOR if few else MOST_COLUMNS
    if joint.is_smooth and _least_columns(places, joint) <= most:
        precision = _LINEAR if linear else Precision.of(dtype, n)
        factor = kernel_factor(places, joint.log, precision.node, most)
        if factor is not None:
            weights = ProductWeights(places, joint.log, factor, precision, n_min)
            if weights.exact_anchors <= MOST_EXACT:
                return JointPlan(weights)
    if few and 2 * len(values) > n and joint.leaves_out:
        return JointPlan(_as_they_stand(places, joint, n_min, torch.arange(n), torch.float64))
    if few or len(values) <= _MOST_TUPLES:
        return grouped()
    generator = torch.Generator().manual_seed(n)  # the same anchors each time
    anchors = torch.randperm(n, generator=generator)[:_SAMPLE].sort().values
    dtype = torch.float32 if linear else torch.float64
    return JointPlan(_as_they_stand(places, joint, n_min, anchors, dtype))


def _least_columns(places: Tensor, joint: JointKernel) -> float:
    """What a factor surely needs, from a few rows: looking for one in vain takes long.

    ``(Σ eigenvalues)² / Σ eigenvalues²``, which for K with 1 on its diagonal is one over the mean
    of K², counts the large eigenvalues; a fine factor has several times as many columns.
    """
    some = places[:: max(1, len(places) // _LOOKED_AT)]
    squares = joint.log(some, some).mul_(2.0).exp_()
    pairs = len(some) * (len(some) - 1)
    between = (float(squares.sum()) - float(squares.trace())) / max(1, pairs)
    return _COLUMNS_PER_EIGENVALUE / max(between, 1.0 / len(places))


def _as_they_stand(
    places: Tensor, joint: JointKernel, n_min: float, anchors: Tensor, dtype: torch.dtype
) -> AnchorWeights:
    """Exact weights of some anchors."""
    n = len(places)
    exact = torch.empty(len(anchors), n, dtype=dtype)
    covered = torch.zeros(len(anchors), dtype=torch.bool)
    for block in row_blocks(len(anchors), max(1, 2**22 // n)):
        some, reachable = exact_rows(joint.log(places[anchors[block]], places), anchors[block])
        squares = some.square().sum(1) + 1.0 / (n - 1)  # centring took off 1/(n-1)
        covered[block] = reachable & (n_min * squares <= 1 + 1e-9)
        exact[block] = some
    return AnchorWeights(anchors, exact, covered)
