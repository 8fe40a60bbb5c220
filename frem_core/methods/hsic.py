"""HSIC: no function of the representation varies together with a function of S."""

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from frem_core.methods.batch import Batch, sum_over
from frem_core.methods.method import Method, register
from frem_core.methods.pairs import (
    along_differences,
    doubly_centred,
    pairwise_penalty,
    similarities,
)
from frem_core.methods.parameter import parameter
from frem_core.methods.shared_parameters import representation_scale


def hsic(z: Tensor, s: Tensor, *, sigma: float = 1.0, sensitive_sigma: float = 0.2) -> Tensor:
    r"""Hilbert–Schmidt independence criterion n⁻² tr(K H L H), the biased V-statistic.

    K and L are Gaussian kernels on Z and S and H = I − 1/n. Because HLH =: W does not depend on Z
    the value is n⁻² Σ_ij W_ij K_ij, and with x = z/σ its gradient is

        ∂/∂x_i = −2 n⁻² Σ_j W_ij K_ij (x_i − x_j).

    Args:
        z: (B, n, m) representations.
        s: (B, n) sensitive values; no gradient flows into them.
        sigma: scale of the kernel on Z.
        sensitive_sigma: scale of the kernel on S.

    Returns:
        (B,), not negative up to rounding.

    References:
        Gretton et al., Measuring Statistical Dependence with Hilbert-Schmidt Norms, ALT 2005.
    """

    def rule(x: Tensor, own: Tensor) -> tuple[Tensor, Tensor]:
        weights = doubly_centred(similarities((own / sensitive_sigma).unsqueeze(1), "rbf"))
        joint = weights.mul_(similarities(x / sigma, "rbf")).div_(len(x) ** 2)  # (n, n)
        return joint.sum(), along_differences(joint, x).mul_(-2 / sigma**2)

    return pairwise_penalty(z, s, rule)


@register
@dataclass(frozen=True, kw_only=True)
class HSIC(Method):
    """Minimises L + λ · HSIC(Z, S), the V-statistic on every mini-batch."""

    name = "hsic"
    title = "HSIC"
    explanation = (
        "Lowers the covariance that smooth curves of the representation and of the sensitive "
        "attribute could show, all of them at once."
    )
    citation = (
        "Ni and Huo, FRHSIC, arXiv 2608.10470, 2026; Gretton et al., Measuring Statistical "
        "Dependence with Hilbert-Schmidt Norms, ALT 2005"
    )
    colour = "#2F7FC1"
    symbol = "triangle-up"
    supports_equal_opportunity = True
    supports_several = True
    fairness_weights: ClassVar = {
        "crime": (0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0),
        "adult": (1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0, 200.0),
    }

    sigma: float = representation_scale(
        "Distance at which two representations count as different.", advanced=True
    )
    sensitive_sigma: float = parameter(
        0.2,
        label="scale of the kernel on the sensitive attribute",
        help="How near two sensitive values (scaled to 0–1) must be to count as alike.",
        minimum=0.001,
        maximum=10.0,
        log_scale=True,
        advanced=True,
    )

    def penalty(self, batch: Batch) -> Tensor:
        """Returns HSIC (B,) of the judged rows."""
        scales = {"sigma": self.sigma, "sensitive_sigma": self.sensitive_sigma}
        return batch.per_member(
            lambda rows: sum_over(rows, lambda one: hsic(one.z, one.s, **scales))
        )
