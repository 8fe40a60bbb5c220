"""Kernels on the sensitive attribute and on representations, one file each.

A new kernel is one new module in this package that registers itself in ``KERNELS``; the shared
contract test, forms and the estimator find it there.
"""

from frem_core.kernels.base import KERNELS, Kernel, squared_distances

__all__ = ["KERNELS", "Kernel", "available_kernels", "get_kernel", "squared_distances"]


def available_kernels() -> tuple[str, ...]:
    """Names of every registered kernel."""
    return tuple(KERNELS)


def get_kernel(name: str) -> Kernel:
    """Returns the kernel called ``name``; an unknown name raises a ConfigError."""
    return KERNELS.get(name)
