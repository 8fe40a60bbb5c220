"""Plotly figures built from plain tables."""

from frem_core.extras import naming_the_extra

with naming_the_extra():
    from frem_core.figures.front_marks import NO_BETTER
    from frem_core.figures.front_points import constant_of, front_points
    from frem_core.figures.group_boxes import group_boxes, group_shares
    from frem_core.figures.layout import lay_out
    from frem_core.figures.looks import SeriesLook, method_looks
    from frem_core.figures.pareto_fronts import pareto_fronts_figure
    from frem_core.figures.plain_text import plain_text, shown_text, spreadsheet_csv
    from frem_core.figures.sensitive import dependence_bars, outcome_along_s, sensitive_histogram

__all__ = [
    "NO_BETTER",
    "SeriesLook",
    "constant_of",
    "dependence_bars",
    "front_points",
    "group_boxes",
    "group_shares",
    "lay_out",
    "method_looks",
    "outcome_along_s",
    "pareto_fronts_figure",
    "plain_text",
    "sensitive_histogram",
    "shown_text",
    "spreadsheet_csv",
]
