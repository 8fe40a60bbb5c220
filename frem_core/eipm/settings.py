"""The checked settings of one EIPM evaluation."""

from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, Literal, TypeVar, get_args

from frem_core.errors import ConfigError, did_you_mean
from frem_core.kernels import Kernel, available_kernels, get_kernel
from frem_core.kernels.feature_map import FeatureMap

W = TypeVar("W", bound=str)

Computation = Literal["exact", "linear", "auto"]
COMPUTATIONS: tuple[Computation, ...] = get_args(Computation)

Noise = Literal["kept", "removed"]
"""Whether what chance alone gives is part of EIPM, as in the paper, or taken off."""
NOISES: tuple[Noise, ...] = get_args(Noise)

Form = Literal["root", "square"]
"""Whether anchors count with the IPM, as in the paper, or with its square."""
FORMS: tuple[Form, ...] = get_args(Form)

Units = Literal["as_is", "scale", "standardised", "whitened"]
"""What Z is measured in."""
UNITS: tuple[Units, ...] = get_args(Units)

ARRAY_FEATURES = 2048
"""Random frequencies for arrays, where a report wants accuracy."""
TENSOR_FEATURES = 128
"""Random frequencies for tensors, where a training step wants speed."""

ANY_GAMMA: Final = 1.0
"""Bandwidth of settings that do not use it: several attributes have one each."""

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
        noise: kept or removed.
        form: root or square.
        units: of Z, before σ.
    """

    gamma: float
    sigma: float | None
    sensitive_kernel: Kernel
    representation_kernel: Kernel
    computation: Computation
    features: int
    random_state: int
    noise: Noise = "kept"
    form: Form = "root"
    units: Units = "as_is"

    @property
    def is_papers(self) -> bool:
        """Whether EIPM is the mean of roots, noise and all."""
        return self.form == "root" and self.noise == "kept"

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
    gamma: Any,
    sigma: float | str,
    sensitive_kernel: str,
    representation_kernel: str,
    method: str,
    features: int,
    random_state: int,
    noise: str = "kept",
    form: str = "root",
    units: str = "as_is",
) -> EipmSettings:
    """Builds settings from public arguments; a value that is not allowed raises ConfigError."""
    computation = _word("method", method, COMPUTATIONS)
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
        computation=computation,
        features=features,
        random_state=random_state,
        noise=_word("noise", noise, NOISES),
        form=_word("form", form, FORMS),
        units=_word("units", units, UNITS),
    )


def _word(what: str, value: str, allowed: tuple[W, ...]) -> W:
    for word in allowed:
        if word == value:
            return word
    raise ConfigError(
        f"{what} is {value!r}; choose one of {', '.join(allowed)}."
        + did_you_mean(str(value), allowed)
    )


def _positive(what: str, value: float | str, allowed: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not (isfinite(number) and number > 0):
        raise ConfigError(f"{what} is {value!r}; give {allowed}.")
    return number
