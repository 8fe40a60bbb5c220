"""Reg-HGR: removes any dependence, straight or curved, of the prediction on S."""

from dataclasses import dataclass
from typing import ClassVar

from frem_core.methods.method import register
from frem_core.methods.prediction_penalty import PredictionPenalty
from frem_core.metrics.penalties import chi_squared_penalty


@register
@dataclass(frozen=True, kw_only=True)
class RegHGR(PredictionPenalty):
    """Minimises L + λ · χ²(p, S), which bounds the squared HGR maximal correlation from above.

    Its authors train on χ², the smooth bound, and report HGR itself.
    """

    name = "reg_hgr"
    title = "Reg-HGR"
    explanation = (
        "Lowers the strongest correlation that any curves of prediction and sensitive "
        "attribute could show; the representation behind the prediction stays free."
    )
    citation = "Mary et al., Fairness-Aware Learning for Continuous Attributes, ICML 2019"
    colour = "#FF8C00"
    symbol = "triangle-right"
    fairness_weights: ClassVar = {
        "crime": (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5),
        "adult": (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0),
    }
    measure = staticmethod(chi_squared_penalty)
