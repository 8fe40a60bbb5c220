"""Weights on S, in the form that makes EIPM cheap for the S at hand.

All describe the same centred leave-one-out weights A: `grouped` where values of S repeat,
`interpolated` for continuous S under a smooth kernel, both of low rank; `prefix` for continuous S
under a compact kernel. `frem_core.eipm.plan` chooses.
"""

from frem_core.eipm.weights.grouped import GroupedWeights
from frem_core.eipm.weights.interpolated import InterpolatedWeights, Precision
from frem_core.eipm.weights.low_rank import Adjoint, LowRankWeights
from frem_core.eipm.weights.prefix import PrefixWeights

__all__ = [
    "Adjoint",
    "GroupedWeights",
    "InterpolatedWeights",
    "LowRankWeights",
    "Precision",
    "PrefixWeights",
]
