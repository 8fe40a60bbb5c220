"""Limits instead of fairness weights: say what a model must keep, training finds λ.

half, = train_within(data.train, task=data.task, method=get_method("frem")(),
limits=[Limit(keep=0.5)], config=config)
report = check_limit(half, data)          # on the test rows
report.sentence                           # "FREM probably keeps …"
half.model.member.fairness_weight         # the λ that was found
"""

from frem_core.limits.chance import words_before_training
from frem_core.limits.check import check_limit, held_out_report
from frem_core.limits.limit import OF_CATEGORIES, SCORES, Limit, limited_score
from frem_core.limits.report import LimitReport
from frem_core.limits.shadows import shadows_needed
from frem_core.limits.train_within import WithinLimit, train_within

__all__ = [
    "OF_CATEGORIES",
    "SCORES",
    "Limit",
    "LimitReport",
    "WithinLimit",
    "check_limit",
    "held_out_report",
    "limited_score",
    "shadows_needed",
    "train_within",
    "words_before_training",
]
