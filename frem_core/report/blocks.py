"""What a report is made of: each block shows itself as HTML and as plain values for JSON."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd

from frem_core.words import counted, rounded

if TYPE_CHECKING:
    import plotly.graph_objects as go

_DIGITS = 4
_SHORT = 20  # rows of a table that is moved to the next sheet rather than torn apart


class Block:
    """One part of a section."""

    kind: ClassVar[str]

    def html(self) -> str:
        """The block as HTML in which everything that came from outside is escaped."""
        raise NotImplementedError

    def values(self) -> dict[str, Any]:
        """The block as values that JSON knows."""
        raise NotImplementedError


@dataclass(frozen=True)
class Paragraph(Block):
    """A paragraph of running text."""

    kind = "text"
    text: str

    def html(self) -> str:
        """A ``p``."""
        return f"<p>{escape(self.text)}</p>"

    def values(self) -> dict[str, Any]:
        """``text``."""
        return {"text": self.text}


@dataclass(frozen=True)
class Notice(Block):
    """A sentence that must not be overlooked."""

    kind = "notice"
    text: str

    def html(self) -> str:
        """A framed paragraph."""
        return f'<p class="notice"><strong>Note.</strong> {escape(self.text)}</p>'

    def values(self) -> dict[str, Any]:
        """``text``."""
        return {"text": self.text}


@dataclass(frozen=True)
class Listing(Block):
    """Several short statements."""

    kind = "list"
    items: tuple[str, ...]

    def html(self) -> str:
        """A ``ul``; nothing without items."""
        inner = "".join(f"<li>{escape(item)}</li>" for item in self.items)
        return f"<ul>{inner}</ul>" if inner else ""

    def values(self) -> dict[str, Any]:
        """``items``."""
        return {"items": list(self.items)}


@dataclass(frozen=True)
class Facts(Block):
    """Names with what is to be said about each: a question and its answer, or settings."""

    kind = "facts"
    facts: Mapping[str, object]

    def html(self) -> str:
        """A ``dl`` in rows."""
        rows = "".join(
            f"<div><dt>{escape(name)}</dt><dd>{escape(shown(value))}</dd></div>"
            for name, value in self.facts.items()
        )
        return f"<dl>{rows}</dl>"

    def values(self) -> dict[str, Any]:
        """``facts`` by name."""
        return {"facts": {name: plain_value(value) for name, value in self.facts.items()}}


@dataclass(frozen=True)
class Commands(Block):
    """Lines to be typed into a terminal, or a file to be copied."""

    kind = "commands"
    lines: tuple[str, ...]

    def html(self) -> str:
        """A ``pre`` that wraps."""
        return f"<pre><code>{escape(chr(10).join(self.lines))}</code></pre>"

    def values(self) -> dict[str, Any]:
        """``lines``."""
        return {"lines": list(self.lines)}


@dataclass(frozen=True)
class Table(Block):
    """A table with its caption; a long one may be folded, and is then not printed.

    Attributes:
        frame: columns in the order to be shown; the index is left out.
        caption: what the table shows.
        folded: whether a click opens it.
    """

    kind = "table"
    frame: pd.DataFrame
    caption: str = ""
    folded: bool = False

    def html(self) -> str:
        """A ``table`` that scrolls where the window is too narrow for it."""
        numeric = [pd.api.types.is_numeric_dtype(dtype) for dtype in self.frame.dtypes]
        sides = ['class="number"' if is_number else "" for is_number in numeric]
        head = "".join(
            f'<th scope="col" {side}>{escape(str(name))}</th>'
            for name, side in zip(self.frame, sides, strict=True)
        )
        body = "".join(
            "<tr>"
            + "".join(
                f"<td {side}>{escape(shown(cell))}</td>"
                for cell, side in zip(row, sides, strict=True)
            )
            + "</tr>"
            for row in self.frame.itertuples(index=False, name=None)
        )
        caption = self.caption or "Table"
        title = f"<caption>{escape(self.caption)}</caption>" if self.caption else ""
        style = "scroll short" if len(self.frame) <= _SHORT else "scroll"
        table = (
            f'<div class="{style}" role="region" tabindex="0" aria-label="{escape(caption)}">'
            f"<table>{'' if self.folded else title}<thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table></div>"
        )
        if not self.folded:
            return table
        rows = counted(len(self.frame), "row")
        return f"<details><summary>{escape(caption)} ({rows})</summary>{table}</details>"

    def values(self) -> dict[str, Any]:
        """``caption``, ``columns`` and ``rows``."""
        rows = self.frame.itertuples(index=False, name=None)
        return {
            "caption": self.caption,
            "columns": [str(name) for name in self.frame],
            "rows": [[plain_value(cell) for cell in row] for row in rows],
        }


@dataclass(frozen=True)
class Chart(Block):
    """A plotly figure with the numbers it was drawn from.

    Attributes:
        figure: what to draw; its look is made to fit a white page.
        caption: the title of the chart, which stands above it.
        alt: what it shows and its main point, for those who do not see it.
        table: the numbers behind it.
        note: a sentence below it, such as how to read it.
    """

    kind = "chart"
    figure: "go.Figure"
    caption: str
    alt: str
    table: pd.DataFrame
    note: str = ""

    def html(self) -> str:
        """A ``figure`` that the script of the page fills, with its folded table."""
        drawing = self.figure.to_plotly_json()
        layout = {**drawing["layout"]}
        layout.pop("template", None)  # the page has one for all
        height = int(layout.get("height") or 420)
        inner = _script_json({"data": drawing["data"], "layout": {**layout, "height": height}})
        note = f'<p class="note">{escape(self.note)}</p>' if self.note else ""
        numbers = Table(self.table, caption=f"Numbers behind “{self.caption}”", folded=True)
        return (
            f"<figure><figcaption>{escape(self.caption)}</figcaption>"
            f'<div class="chart" role="img" aria-label="{escape(self.alt)}" '
            f'style="height:{height}px"></div>'
            f'<script type="application/json">{inner}</script>{note}</figure>{numbers.html()}'
        )

    def values(self) -> dict[str, Any]:
        """What the chart says: ``caption``, ``alt``, ``note`` and the table behind it."""
        numbers = Table(self.table).values()
        return {
            "caption": self.caption,
            "alt": self.alt,
            "note": self.note,
            "columns": numbers["columns"],
            "rows": numbers["rows"],
        }


def shown(value: object) -> str:
    """A value as people read it.

    >>> shown(0.123456), shown(12_345), shown(8000.4), shown(float("nan")), shown((True, 2))
    ('0.1235', '12,345', '8,000', '–', 'yes, 2')
    """
    value = plain_value(value)
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return rounded(value, _DIGITS) if abs(value) < 10**_DIGITS else f"{value:,.0f}"
    if isinstance(value, list):
        return ", ".join(shown(part) for part in value)
    return str(value)


def plain_value(value: object) -> Any:
    """The nearest value that JSON knows; what is missing or not finite becomes ``None``."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, Mapping):
        return {str(name): plain_value(part) for name, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset | np.ndarray | pd.Series):
        return [plain_value(part) for part in value]
    return str(value)


def _script_json(content: object) -> str:
    """JSON that cannot end the script element it stands in."""
    from plotly.utils import PlotlyJSONEncoder

    text = json.dumps(content, cls=PlotlyJSONEncoder, separators=(",", ":"))
    return text.replace("<", "\\u003c")
