"""What the core can do without: parts loaded at first use, and the extra that brings them."""

import gc
import importlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Final

from frem_core.errors import FremError

# Which extra of the package brings a module; the core itself needs none of them.
BROUGHT_BY: Final = {
    "sweeps": (
        *("alembic", "charset_normalizer", "click", "cryptography", "dask", "distributed"),
        *(
            "openpyxl",
            "optuna",
            "platformdirs",
            "plotly",
            "psutil",
            "pyarrow",
            "rich",
            "sqlalchemy",
        ),
        "tomli_w",
    ),
    "studio": ("streamlit",),
    "postgres": ("psycopg",),
    "bucket": ("s3fs",),
    "onnx": ("onnx", "onnxruntime", "onnxscript"),
}


class MissingExtraError(FremError, ImportError):
    """A part of the program was asked for that a smaller installation does without."""


@contextmanager
def naming_the_extra() -> Iterator[None]:
    """Turns "No module named 'sqlalchemy'" into a sentence that says what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").split(".")[0]
        extra = next((one for one, brought in BROUGHT_BY.items() if module in brought), None)
        if extra is None:
            raise
        raise MissingExtraError(
            f"This part of FREM Studio needs {module}, which is not installed; install it with: "
            f"pip install 'frem-studio[{extra}]'"
        ) from error


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Has nobody look for garbage meanwhile.

    A thousand modules make objects that all stay; walking over them again and again while they come
    took a seventh of the time of an import.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def import_module(name: str) -> ModuleType:
    """Imports a module; one that an extra brings is named with its extra when it is missing."""
    with naming_the_extra(), _collector_at_rest():
        return importlib.import_module(name)


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Returns the ``__getattr__`` of a package whose public names are loaded at first use.

    Args:
        package: its dotted name.
        homes: the module that holds each name, relative to the package.
    """

    def load(name: str) -> Any:
        if name in homes:
            return getattr(import_module(f"{package}.{homes[name]}"), name)
        raise AttributeError(f"module '{package}' has no attribute '{name}'")

    return load
