"""What the paper says, what we found, and the one word for it."""

from dataclasses import dataclass
from enum import StrEnum


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
    """

    claim: Claim
    verdict: Verdict
    evidence: str
