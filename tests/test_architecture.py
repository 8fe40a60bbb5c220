"""The shape of the program: what docs/architecture.md says of it, and the limits it keeps."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tools.architecture.layers import Layers
from tools.architecture.page import made_files
from tools.architecture.source import ROOT, Code, Name, python_files
from tools.architecture.walks import Walk, read_walks, troubles

OWN = ("app.py", "pages", "studio", "frem_core", "examples", "tools", "benchmarks", "tests")
MOST_LINES = 300
MOST_FILES = 25

#: From what knows nobody to what nobody knows; a folder imports from rows before its own.
ORDER = (
    ("frem_core/kernels", "frem_core/metrics", "frem_core/datasets"),
    ("frem_core/eipm",),
    ("frem_core/methods",),
    ("frem_core/training",),
    ("frem_core/store", "frem_core/sweeps"),
    ("studio",),
    ("pages",),
)


@pytest.fixture(scope="module")
def code() -> Code:
    return Code()


@pytest.fixture(scope="module")
def layers(code: Code) -> Layers:
    return Layers(code)


def test_picture_and_tables_are_what_the_code_says() -> None:
    for path, wanted in made_files().items():
        assert path.read_text(encoding="utf-8") == wanted, f"{path.name}: run `make architecture`"


@pytest.mark.parametrize("walk", read_walks(), ids=lambda walk: walk.title)
def test_a_walk_can_be_walked(walk: Walk, code: Code) -> None:
    assert troubles(walk, code) == []


def test_both_walks_are_there() -> None:
    limits = {walk.title: walk.limits for walk in read_walks()}
    assert limits == {
        "a CSV to a figure on Trade-offs": {"stops": 20, "files": 40},
        "fit to the gradient of the penalty": {"stops": 14},
    }


def test_folders_import_each_other_in_one_direction_only(layers: Layers) -> None:
    assert layers.in_circles == []


def test_imports_go_the_way_the_design_says(layers: Layers) -> None:
    for number, row in enumerate(ORDER):
        later = {folder for other in ORDER[number + 1 :] for folder in other}
        for folder in row:
            assert layers.reach[folder] & later == set(), f"{folder} leans on what leans on it"


def test_the_library_knows_nothing_of_the_dashboard(layers: Layers, code: Code) -> None:
    for path, file in code.files.items():
        if path.startswith("frem_core"):
            roots = {one.module.split(".")[0] for one in file.imports}
            assert roots & {"streamlit", "studio", "pages", "tools", "tests"} == set(), path


def test_no_file_is_long_and_no_folder_is_full() -> None:
    lines = {path: text.count("\n") for path, text in python_files(ROOT, OWN)}
    assert {path: count for path, count in lines.items() if count > MOST_LINES} == {}
    folders = Counter(str(Path(path).parent) for path in lines)
    assert {name: count for name, count in folders.items() if count > MOST_FILES} == {}


class TestReadingCode:
    """On a small project: re-exports, methods, scripts, and steps that nobody takes."""

    @pytest.fixture
    def small(self, tmp_path: Path) -> Code:
        files = {
            "app.py": "from studio.page import show\nshow()\n",
            "studio/__init__.py": "",
            "studio/page.py": (
                "from typing import TYPE_CHECKING\nfrom frem_core import draw\n"
                "if TYPE_CHECKING:\n    from frem_core.other import Unseen\n"
                "def show():\n    return _inner()\n"
                "def _inner():\n    return draw().paint()\n"
            ),
            "frem_core/__init__.py": "from frem_core.figure import draw\n",
            "frem_core/figure.py": (
                "class Figure:\n    def paint(self):\n        return 1\n"
                "def draw():\n    return Figure()\n"
            ),
            "frem_core/other.py": "class Unseen:\n    pass\n",
        }
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text)
        return Code(tmp_path)

    def test_a_name_is_found_where_it_is_defined(self, small: Code) -> None:
        assert small.home("frem_core", "draw") == Name("frem_core/figure.py", "draw")
        assert small.home("pandas", "DataFrame") is None
        assert small.leans_on("studio/page.py") == {"frem_core/figure.py"}

    def test_a_walk_follows_calls_through_functions_of_a_file(
        self, small: Code, tmp_path: Path
    ) -> None:
        page = tmp_path / "walk.md"
        head = "<!-- walk: x, at most 4 stops, at most 3 files -->\n"
        good = "1. `app.py`\n2. `studio/page.py:show`\n3. `frem_core/figure.py:draw` draws\n"
        page.write_text(head + good + "4. `frem_core/figure.py:Figure.paint`\n")
        [walk] = read_walks(page)
        assert troubles(walk, small) == []
        page.write_text(head + good + "4. `frem_core/other.py:Unseen`\n5. `app.py`\n")
        [walk] = read_walks(page)
        assert troubles(walk, small) == [
            "frem_core/figure.py:draw does not use frem_core/other.py:Unseen.",
            "frem_core/other.py:Unseen does not use app.py.",
            "5 stops are more than 4.",
            "4 files are more than 3.",
        ]
        page.write_text(head + "1. `app.py`\n2. *(by magic)* `studio/page.py:hide`\n")
        [walk] = read_walks(page)
        assert troubles(walk, small) == ["There is no studio/page.py:hide."]


def test_every_script_of_a_page_is_thin(code: Code) -> None:
    for path, file in code.files.items():
        if path.startswith("pages/") or path == "app.py":
            functions = [one for one in file.tree.body if isinstance(one, ast.FunctionDef)]
            assert len(functions) <= 3, f"{path} defines {len(functions)} functions"
