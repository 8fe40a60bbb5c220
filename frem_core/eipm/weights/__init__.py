"""Weights on S, in the form that makes EIPM cheap for the S at hand.

All describe the same centred leave-one-out weights A: `grouped` where values of S repeat,
`interpolated` for continuous S under a smooth kernel, both of low rank; `prefix` for continuous S
under a compact kernel. `frem_core.eipm.plan` chooses. `column` factors a smooth kernel once for all
batches of a training. For several attributes: `grouped` where tuples repeat or are few, `product`
under a smooth kernel, `anchors`, rows of A as they stand, where neither is short;
`frem_core.eipm.several.plan` chooses. `summed` are several of them at once.
"""

from frem_core.eipm.weights.anchors import AnchorWeights
from frem_core.eipm.weights.column import BatchWeights, FactoredColumn
from frem_core.eipm.weights.grouped import GroupedWeights
from frem_core.eipm.weights.interpolated import InterpolatedWeights, Nodes, Precision
from frem_core.eipm.weights.low_rank import Adjoint, LowRankWeights
from frem_core.eipm.weights.prefix import PrefixWeights
from frem_core.eipm.weights.product import ProductWeights
from frem_core.eipm.weights.summed import SummedWeights

__all__ = [
    "Adjoint",
    "AnchorWeights",
    "BatchWeights",
    "FactoredColumn",
    "GroupedWeights",
    "InterpolatedWeights",
    "LowRankWeights",
    "Nodes",
    "Precision",
    "PrefixWeights",
    "ProductWeights",
    "SummedWeights",
]
