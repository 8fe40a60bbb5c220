"""What the paper says, what a target found, and how it is told, before it is written down."""

from dataclasses import dataclass, field
from enum import StrEnum

import pandas as pd


class Verdict(StrEnum):
    """How a claim fared; ``MUTE`` when data that is there cannot speak to it."""

    REPRODUCED = "reproduced"
    PARTLY = "partly"
    NOT = "not"
    OPEN = "not tested yet"
    MUTE = "cannot be told here"


@dataclass(frozen=True)
class Claim:
    """One statement of the paper.

    Attributes:
        text: the statement in our words.
        where: the paper's label of the figure, table or section it stands in.
    """

    text: str
    where: str


@dataclass(frozen=True)
class Finding:
    """A claim and what became of it.

    Attributes:
        claim: the statement.
        verdict: the word.
        evidence: the numbers behind the word, in one or two sentences.
        printed_verdict: the word under the settings that the paper prints, where the first is by
            another reading; None where the reading makes no difference.
        printed_evidence: the numbers behind it.
    """

    claim: Claim
    verdict: Verdict
    evidence: str
    printed_verdict: Verdict | None = None
    printed_evidence: str = ""


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
