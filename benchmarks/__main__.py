"""Runs the benchmarks and writes their tables: ``python -m benchmarks [name …]``.

A benchmark is a module in this package, or in a folder of it, with a function ``run() -> Report``;
it appears here by itself.
"""

import argparse
from importlib import import_module
from pathlib import Path

from benchmarks import RESULTS
from benchmarks.measuring import machine
from frem_core.errors import did_you_mean


def modules() -> dict[str, str]:
    """Modules below this package that define ``run``, by their last name; none is imported."""
    found = {}
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        if "\ndef run(" in file.read_text(encoding="utf-8"):
            inside = file.relative_to(Path(__file__).parent).with_suffix("")
            found[file.stem] = ".".join(("benchmarks", *inside.parts))
    return found


def main() -> None:
    available = modules()
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
        page = import_module(available[name]).run().markdown(setting)
        page += f"\nWritten by `python -m benchmarks {name}`.\n"
        (RESULTS / f"{name}.md").write_text(page, encoding="utf-8")
        print(page)


if __name__ == "__main__":
    main()
