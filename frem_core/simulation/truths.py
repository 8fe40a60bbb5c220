"""The exact EIPM of the simulation designs."""

import math

from scipy.integrate import quad

from frem_core.errors import ConfigError


def linear_gaussian_truth(
    *, dimension: int, variance: float, signal: float, sigma: float = 1.0
) -> float:
    """EIPM of a Gaussian representation whose mean moves linearly with a Gaussian S.

    For ``S ~ N(0, 1)`` and ``Z | S = s ~ N(as, vI − aaᵀ)``, hence ``Z ~ N(0, vI)``, the RBF kernel
    with scale σ has the expectations (Muandet et al. 2012; the paper's Appendix D)

        E κ(Z, Z′) = D₀,   E κ(Z_s, Z_s′) = D₂,
        E κ(Z, Z_s) = D₁·exp(−‖a‖²s² / 2(σ² + 2v − ‖a‖²)),
        D_k = [(1 + 2v/σ²)^(m−1) · (1 + (2v − k‖a‖²)/σ²)]^(−1/2).

    They depend on a only through its squared length, because vI looks the same in every
    direction. ``EIPM = E_S √(D₀ + D₂ − 2·E κ(Z, Z_S))``. The expectation over S is taken by
    adaptive quadrature, so the result carries no Monte-Carlo error.

    Args:
        dimension: m, the number of coordinates of Z.
        variance: v, the variance of each coordinate.
        signal: ``‖a‖²``, the part of the variance along a that S explains, in [0, v].
        sigma: σ, the scale of the kernel.

    Returns:
        The EIPM, accurate to about 1e-10.

    >>> round(linear_gaussian_truth(dimension=1, variance=1.0, signal=0.2 * 0.4**2), 5)
    0.06389
    """
    if not 0.0 <= signal <= variance:
        raise ConfigError(
            f"S explains {signal:g} of a variance of {variance:g}; "
            "choose a smaller rho so that it explains at most all of it."
        )

    def integrand(s: float) -> float:
        return _ipm(s, dimension, variance, signal, sigma) * math.exp(-0.5 * s * s)

    # The IPM is even in s and nearly has a kink at 0, so only one side is integrated.
    half, _ = quad(integrand, 0.0, math.inf, epsabs=1e-13, epsrel=1e-11, limit=200)
    return float(2.0 * half / math.sqrt(2.0 * math.pi))


def _ipm(s: float, dimension: int, variance: float, signal: float, sigma: float) -> float:
    """IPM between Z | S = s and Z: the distance of their kernel mean embeddings."""
    a = signal / sigma**2
    spread = 1.0 + 2.0 * variance / sigma**2
    r0, r1, r2 = (math.sqrt(spread - k * a) for k in (0, 1, 2))  # D_k = 1/r_k, up to a factor
    # 1/r0 + 1/r2 − 2/r1 without subtraction: it is of order a² and would be lost in rounding.
    at_zero = 2.0 * a**2 * (1.0 + r1 / (r0 + r2)) / (r0 * r1 * r2 * (r0 + r1) * (r1 + r2))
    shift = -2.0 * math.expm1(-0.5 * a * s * s / r1**2) / r1
    return math.sqrt((at_zero + shift) * spread ** (-(dimension - 1) / 2))
