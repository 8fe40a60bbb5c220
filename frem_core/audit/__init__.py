"""What a table, or a model's outputs, says about the sensitive attribute along its values."""

from frem_core.audit.conditional_mean import conditional_mean
from frem_core.audit.dependence import rank_dependence
from frem_core.audit.dimensions import between_group_share, dimension_boxes
from frem_core.audit.distribution import histogram
from frem_core.audit.groups import (
    QuantileGroups,
    box_statistics,
    level_shares,
    outcome_by_group,
    quantile_groups,
)
from frem_core.audit.reliability import (
    GammaSuggestion,
    effective_rows,
    share_with_enough,
    suggest_gamma,
)

__all__ = [
    "GammaSuggestion",
    "QuantileGroups",
    "between_group_share",
    "box_statistics",
    "conditional_mean",
    "dimension_boxes",
    "effective_rows",
    "histogram",
    "level_shares",
    "outcome_by_group",
    "quantile_groups",
    "rank_dependence",
    "share_with_enough",
    "suggest_gamma",
]
