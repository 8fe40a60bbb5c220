"""Kernel HGR: no polynomial of the prediction correlates with a polynomial of S."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from frem_core.methods.batch import Batch, sum_over
from frem_core.methods.method import Method, register
from frem_core.methods.parameter import parameter
from frem_core.reproducible import stacked_product

# Share of their own variance by which powers are damped: keeps nearly collinear ones solvable.
DAMPING = 1e-9
# Below this the standard deviation is that of a constant.
TINY = 1e-12


def kernel_hgr(p: Tensor, s: Tensor, *, degree: int, sensitive_degree: int) -> Tensor:
    r"""Squared kernel-based HGR: the largest squared correlation of two polynomials.

    .. math:: \max_{f, g} \; \mathrm{corr}(f(\hat Y), g(S))^2

    over polynomials of the given degrees. That is the first canonical correlation of the powers of
    Ŷ and of S, so it has a closed form: whiten both sets of powers with Cholesky factors and take
    the largest eigenvalue of what is left of their covariance. The optimiser of the reference
    implementation finds the same number one sample at a time; this works on a whole stack, and the
    square is smooth at 0 where the root is not.

    Args:
        p: (B, n) predictions.
        s: (B, n) sensitive values; no gradient flows into them.
        degree: highest power of the prediction; 1 gives GeDI's reading, where only S is curved.
        sensitive_degree: highest power of S.

    Returns:
        (B,) from 0 to 1; 0 where p or s is constant.

    References:
        Giuliani, Misino and Lombardi, Generalized Disparate Impact for Configurable Fairness
        Solutions in ML, ICML 2023.
    """
    mine = _whitened(_powers(p.double(), degree))
    other = _whitened(_powers(s.detach().double(), sensitive_degree))
    joint = stacked_product(mine, other.mT)  # (B, degree, sensitive_degree)
    squares: Tensor = torch.linalg.eigvalsh(stacked_product(joint, joint.mT))  # rising
    return squares[:, -1].to(p.dtype)


def _powers(values: Tensor, degree: int) -> Tensor:
    """Centred powers 1 … degree of standardised values, each of length 1: (B, n) to (B, d, n)."""
    standard = _unit(values) * values.shape[1] ** 0.5
    exponents = torch.arange(1, degree + 1, dtype=values.dtype, device=values.device)
    return _unit(standard.unsqueeze(1) ** exponents[:, None])


def _unit(values: Tensor) -> Tensor:
    """Centres the last axis and gives it length 1; what is constant becomes 0."""
    centred = values - values.mean(dim=-1, keepdim=True)
    squared = centred.square().sum(dim=-1, keepdim=True)
    varies = squared > TINY
    return torch.where(varies, centred / torch.where(varies, squared, 1.0).sqrt(), 0.0)


def _whitened(powers: Tensor) -> Tensor:
    """Turns rows of length 1 (B, d, n) into orthogonal ones that span the same."""
    identity = torch.eye(powers.shape[1], dtype=powers.dtype, device=powers.device)
    # Powers that are 0 throughout (constant values) have to be left out: 1 on their diagonal.
    absent = torch.diag_embed((powers.square().sum(dim=-1) == 0).to(powers.dtype))
    products = powers @ powers.mT + absent + DAMPING * identity
    factor = torch.linalg.cholesky(products)
    rows: Tensor = torch.linalg.solve_triangular(factor, powers, upper=False)
    return rows


@register
@dataclass(frozen=True, kw_only=True)
class KernelHGR(Method):
    """Minimises L + λ · HGR²(p, S) over polynomials, on every mini-batch."""

    name = "kernel_hgr"
    title = "Kernel HGR"
    explanation = (
        "Lowers the strongest correlation that polynomials of prediction and sensitive "
        "attribute could show; the representation behind the prediction stays free."
    )
    citation = (
        "Giuliani, Misino and Lombardi, Generalized Disparate Impact for Configurable Fairness "
        "Solutions in ML, ICML 2023"
    )
    colour = "#8A63C9"
    symbol = "hexagon"
    supports_equal_opportunity = True
    supports_several = True
    judges_representation = False
    fairness_weights: ClassVar = {
        "crime": (0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.2, 0.5),
        "adult": (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0),
    }

    degree: int = parameter(
        3,
        label="degree on the prediction",
        help="Highest power of the prediction; 1 asks only that its average does not follow "
        "any curve of the sensitive attribute.",
        minimum=1,
        maximum=7,
    )
    sensitive_degree: int = parameter(
        3,
        label="degree on the sensitive attribute",
        help="Highest power of the sensitive attribute; more see finer curves and more noise.",
        minimum=1,
        maximum=7,
    )

    def penalty(self, batch: Batch) -> Tensor:
        """Returns the squared kernel HGR (B,) of the judged rows."""
        degrees = {"degree": self.degree, "sensitive_degree": self.sensitive_degree}
        return batch.per_member(
            lambda rows: sum_over(rows, lambda one: kernel_hgr(one.p, one.s, **degrees))
        )
