"""Puts picture and tables, made from the code, into docs/architecture.md."""

from pathlib import Path

from tools.architecture.layers import Layers
from tools.architecture.picture import draw
from tools.architecture.source import ROOT, Code
from tools.architecture.walks import PAGE, Walk, files_of, read_walks

PICTURE = PAGE.with_suffix(".svg")
_BEGIN, _END = "<!-- drawn from the code: {} -->", "<!-- end -->"


def made_files(page: Path = PAGE) -> dict[Path, str]:
    """What `make architecture` writes: the page, with its tables made anew, and the picture."""
    code = Code()
    layers, walks = Layers(code), read_walks(page)
    text = page.read_text(encoding="utf-8")
    text = _replaced(text, "folders", _folders(layers))
    text = _replaced(text, "walks", _walks(walks, code))
    return {page: text, PICTURE: draw(layers, walks[0])}


def main() -> None:
    """Writes both and says where."""
    for path, content in made_files().items():
        path.write_text(content, encoding="utf-8")
        print(path.relative_to(ROOT))


def _replaced(text: str, what: str, table: str) -> str:
    before, begin, rest = text.partition(_BEGIN.format(what) + "\n")
    _, end, after = rest.partition(_END)
    return before + begin + table + end + after


def _folders(layers: Layers) -> str:
    lines = ["| folder | what it is for | imports |", "|---|---|---|"]
    for row in layers.rows[::-1]:
        for folder in row:
            others = ", ".join(f"`{_short(one)}`" for one in sorted(layers.imports[folder])) or "–"
            lines.append(f"| `{folder}` | {layers.summary(folder)} | {others} |")
    return "\n".join(lines) + "\n"


def _walks(walks: list[Walk], code: Code) -> str:
    lines = ["| walk | stops | files a reader opens |", "|---|---|---|"]
    lines += [f"| {one.title} | {len(one.stops)} | {len(files_of(one, code))} |" for one in walks]
    return "\n".join(lines) + "\n"


def _short(folder: str) -> str:
    return folder.removeprefix("frem_core/")
