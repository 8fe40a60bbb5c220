"""What a table, or a model's outputs, says about the sensitive attribute along its values."""

from frem_core.audit.auditing import audit
from frem_core.audit.conditional_mean import conditional_curve, conditional_mean
from frem_core.audit.dependence import rank_dependence
from frem_core.audit.dimensions import between_group_share, dimension_boxes
from frem_core.audit.groups import (
    QuantileGroups,
    box_statistics,
    histogram,
    level_shares,
    outcome_by_group,
    quantile_groups,
)
from frem_core.audit.regions import Region
from frem_core.audit.reliability import (
    GammaSuggestion,
    effective_rows,
    share_with_enough,
    suggest_gamma,
)
from frem_core.audit.repair import Repair, repair_costs
from frem_core.audit.result import AuditResult
from frem_core.audit.rules import RuleResult, exit_code
from frem_core.audit.several import AttributesAudit, audit_attributes
from frem_core.callable_package import make_callable

__all__ = [
    "AttributesAudit",
    "AuditResult",
    "GammaSuggestion",
    "QuantileGroups",
    "Region",
    "Repair",
    "RuleResult",
    "audit",
    "audit_attributes",
    "between_group_share",
    "box_statistics",
    "conditional_curve",
    "conditional_mean",
    "dimension_boxes",
    "effective_rows",
    "exit_code",
    "histogram",
    "level_shares",
    "outcome_by_group",
    "quantile_groups",
    "rank_dependence",
    "repair_costs",
    "share_with_enough",
    "suggest_gamma",
]

make_callable(__name__)
