"""Lets a package be called like the function it is named after.

``frem_core.eipm`` is a package and ``from frem_core import eipm`` is to give the function. Python
binds a package's name to the module as soon as anything in it is imported, so the module itself
has to answer the call; ``frem_core.eipm.eipm_profile`` works as ever.
"""

import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


class CallablePackage(ModuleType):
    """A package that passes a call on to the function of its own name."""

    def __call__(self, *args: Any, **settings: Any) -> Any:
        """The same as calling the function."""
        return self._function(*args, **settings)

    @property
    def _function(self) -> Callable[..., Any]:
        function: Callable[..., Any] = vars(self)[self.__name__.rpartition(".")[2]]
        return function

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._function)


def make_callable(package: str) -> None:
    """Called by a package's ``__init__`` with its ``__name__``."""
    sys.modules[package].__class__ = CallablePackage
