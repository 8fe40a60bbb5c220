"""The checked settings of one EIPM evaluation."""

from dataclasses import dataclass
from math import isfinite
from typing import Literal, get_args

from frem_core.errors import ConfigError, did_you_mean
from frem_core.kernels import Kernel, available_kernels, get_kernel
from frem_core.kernels.feature_map import FeatureMap

Computation = Literal["exact", "linear", "auto"]
COMPUTATIONS: tuple[Computation, ...] = get_args(Computation)

ARRAY_FEATURES = 2048
"""Random frequencies for arrays, where a report wants accuracy."""
TENSOR_FEATURES = 128
"""Random frequencies for tensors, where a training step wants speed."""

LARGEST_EXACT = 10_000
"""With more rows than this, ``method="auto"`` uses the linear estimator."""


@dataclass(frozen=True)
class EipmSettings:
    """What to estimate and how.

    Attributes:
        gamma: bandwidth γ on S.
        sigma: scale σ on Z; None for the median heuristic.
        sensitive_kernel: on S.
        representation_kernel: on Z.
        computation: from every pair of rows, or from random features.
        features: random frequencies of the linear method.
        random_state: seed of those frequencies.
    """

    gamma: float
    sigma: float | None
    sensitive_kernel: Kernel
    representation_kernel: Kernel
    computation: Computation
    features: int
    random_state: int

    def linear(self, rows: int) -> bool:
        """Whether ``rows`` rows are to be handled by random features."""
        possible = self.representation_kernel.features != "none"
        return self.computation == "linear" or (
            self.computation == "auto" and rows > LARGEST_EXACT and possible
        )

    def feature_map(self, dimensions: int, *, linear: bool) -> FeatureMap | None:
        """Features to use for Z of so many columns; None when the kernel matrix is needed."""
        kernel = self.representation_kernel
        if kernel.features == "exact" or (linear and kernel.features == "random"):
            return kernel.feature_map(dimensions, self.features, self.random_state)
        return None


def check_settings(
    *,
    gamma: float,
    sigma: float | str,
    sensitive_kernel: str,
    representation_kernel: str,
    method: str,
    features: int,
    random_state: int,
) -> EipmSettings:
    """Builds settings from public arguments; a value that is not allowed raises ConfigError."""
    if method not in COMPUTATIONS:
        raise ConfigError(
            f"method is {method!r}; choose one of {', '.join(COMPUTATIONS)}."
            + did_you_mean(str(method), COMPUTATIONS)
        )
    if features < 1:
        raise ConfigError(f"features is {features}; give a whole number of at least 1.")
    kernel = get_kernel(representation_kernel)
    if method == "linear" and kernel.features == "none":
        able = [name for name in available_kernels() if get_kernel(name).features != "none"]
        raise ConfigError(
            f"method 'linear' needs a kernel on Z with a feature map; '{kernel.name}' has none: "
            f"use representation_kernel {' or '.join(map(repr, able))}, or method 'exact'."
        )
    return EipmSettings(
        gamma=_positive("gamma (the bandwidth on S)", gamma, "a positive number"),
        sigma=(
            None
            if isinstance(sigma, str) and sigma == "median"
            else _positive("sigma (the scale on Z)", sigma, "a positive number or 'median'")
        ),
        sensitive_kernel=get_kernel(sensitive_kernel),
        representation_kernel=kernel,
        computation=method,
        features=features,
        random_state=random_state,
    )


def _positive(what: str, value: float | str, allowed: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not (isfinite(number) and number > 0):
        raise ConfigError(f"{what} is {value!r}; give {allowed}.")
    return number
