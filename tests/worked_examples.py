"""The complete files that CONTRIBUTING.md shows, one of each kind, as code."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"


def worked_examples() -> dict[str, str]:
    """Path in the package → source, e.g. ``"frem_core/kernels/laplace.py"``."""
    blocks = re.findall(
        r"^`(frem_core/\w+/\w+\.py)`:\n\n```python\n(.*?)^```$",
        PAGE.read_text(encoding="utf-8"),
        flags=re.DOTALL | re.MULTILINE,
    )
    return dict(blocks)


def install_as_plugin(folder: Path) -> None:
    """Lays the examples down as an installed package would be, beside this one, not inside it.

    ``folder`` belongs on PYTHONPATH then.
    """
    package = folder / "worked_examples_plugin"
    package.mkdir()
    (package / "__init__.py").touch()
    groups = []
    for path, source in worked_examples().items():
        kind, name = Path(path).parent.name, Path(path).stem
        (package / f"{name}.py").write_text(source, encoding="utf-8")
        groups += [f"[frem.{kind}]", f"{name} = {package.name}.{name}"]
    about = folder / "worked_examples_plugin-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: worked-examples-plugin\nVersion: 1.0\n", encoding="utf-8"
    )
    (about / "entry_points.txt").write_text("\n".join([*groups, ""]), encoding="utf-8")
