"""Fair representation learning for continuous sensitive attributes.

The public names are loaded at first use: ``import frem_core`` alone does not import torch.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

from frem_core.extras import lazy_names

if TYPE_CHECKING:
    from frem_core.audit import audit as audit
    from frem_core.eipm import eipm as eipm
    from frem_core.eipm.loss import EIPMLoss as EIPMLoss
    from frem_core.errors import FremError as FremError
    from frem_core.estimators import FairClassifier as FairClassifier
    from frem_core.estimators import FairRegressor as FairRegressor
    from frem_core.estimators import FREMClassifier as FREMClassifier
    from frem_core.estimators import FREMRegressor as FREMRegressor
    from frem_core.estimators import FREMRepresentation as FREMRepresentation
    from frem_core.estimators import make_fairness_scorer as make_fairness_scorer
    from frem_core.metrics import scale_sensitive as scale_sensitive

    __version__: str

_HOMES = {
    "EIPMLoss": "eipm.loss",
    "FREMClassifier": "estimators",
    "FREMRegressor": "estimators",
    "FREMRepresentation": "estimators",
    "FairClassifier": "estimators",
    "FairRegressor": "estimators",
    "FremError": "errors",
    "audit": "audit",
    "eipm": "eipm",
    "make_fairness_scorer": "estimators",
    "scale_sensitive": "metrics",
}

__all__ = [*sorted(_HOMES), "__version__"]
_load = lazy_names(__name__, _HOMES)


def __getattr__(name: str) -> Any:
    return _version() if name == "__version__" else _load(name)


@cache  # the packages' files are searched for it, and every page shows it
def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("frem-studio")
    except PackageNotFoundError:  # run from a source tree that was not installed
        return "0+unknown"


def __dir__() -> list[str]:
    return sorted(__all__)
