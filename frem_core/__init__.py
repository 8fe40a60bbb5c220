"""Fair representation learning for continuous sensitive attributes.

The public names are loaded at first use: ``import frem_core`` alone does not import torch.
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from frem_core.errors import FremError as FremError
    from frem_core.estimators import FREMClassifier as FREMClassifier
    from frem_core.estimators import FREMRegressor as FREMRegressor

try:
    __version__ = version("frem-studio")
except PackageNotFoundError:  # run from a source tree that was not installed
    __version__ = "0+unknown"

_HOMES = {
    "FREMClassifier": "frem_core.estimators",
    "FREMRegressor": "frem_core.estimators",
    "FremError": "frem_core.errors",
}

__all__ = ["FREMClassifier", "FREMRegressor", "FremError", "__version__"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'frem_core' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
