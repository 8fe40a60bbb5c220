"""What a table says about its sensitive attribute before any model is trained."""

from frem_core.audit.dependence import rank_dependence
from frem_core.audit.distribution import histogram
from frem_core.audit.groups import (
    QuantileGroups,
    box_statistics,
    level_shares,
    outcome_by_group,
    quantile_groups,
)

__all__ = [
    "QuantileGroups",
    "box_statistics",
    "histogram",
    "level_shares",
    "outcome_by_group",
    "quantile_groups",
    "rank_dependence",
]
