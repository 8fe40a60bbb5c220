"""Two ablations about kernels: the one that smooths along S, and the one that compares Z."""

from frem_core.ablations.ablation import Ablation, Variant, register_ablation
from frem_core.kernels import available_kernels, get_kernel

_SYMBOLS = {"rbf": "star", "triangular": "triangle-left", "epanechnikov": "diamond"}
# The paper's bandwidths; the compact kernels then just reach from one end of S to the other.
_GAMMAS = {"rbf": 0.05, "triangular": 1.0, "epanechnikov": 1.0}
# Under another kernel the penalty of the same model is larger or smaller. These factors, measured
# on a model without fairness on Crime, let it weigh about the same.
_WEIGHTS = {
    "sensitive_kernel": {"triangular": 3.0, "epanechnikov": 4.0},
    "representation_kernel": {"triangular": 0.6, "epanechnikov": 0.4},
}


def _variants(setting: str) -> tuple[Variant, ...]:
    known = sorted(available_kernels(), key=lambda name: name != "rbf")
    return tuple(
        Variant(
            name=name,
            title=f"{get_kernel(name).label} kernel",
            method="frem",
            settings={
                "gamma": _GAMMAS.get(name, 0.05) if setting == "sensitive_kernel" else 0.05,
                setting: name,
            },
            colour=get_kernel(name).colour,
            symbol=_SYMBOLS.get(name, "circle"),
            weight_scale=_WEIGHTS[setting].get(name, 1.0),
        )
        for name in known
    )


register_ablation(
    Ablation(
        name="kernels-s",
        title="Kernel for the sensitive attribute",
        question="Does it matter which kernel decides how near two sensitive values are (K)?",
        claim="The influence of the choice of kernel is minimal.",
        source="ablation study 1, choice of K",
        variants=_variants("sensitive_kernel"),
    )
)

register_ablation(
    Ablation(
        name="kernels-z",
        title="Kernel for the representation",
        question="Does it matter which kernel compares representations (κ)?",
        claim="The three kernels perform similarly unless there are numerical problems; "
        "Epanechnikov had some on Adult.",
        source="ablation study 2, choice of κ",
        variants=_variants("representation_kernel"),
    )
)
