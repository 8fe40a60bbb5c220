"""Registers named things (kernels, methods, datasets) so that a new file appears everywhere."""

import logging
import pkgutil
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, entry_points
from threading import RLock
from typing import Generic, TypeVar

from frem_core.errors import ConfigError, did_you_mean
from frem_core.extras import import_module

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Registry(Generic[T]):
    """Names and the things behind them, filled by the modules of one package.

    The package's modules are imported at the first look-up, not before, so that importing the
    package stays cheap and a new file needs no entry in any list. Then come installed packages
    that name modules of their own under an entry point group, e.g. in their pyproject.toml::

        [project.entry-points."frem.kernels"]
        laplace = "my_package.laplace"

    Loading such an entry must register the thing. One that fails is logged and left out: somebody
    else's package never stops this one.

    Args:
        kind: what the things are called in messages, e.g. ``"kernel"``.
        package: dotted name of the package whose modules register themselves.
        plugins: entry point group of other packages, e.g. ``"frem.kernels"``; none when empty.
    """

    def __init__(self, kind: str, package: str, plugins: str = "") -> None:
        self._kind = kind
        self._package = package
        self._plugins = plugins
        self._things: dict[str, T] = {}
        self._discovered = False
        self._busy = False
        # A page may ask while another one discovers; a module that asks while it is loaded itself
        # is in the same thread and sees what is there already.
        self._lock = RLock()

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
        with self._lock:
            if self._discovered or self._busy:
                return
            self._busy = True
            try:
                for module in pkgutil.iter_modules(import_module(self._package).__path__):
                    import_module(f"{self._package}.{module.name}")
                for entry in entry_points(group=self._plugins) if self._plugins else ():
                    self._load(entry)
                # Only now: a module that fails to import must fail again at the next look-up.
                self._discovered = True
            finally:
                self._busy = False

    def _load(self, entry: EntryPoint) -> None:
        before = dict(self._things)
        try:
            entry.load()
        except Exception as error:  # whatever somebody else's code may raise
            self._things = before  # nothing of a module that broke off half-way
            package = entry.dist.name if entry.dist is not None else entry.value
            logger.warning(
                "The %s '%s' of the package '%s' (%s) is left out, because loading it failed "
                "with %s: %s. Mend or uninstall that package.",
                self._kind,
                entry.name,
                package,
                entry.value,
                type(error).__name__,
                str(error).rstrip("."),
            )
