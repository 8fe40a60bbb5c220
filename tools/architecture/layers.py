"""Folders, who imports whom, and the rows in which they can be drawn."""

from functools import cached_property

from tools.architecture.source import Code

#: Files at the top of the library that start programs; they belong to the commands.
_ENTRIES = ("frem_core/cli.py", "frem_core/__main__.py")


def folder_of(path: str) -> str:
    """The folder under which a file is drawn; what lies deeper belongs to it.

    >>> folder_of("frem_core/datasets/graphs/graph.py")
    'frem_core/datasets'
    >>> folder_of("studio/link.py"), folder_of("app.py")
    ('studio', 'pages')
    """
    if path in _ENTRIES:
        return "frem_core/commands"
    parts = path.split("/")
    if parts[0] in ("app.py", "pages"):
        return "pages"
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


class Layers:
    """The folders of the program.

    Args:
        code: the files.
    """

    def __init__(self, code: Code) -> None:
        self._code = code
        self.files: dict[str, list[str]] = {}
        for path in code.files:
            self.files.setdefault(folder_of(path), []).append(path)

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """For every folder those that it imports, directly."""
        return {
            folder: {folder_of(other) for path in paths for other in self._code.leans_on(path)}
            - {folder}
            for folder, paths in self.files.items()
        }

    @cached_property
    def reach(self) -> dict[str, set[str]]:
        """For every folder all that it leans on, also through others."""
        found: dict[str, set[str]] = {}
        for folder in self.imports:
            seen: set[str] = set()
            waiting = list(self.imports[folder])
            while waiting:
                current = waiting.pop()
                if current not in seen:
                    seen.add(current)
                    waiting += self.imports[current]
            found[folder] = seen
        return found

    @property
    def in_circles(self) -> list[str]:
        """Folders that lean on themselves through others; there should be none."""
        return sorted(folder for folder, others in self.reach.items() if folder in others)

    @cached_property
    def rows(self) -> list[list[str]]:
        """The folders in rows: each stands just above the highest that it imports."""
        height: dict[str, int] = {}

        def measure(folder: str, above: frozenset[str] = frozenset()) -> int:
            if folder not in height:
                below = self.imports[folder] - above
                highest = [measure(one, above | {folder}) for one in below]
                height[folder] = 1 + max(highest, default=-1)
            return height[folder]

        for folder in self.imports:
            measure(folder)
        rows: list[list[str]] = [[] for _ in range(max(height.values()) + 1)]
        for folder in sorted(height):
            rows[height[folder]].append(folder)
        return rows

    @property
    def needed_arrows(self) -> list[tuple[str, str]]:
        """Imports that no chain of others says already; the fewest arrows that tell the way."""
        return sorted(
            (folder, other)
            for folder, others in self.imports.items()
            for other in others
            if not any(other in self.reach[between] for between in others - {other})
        )

    def summary(self, folder: str) -> str:
        """What a folder is for, in the words of its own docstring."""
        return (
            self._code.files[f"{folder}/__init__.py"].summary
            if folder != "pages"
            else ("One thin script per page")
        )
