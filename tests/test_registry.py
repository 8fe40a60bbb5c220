import logging
import sys
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
        "from frem_core.registry import Registry\n"
        "registry = Registry('shape', 'shapes_package', 'test.shapes')\n",
        encoding="utf-8",
    )
    for name in ("square", "circle"):
        (package / f"{name}.py").write_text(
            f"from shapes_package import registry\nregistry.register({name!r})({name.upper()!r})\n",
            encoding="utf-8",
        )
    monkeypatch.syspath_prepend(tmp_path)
    for module in ("shapes_package", "shapes_package.square", "shapes_package.circle"):
        monkeypatch.delitem(sys.modules, module, raising=False)
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


def install(folder: Path, package: str, **modules: str) -> None:
    """Lays down what an installed package leaves behind: its modules and their entry points."""
    for name, source in modules.items():
        text = f"from shapes_package import registry\n{source}\n"
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8"
    )
    lines = [f"{name} = {name}" for name in modules]
    (about / "entry_points.txt").write_text(
        "\n".join(["[test.shapes]", *lines, ""]), encoding="utf-8"
    )


def test_installed_packages_add_theirs(shapes: Registry[str], tmp_path: Path) -> None:
    install(tmp_path, "more-shapes", oval_plugin="registry.register('oval')('OVAL')")
    assert list(shapes) == ["circle", "oval", "square"]
    assert shapes.get("oval") == "OVAL"


def test_a_plugin_may_look_around_while_it_is_loaded(shapes: Registry[str], tmp_path: Path) -> None:
    source = "registry.register('every')(' '.join(registry))"
    install(tmp_path, "curious-shapes", curious_plugin=source)
    assert shapes.get("every") == "circle square"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import no_such_library", "ModuleNotFoundError: No module named 'no_such_library'"),
        ("registry.register('half')('HALF')\n1 / 0", "ZeroDivisionError: division by zero"),
        ("registry.register('circle')('MINE')", "ConfigError: Two shapes are called 'circle'"),
        ("this is no Python", "SyntaxError: invalid syntax"),
    ],
    ids=["import", "half-way", "taken", "syntax"],
)
def test_a_broken_plugin_is_left_out_and_named(
    shapes: Registry[str],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    request: pytest.FixtureRequest,
    source: str,
    said: str,
) -> None:
    module = "broken_" + request.node.callspec.id.replace("-", "_")
    install(tmp_path, "broken-shapes", **{module: source})
    install(tmp_path, "sound-shapes", **{f"{module}_not": "registry.register('oval')('OVAL')"})
    with caplog.at_level(logging.WARNING):
        assert list(shapes) == ["circle", "oval", "square"]
    (record,) = caplog.records
    assert f"The shape '{module}' of the package 'broken-shapes'" in record.message
    assert said in record.message
    assert shapes.get("circle") == "CIRCLE"


def test_a_broken_file_of_its_own_fails_at_every_look_up(
    shapes: Registry[str], tmp_path: Path
) -> None:
    (tmp_path / "shapes_package" / "zigzag.py").write_text("1 / 0\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            list(shapes)
