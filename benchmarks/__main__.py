"""Runs the benchmarks and writes their tables: ``python -m benchmarks [name …]``.

A benchmark is a module in this package with a function ``run() -> Report``; it appears here by
itself.
"""

import argparse
import pkgutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import benchmarks
from benchmarks.measuring import machine
from frem_core.errors import did_you_mean

RESULTS = Path(__file__).parent / "results"


def names() -> list[str]:
    """Modules of this package that define ``run``, without importing them."""
    found = []
    for module in pkgutil.iter_modules(benchmarks.__path__):
        spec = find_spec(f"benchmarks.{module.name}")
        if spec and spec.origin and "\ndef run(" in Path(spec.origin).read_text(encoding="utf-8"):
            found.append(module.name)
    return found


def main() -> None:
    available = names()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", nargs="*", help=f"one or more of {', '.join(available)}")
    chosen = parser.parse_args().name or available
    for name in chosen:
        if name not in available:
            parser.error(f"no benchmark is called '{name}'.{did_you_mean(name, available)}")
    RESULTS.mkdir(exist_ok=True)
    for name in chosen:
        print(f"running {name} …", flush=True)
        setting = machine()
        page = import_module(f"benchmarks.{name}").run().markdown(setting)
        page += f"\nWritten by `python -m benchmarks {name}`.\n"
        (RESULTS / f"{name}.md").write_text(page, encoding="utf-8")
        print(page)


if __name__ == "__main__":
    main()
