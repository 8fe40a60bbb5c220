"""A report as one HTML file and as JSON."""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from frem_core.errors import ConfigError
from frem_core.extras import naming_the_extra
from frem_core.output_file import write_output
from frem_core.report.blocks import Block, Chart, plain_value

_FORMAT: Final = "frem-report/1"
_HERE: Final = Path(__file__).parent


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it.

    Attributes:
        title: the heading.
        blocks: its content, from :mod:`frem_core.report.blocks`.
        starts_page: whether it begins on a new sheet when printed.
    """

    title: str
    blocks: tuple[Block, ...]
    starts_page: bool = False

    def html(self) -> str:
        """A ``section``."""
        style = ' class="new-page"' if self.starts_page else ""
        inner = "".join(block.html() for block in self.blocks)
        return f"<section{style}><h2>{escape(self.title)}</h2>{inner}</section>"


@dataclass(frozen=True)
class Report:
    """A titled sequence of sections.

    Attributes:
        title: of the whole report.
        sections: in reading order; the first is what a hurried reader sees.
        subtitle: a line below the title: what was looked at, when, by which version.
        data: what programs want to read, under ``data`` in JSON; not shown in HTML.
    """

    title: str
    sections: tuple[Section, ...]
    subtitle: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_html(self) -> str:
        """The report as one HTML document that needs nothing else."""
        body = "".join(section.html() for section in self.sections)
        subtitle = f'<p class="subtitle">{escape(self.subtitle)}</p>' if self.subtitle else ""
        charts = any(isinstance(b, Chart) for part in self.sections for b in part.blocks)
        scripts = _scripts() if charts else ()
        allowed = " ".join(f"'sha256-{_digest(script)}'" for script in scripts) or "'none'"
        policy = (
            f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
            "img-src data: blob:"
        )
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
            f"<title>{escape(self.title)}</title>\n<style>{_style()}</style>\n</head>\n"
            f"<body>\n<main>\n<header><h1>{escape(self.title)}</h1>{subtitle}</header>\n"
            f"{body}\n</main>\n"
            + "".join(f"<script>{script}</script>\n" for script in scripts)
            + "</body>\n</html>\n"
        )

    def to_dict(self) -> dict[str, Any]:
        """The same content as values that JSON knows."""
        return {
            "format": _FORMAT,
            "title": self.title,
            "subtitle": self.subtitle,
            "data": plain_value(self.data),
            "sections": [
                {
                    "title": section.title,
                    "blocks": [{"kind": b.kind, **b.values()} for b in section.blocks],
                }
                for section in self.sections
            ],
        }

    def to_json(self) -> str:
        """The same content as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def save(self, path: str | Path) -> Path:
        """Writes the report whole or not at all; the ending of the name says as what.

        Args:
            path: ends in ``.html``, ``.htm`` or ``.json``.

        Raises:
            ConfigError: for another ending, or when the file cannot be written.
        """
        path = Path(path)
        ending = path.suffix.lower()
        if ending not in {".html", ".htm", ".json"}:
            raise ConfigError(f"A report is written as .html or .json, not as {path.name!r}.")
        text = self.to_json() if ending == ".json" else self.to_html()
        write_output(path, text.encode())
        return path


@cache
def _scripts() -> tuple[str, ...]:
    """Plotly, and what draws the charts of the page with it."""
    with naming_the_extra():
        from plotly.offline import get_plotlyjs
    # Written on lines of their own: a browser counts every character into the digest.
    return (get_plotlyjs(), (_HERE / "draw.js").read_text(encoding="utf-8"))


@cache
def _style() -> str:
    return (_HERE / "page.css").read_text(encoding="utf-8")


@cache
def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
