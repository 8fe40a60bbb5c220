"""Several sensitive attributes at once: each along its own values, and all together."""

from frem_core.audit.several.auditing import audit_attributes
from frem_core.audit.several.result import AttributesAudit

__all__ = ["AttributesAudit", "audit_attributes"]
