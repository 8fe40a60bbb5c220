"""EIPM by its definition, in float64, with nothing clever: what every fast form must equal."""

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from frem_core.kernels import Kernel, get_kernel

Array = NDArray[np.float64]


class Formulas(dict[str, Callable[[Array], Array]]):
    """Formulas written down here, and for any other kernel the formula it computes itself.

    The paper's kernels are checked against textbook formulas; a new kernel answers for its own
    formula in tests of its own, and here the estimators answer for what they make of it.
    """

    def __init__(self, compute: Callable[[Kernel, Tensor], Tensor], known: dict) -> None:
        super().__init__(known)
        self._compute = compute

    def __missing__(self, name: str) -> Callable[[Array], Array]:
        kernel = get_kernel(name)
        return lambda x: self._compute(kernel, torch.from_numpy(x)).numpy()


_SENSITIVE = {
    "rbf": lambda x: np.exp(-(x**2) / 2),
    "triangular": lambda x: np.maximum(0.0, 1 - np.abs(x)),
    "epanechnikov": lambda x: 0.75 * np.maximum(0.0, 1 - x**2),
}
_REPRESENTATION = {
    "rbf": lambda d: np.exp(-(d**2) / 2),
    "triangular": lambda d: 1 - d,
    "epanechnikov": lambda d: 0.75 * (1 - d**2),
}
SENSITIVE = Formulas(lambda kernel, x: kernel.sensitive(x), _SENSITIVE)
REPRESENTATION = Formulas(lambda kernel, d: kernel.representation(d.square()), _REPRESENTATION)


def distances(z: Array) -> Array:
    return np.stack([np.sqrt(((z - row) ** 2).sum(1)) for row in z])


def weights(s: Array, gamma: float, kernel: str = "rbf") -> tuple[Array, NDArray[np.bool_]]:
    """A (n, n) with zero rows for anchors without neighbours, and which anchors have some."""
    n = len(s)
    a = np.zeros((n, n))
    kept = np.zeros(n, dtype=bool)
    for i in range(n):
        others = np.arange(n) != i
        k = SENSITIVE[kernel]((s[i] - s[others]) / gamma)
        kept[i] = k.sum() > 0
        if kept[i]:
            a[i, others] = k / k.sum() - 1 / (n - 1)
    return a, kept


def brute_force(
    z: Array,
    s: Array,
    gamma: float,
    sigma: float = 1.0,
    sensitive_kernel: str = "rbf",
    representation_kernel: str = "rbf",
) -> float:
    a, kept = weights(s, gamma, sensitive_kernel)
    kappa = REPRESENTATION[representation_kernel](distances(z) / sigma)
    roots = [np.sqrt(max(a[i] @ kappa @ a[i], 0.0)) for i in np.flatnonzero(kept)]
    return float(np.mean(roots)) if roots else 0.0


def dense(
    z: Array,
    s: Array,
    gamma: float,
    sigma: float = 1.0,
    sensitive_kernel: str = "rbf",
    representation_kernel: str = "rbf",
) -> float:
    """The same by matrix products, for more rows than a loop can take."""
    n = len(s)
    raw = SENSITIVE[sensitive_kernel]((s[:, None] - s) / gamma)
    np.fill_diagonal(raw, 0.0)
    mass = raw.sum(1, keepdims=True)
    kept = mass[:, 0] > 0
    a = np.where(mass > 0, raw / np.where(mass > 0, mass, 1.0) - 1 / (n - 1), 0.0)
    np.fill_diagonal(a, 0.0)
    kappa = REPRESENTATION[representation_kernel](distances(z) / sigma)
    q = ((a @ kappa) * a).sum(1)
    return float(np.sqrt(np.maximum(q, 0.0))[kept].mean()) if kept.any() else 0.0
