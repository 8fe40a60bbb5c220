"""The checked settings of one EIPM evaluation."""

from dataclasses import dataclass
from math import isfinite
from typing import Literal

from frem_core.errors import ConfigError, did_you_mean
from frem_core.kernels import Kernel, get_kernel

Method = Literal["exact", "linear", "auto"]
METHODS: tuple[Method, ...] = ("exact", "linear", "auto")


@dataclass(frozen=True)
class Settings:
    """What to estimate: bandwidth γ on S, scale σ on Z (None: median heuristic), and the kernels."""

    gamma: float
    sigma: float | None
    sensitive_kernel: Kernel
    representation_kernel: Kernel
    method: Method = "exact"

    @classmethod
    def check(
        cls,
        *,
        gamma: float,
        sigma: float | str,
        sensitive_kernel: str,
        representation_kernel: str,
        method: str = "exact",
    ) -> "Settings":
        """Builds settings from public arguments; a value that is not allowed raises ConfigError."""
        if method not in METHODS:
            raise ConfigError(
                f"method is {method!r}; choose one of {', '.join(METHODS)}."
                + did_you_mean(str(method), METHODS)
            )
        return cls(
            gamma=_positive("gamma (the bandwidth on S)", gamma),
            sigma=None if sigma == "median" else _positive("sigma (the scale on Z)", sigma),
            sensitive_kernel=get_kernel(sensitive_kernel),
            representation_kernel=get_kernel(representation_kernel),
            method=method,
        )


def _positive(what: str, value: float | str) -> float:
    allowed = "'median' or a positive number" if what.startswith("sigma") else "a positive number"
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not (isfinite(number) and number > 0):
        raise ConfigError(f"{what} is {value!r}; give {allowed}.")
    return number
