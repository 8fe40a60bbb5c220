"""What a benchmark hands back, and how it looks as Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Table:
    """A small table under a heading."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    note: str = ""

    def markdown(self) -> str:
        """Heading, table and note."""
        lines = [f"## {self.title}", ""]
        lines += ["| " + " | ".join(self.columns) + " |", "|" + "---|" * len(self.columns)]
        lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in self.rows]
        return "\n".join([*lines, "", *([self.note, ""] if self.note else [])])


@dataclass(frozen=True)
class Check:
    """One promise and what was measured."""

    promise: str
    measured: str
    kept: bool


@dataclass(frozen=True)
class Report:
    """The outcome of one benchmark module."""

    title: str
    tables: Sequence[Table]
    checks: Sequence[Check] = field(default=())

    def markdown(self, setting: str) -> str:
        """The whole page; ``setting`` says where and with what it was measured."""
        parts = [f"# {self.title}", "", setting, ""]
        if self.checks:
            rows = [(c.promise, c.measured, "yes" if c.kept else "**no**") for c in self.checks]
            parts.append(Table("Promises", ("promise", "measured", "kept"), rows).markdown())
        parts += [table.markdown() for table in self.tables]
        return "\n".join(parts).rstrip() + "\n"


def seconds(value: float) -> str:
    """A duration with a unit that suits it.

    >>> seconds(0.0042), seconds(12.3)
    ('4.2 ms', '12.3 s')
    """
    return f"{value * 1e3:.3g} ms" if value < 1 else f"{value:.3g} s"


def megabytes(value: float) -> str:
    """Bytes as MB.

    >>> megabytes(2_500_000)
    '2.5 MB'
    """
    return f"{value / 1e6:,.3g} MB" if value < 1e9 else f"{value / 1e9:.3g} GB"


def times(value: float) -> str:
    """A ratio.

    >>> times(2104.3), times(8.46)
    ('2,104×', '8.5×')
    """
    return f"{value:,.0f}×" if value >= 100 else f"{value:.2g}×"
