"""The report of a sweep: what was asked, what came out, what it costs and how sure that is."""

from frem_core.sweep_report.build import sweep_report

__all__ = ["sweep_report"]
