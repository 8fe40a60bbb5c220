"""Reg-GDP: keeps the average prediction level along the sensitive attribute."""

from dataclasses import dataclass
from typing import ClassVar

from frem_core.methods.method import register
from frem_core.methods.prediction_penalty import PredictionPenalty
from frem_core.metrics.penalties import gdp_penalty


@register
@dataclass(frozen=True, kw_only=True)
class RegGDP(PredictionPenalty):
    """Minimises L + λ · ΔGDP(p; S), the kernel estimate on every mini-batch."""

    name = "reg_gdp"
    title = "Reg-GDP"
    explanation = (
        "Keeps the average prediction near each sensitive value close to the overall average; "
        "the representation behind the prediction stays free."
    )
    citation = "Jiang et al., Generalized Demographic Parity for Group Fairness, ICLR 2022"
    colour = "#CE4A7E"
    symbol = "triangle-left"
    fairness_weights: ClassVar = {
        "crime": (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0),
        "adult": (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0),
    }
    measure = staticmethod(gdp_penalty)
