"""All scores of a model in one call, and a probe of what its representation still gives away."""

from frem_core.evaluation.constant import ConstantScore, against_constant
from frem_core.evaluation.evaluate import evaluate
from frem_core.evaluation.evaluate_split import evaluate_split
from frem_core.evaluation.leakage_probe import LeakageProbe, leakage_probe
from frem_core.evaluation.probe_score import ProbeScore
from frem_core.evaluation.probe_split import probe_split
from frem_core.evaluation.scores import available_scores, get_score

__all__ = [
    "ConstantScore",
    "LeakageProbe",
    "ProbeScore",
    "against_constant",
    "available_scores",
    "evaluate",
    "evaluate_split",
    "get_score",
    "leakage_probe",
    "probe_split",
]
