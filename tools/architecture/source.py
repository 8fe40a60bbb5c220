"""Every file of the project as `ast` sees it: what it defines, imports and uses."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: What belongs to the program; tests, benchmarks and tools lean on it and not it on them.
PROGRAM = ("app.py", "pages", "studio", "frem_core")

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Name:
    """A name and the file that defines it; without a name, the file itself."""

    path: str
    name: str = ""


@dataclass(frozen=True)
class Import:
    """One imported name.

    Attributes:
        local: how the file calls it.
        module: where it is imported from.
        name: what it is called there; "" when the module itself is imported.
        for_types: whether only type checkers see it.
    """

    local: str
    module: str
    name: str
    for_types: bool


class SourceFile:
    """One file.

    Args:
        path: relative to the project, with slashes.
        text: what is in it.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.tree = ast.parse(text)
        parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
        self.module = ".".join(parts)

    @cached_property
    def summary(self) -> str:
        """The first sentence of the docstring."""
        return (ast.get_docstring(self.tree) or "").split("\n")[0].rstrip(".")

    @cached_property
    def definitions(self) -> dict[str, ast.AST]:
        """Classes, functions, ``Class.method`` and names that are assigned, by their names."""
        found: dict[str, ast.AST] = {}
        for node in self.tree.body:
            if isinstance(node, _Definition):
                found[node.name] = node
                if isinstance(node, ast.ClassDef):
                    methods = (one for one in node.body if isinstance(one, _Definition))
                    found |= {f"{node.name}.{one.name}": one for one in methods}
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {one.id: node for one in targets if isinstance(one, ast.Name)}
        return found

    @cached_property
    def imports(self) -> list[Import]:
        """All imports, also those inside functions."""
        guarded = {
            id(inner)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
            for inner in ast.walk(node)
        }
        found: list[Import] = []
        for node in ast.walk(self.tree):
            for_types = id(node) in guarded
            if isinstance(node, ast.ImportFrom) and node.module:
                found += [
                    Import(one.asname or one.name, node.module, one.name, for_types)
                    for one in node.names
                ]
            elif isinstance(node, ast.Import):
                found += [
                    Import(one.asname or one.name, one.name, "", for_types) for one in node.names
                ]
        return found


def python_files(root: Path, parts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Path and text of every Python file of these files and folders."""
    for part in parts:
        top = root / part
        for file in [top] if top.is_file() else sorted(top.rglob("*.py")):
            yield file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")


class Code:
    """The files of the program.

    Args:
        root: the project's folder.
        parts: the files and folders to read.
    """

    def __init__(self, root: Path = ROOT, parts: tuple[str, ...] = PROGRAM) -> None:
        self.files: dict[str, SourceFile] = {}
        for path, text in python_files(root, parts):
            self.files[path] = SourceFile(path, text)
        self._by_module = {file.module: file for file in self.files.values()}

    def home(self, module: str, name: str) -> Name | None:
        """The file that defines what a module offers under a name; None outside the project."""
        file = self._by_module.get(module)
        inner = self._by_module.get(f"{module}.{name}")
        if file is None:
            return None
        if not name:
            return Name(file.path)
        if name in file.definitions:
            return Name(file.path, name)
        for one in file.imports:
            if one.local == name:
                return self.home(one.module, one.name)
        return Name((inner or file).path)

    def leans_on(self, path: str) -> set[str]:
        """The files whose names a file imports, other than for type checkers."""
        imports = [one for one in self.files[path].imports if not one.for_types]
        homes = [self.home(one.module, one.name) for one in imports]
        return {home.path for home in homes if home} - {path}

    def is_function(self, name: Name) -> bool:
        """Whether a name is something that does: a function, not a type or a constant."""
        node = self.files[name.path].definitions.get(name.name)
        return isinstance(node, ast.FunctionDef)

    def uses(self, path: str, name: str, *, inside: bool = True) -> tuple[set[Name], set[str]]:
        """What a function uses.

        Args:
            path: its file.
            name: the function; "" for what a script does when it runs.
            inside: also what functions of the same file use that it calls.

        Returns:
            Names of the project, and the names of all attributes that are asked for.
        """
        file = self.files[path]
        imported = {one.local: one for one in file.imports}
        names: set[Name] = set()
        attributes: set[str] = set()
        waiting = [name]
        seen: set[str] = set()
        while waiting:
            current = waiting.pop()
            if current in seen:
                continue
            seen.add(current)
            for node in _nodes(file, current):
                if isinstance(node, ast.Attribute):
                    attributes.add(node.attr)
                    own = [key for key in file.definitions if key.endswith(f".{node.attr}")]
                    waiting += own if inside else []
                if isinstance(node, ast.Name) and node.id in imported:
                    home = self.home(imported[node.id].module, imported[node.id].name)
                    names |= {home} if home else set()
                elif isinstance(node, ast.Name) and node.id in file.definitions:
                    names.add(Name(path, node.id))
                    waiting += [node.id] if inside else []
        return names, attributes


def _nodes(file: SourceFile, name: str) -> Iterator[ast.AST]:
    """All below a definition; of a script all that is no definition."""
    top = [file.definitions[name]] if name else file.tree.body
    for node in top:
        if name or not isinstance(node, _Definition):
            yield from ast.walk(node)
