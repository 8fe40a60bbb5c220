"""Registers named things (kernels, methods, datasets) so that a new file appears everywhere."""

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Generic, TypeVar

from frem_core.errors import ConfigError, did_you_mean

T = TypeVar("T")


class Registry(Generic[T]):
    """Names and the things behind them, filled by the modules of one package.

    The package's modules are imported at the first look-up, not before, so that importing the
    package stays cheap and a new file needs no entry in any list.

    Args:
        kind: what the things are called in messages, e.g. ``"kernel"``.
        package: dotted name of the package whose modules register themselves.
    """

    def __init__(self, kind: str, package: str) -> None:
        self._kind = kind
        self._package = package
        self._things: dict[str, T] = {}
        self._discovered = False

    def register(self, name: str) -> Callable[[T], T]:
        """Decorator: makes the thing known under ``name``."""

        def add(thing: T) -> T:
            if self._things.setdefault(name, thing) is not thing:
                raise ConfigError(f"Two {self._kind}s are called '{name}'; rename one of them.")
            return thing

        return add

    def get(self, name: str) -> T:
        """Returns the thing called ``name``; an unknown name raises a ConfigError."""
        self._discover()
        if name not in self._things:
            raise ConfigError(
                f"There is no {self._kind} called '{name}'; choose one of {', '.join(self)}."
                + did_you_mean(str(name), self._things)
            )
        return self._things[name]

    def __iter__(self) -> Iterator[str]:
        self._discover()
        return iter(sorted(self._things))

    def _discover(self) -> None:
        if self._discovered:
            return
        for module in pkgutil.iter_modules(import_module(self._package).__path__):
            import_module(f"{self._package}.{module.name}")
        # Only now: a module that fails to import must fail again at the next look-up.
        self._discovered = True
