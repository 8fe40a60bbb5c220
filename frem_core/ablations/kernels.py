"""Two ablations about kernels: the one that smooths along S, and the one that compares Z."""

from math import isinf

from frem_core.ablations.ablation import Ablation, Variant, register_ablation
from frem_core.kernels import Kernel, available_kernels, get_kernel

_GAMMA = 0.05
# Under another kernel the penalty of the same model is larger or smaller. These factors, measured
# on a model without fairness on Crime, let it weigh about the same.
_WEIGHTS = {
    "sensitive_kernel": {"triangular": 3.0, "epanechnikov": 4.0},
    "representation_kernel": {"triangular": 0.6, "epanechnikov": 0.4},
}


def _variants(setting: str) -> tuple[Variant, ...]:
    known = sorted(available_kernels(), key=lambda name: name != "rbf")
    on_s = setting == "sensitive_kernel"
    return tuple(
        Variant.of_papers_frem(
            {"gamma": _gamma_on_s(get_kernel(name)) if on_s else _GAMMA, setting: name},
            name=name,
            title=f"{get_kernel(name).label} kernel",
            colour=get_kernel(name).colour,
            symbol=get_kernel(name).symbol,
            weight_scale=_WEIGHTS[setting].get(name, 1.0),
        )
        for name in known
    )


def _gamma_on_s(kernel: Kernel) -> float:
    """The paper's bandwidths: a compact kernel just reaches from one end of S to the other."""
    return _GAMMA if isinf(kernel.reach) else 1.0 / kernel.reach


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
