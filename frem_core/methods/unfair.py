"""The reference without any fairness term."""

from dataclasses import dataclass

from frem_core.methods.method import Method, register


@register
@dataclass(frozen=True, kw_only=True)
class Unfair(Method):
    """Minimises the task loss L alone."""

    name = "unfair"
    title = "Unfair"
    explanation = "Predicts as well as it can and ignores fairness; the others are compared to it."
    citation = "Reference model of the FREM paper, Section V"
    colour = "#000000"
    symbol = "circle"
    supports_equal_opportunity = True
    uses_fairness_weight = False
    supports_several = True
