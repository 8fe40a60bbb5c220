from pathlib import Path

import pytest

from frem_core.errors import ConfigError
from frem_core.registry import Registry


@pytest.fixture
def shapes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry[str]:
    """A registry over a package of two files that register themselves."""
    package = tmp_path / "shapes_package"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from frem_core.registry import Registry\nregistry = Registry('shape', 'shapes_package')\n",
        encoding="utf-8",
    )
    for name in ("square", "circle"):
        (package / f"{name}.py").write_text(
            f"from shapes_package import registry\nregistry.register({name!r})({name.upper()!r})\n",
            encoding="utf-8",
        )
    monkeypatch.syspath_prepend(tmp_path)
    for module in ("shapes_package", "shapes_package.square", "shapes_package.circle"):
        monkeypatch.delitem(__import__("sys").modules, module, raising=False)
    registry = __import__("shapes_package").registry
    assert isinstance(registry, Registry)
    return registry


def test_files_appear_by_themselves(shapes: Registry[str]) -> None:
    assert list(shapes) == ["circle", "square"]
    assert shapes.get("circle") == "CIRCLE"


def test_unknown_name_lists_the_choices_and_suggests(shapes: Registry[str]) -> None:
    with pytest.raises(ConfigError, match=r"no shape called 'sqare'.*Did you mean 'square'\?"):
        shapes.get("sqare")


def test_two_things_cannot_share_a_name(shapes: Registry[str]) -> None:
    with pytest.raises(ConfigError, match="Two shapes are called 'circle'"):
        list(shapes) and shapes.register("circle")("ANOTHER")
