"""FREM and the methods it is compared with, one file each.

A new method is one new module in this package with a `Method` that is decorated with
`register`; forms, command line, documentation and the contract tests find it by themselves.

Example:
    >>> "frem" in available_methods()
    True
    >>> get_method("frem")(gamma=0.1).to_dict()["gamma"]
    0.1
"""

from typing import TYPE_CHECKING

from frem_core.extras import lazy_names
from frem_core.methods.method import METHODS, HeadPlan, Method, register
from frem_core.methods.parameter import Parameter, parameter
from frem_core.methods.settings import Settings

if TYPE_CHECKING:
    from frem_core.methods.adversary import Adversary as Adversary
    from frem_core.methods.adversary import AdversaryPlan as AdversaryPlan
    from frem_core.methods.adversary import AdversarySetup as AdversarySetup
    from frem_core.methods.batch import Batch as Batch

__all__ = [
    "METHODS",
    "Adversary",
    "AdversaryPlan",
    "AdversarySetup",
    "Batch",
    "HeadPlan",
    "Method",
    "Parameter",
    "Settings",
    "available_methods",
    "get_method",
    "parameter",
    "register",
]

# Loaded at first use: what a method is can be told without torch.
_HOMES = {
    "Adversary": "adversary",
    "AdversaryPlan": "adversary",
    "AdversarySetup": "adversary",
    "Batch": "batch",
}
__getattr__ = lazy_names(__name__, _HOMES)


def available_methods() -> tuple[str, ...]:
    """Names of every registered method."""
    return tuple(METHODS)


def get_method(name: str) -> type[Method]:
    """Returns the method called ``name``; an unknown name raises a ConfigError."""
    return METHODS.get(name)
