"""The expectation of integral probability metrics (EIPM) and its estimators.

The way of a value and its gradient::

    eipm(z, s, …)            estimator    checks arrays or tensors (inputs) and settings
      stacked_eipm           stacked      autograd: a gradient made together with its value
        rows_and_back        units        Z as it is, or relative to its own spread
        evaluate             evaluation   centres Z in units of σ; members of one S together
          plan_weights       plan         the cheapest form of the weights A on S:
            GroupedWeights …   weights      grouped, interpolated, both A = B Lᵀ - diag(c); prefix
          low_rank_ipm       exact        walks κ(Z) in tiles (tiles): Lᵀκ, then q_i, then √q_i,
                                          and a second time: ∂EIPM/∂κ times ∂κ/∂z
          low_rank_square    exact        or the mean of q_i, with or without noise: one walk
          feature_ipm        features     both from features of κ, linear in the rows

A training calls `mean_eipm`, of representation and prediction at once, with weights that
`plan.BatchPlanner` made ahead; `loss` is for loops of one's own. Several attributes take the same
way, with weights on tuples of them (`several`). `profile` and `permutation_test` look closer at one
representation; `binned` and `nadaraya_watson` are the two estimators the paper compares with.
"""

from frem_core.callable_package import make_callable
from frem_core.eipm.binned import eipm_binned
from frem_core.eipm.estimator import DroppedAnchorsWarning, UnscaledSensitiveWarning, eipm
from frem_core.eipm.nadaraya_watson import eipm_nadaraya_watson
from frem_core.eipm.permutation_test import EipmTestResult, eipm_test
from frem_core.eipm.profile import ProfileSums, eipm_profile, profile_sums
from frem_core.eipm.several.report import eipm_attributes, eipm_places
from frem_core.eipm.several.sample import UncoveredWarning

__all__ = [
    "DroppedAnchorsWarning",
    "EipmTestResult",
    "ProfileSums",
    "UncoveredWarning",
    "UnscaledSensitiveWarning",
    "eipm",
    "eipm_attributes",
    "eipm_binned",
    "eipm_nadaraya_watson",
    "eipm_places",
    "eipm_profile",
    "eipm_test",
    "profile_sums",
]

make_callable(__name__)
