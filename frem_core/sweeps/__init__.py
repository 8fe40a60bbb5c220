"""Sweeps: from a description over many runs to a front in the store."""

from frem_core.sweeps.dataset_spec import DatasetSpec
from frem_core.sweeps.gamma_policy import GammaPolicy
from frem_core.sweeps.method_spec import PRESET, MethodSpec
from frem_core.sweeps.run_config import RESULT_VERSION, RunConfig
from frem_core.sweeps.spec import SweepSpec
from frem_core.sweeps.split_spec import SplitSpec

__all__ = [
    "PRESET",
    "RESULT_VERSION",
    "DatasetSpec",
    "GammaPolicy",
    "MethodSpec",
    "RunConfig",
    "SplitSpec",
    "SweepSpec",
]
