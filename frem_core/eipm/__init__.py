"""The expectation of integral probability metrics (EIPM) and its estimators."""

from frem_core.eipm.binned import eipm_binned
from frem_core.eipm.estimator import DroppedAnchorsWarning, eipm
from frem_core.eipm.nadaraya_watson import eipm_nadaraya_watson
from frem_core.eipm.permutation_test import EipmTestResult, eipm_test
from frem_core.eipm.profile import eipm_profile
from frem_core.eipm.profile_sums import ProfileSums, profile_sums

__all__ = [
    "DroppedAnchorsWarning",
    "EipmTestResult",
    "ProfileSums",
    "eipm",
    "eipm_binned",
    "eipm_nadaraya_watson",
    "eipm_profile",
    "eipm_test",
    "profile_sums",
]
