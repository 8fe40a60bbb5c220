"""What a target has to say, before it is written down."""

from dataclasses import dataclass, field

import pandas as pd

from frem_core.reproduction.claim import Finding


@dataclass(frozen=True)
class Picture:
    """An SVG drawing with the sentence below it."""

    name: str
    svg: str
    caption: str


@dataclass(frozen=True)
class Section:
    """A heading with text, tables (shown as they are: all cells are texts) and pictures."""

    heading: str
    text: str = ""
    tables: tuple[pd.DataFrame, ...] = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Report:
    """The outcome of one target.

    Attributes:
        target: its name.
        title: its heading.
        where: the paper's figures and tables.
        protocol: one sentence each on how the numbers were made, with what was cut and why.
        findings: the claims with their verdicts.
        sections: tables and pictures.
    """

    target: str
    title: str
    where: str
    protocol: tuple[str, ...]
    findings: tuple[Finding, ...]
    sections: tuple[Section, ...] = field(default=())
