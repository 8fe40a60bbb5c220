"""What a page that was written before says on the settings as printed, so that it can stay.

Runs by the two readings need not be in one store: who trains one reading keeps what was found by
the other.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from frem_core.reproduction.readings import AS_PRINTED, BESIDE
from frem_core.reproduction.report import Claim, Finding, Report, Section, Verdict

FINDINGS = "findings"
_BULLET, _HEADING = "* ", "## "


def earlier_printed(folder: Path, target: str) -> Report | None:
    """Reads the part of a page that is about the settings as printed.

    Args:
        folder: where the pages are.
        target: name of one that has two readings.

    Returns:
        A report whose sections hold the page's own Markdown; None when there is no such page.
    """
    page, known = folder / f"{target}.md", folder / FINDINGS / f"{target}.json"
    if not (page.is_file() and known.is_file()):
        return None
    content = json.loads(known.read_text(encoding="utf-8"))
    if any(one.get("printed_verdict") is None for one in content["findings"]):
        return None
    text = page.read_text(encoding="utf-8")
    return Report(
        target=target,
        title=content["title"],
        where=content["where"],
        protocol=tuple(_protocol(text)),
        findings=tuple(
            Finding(Claim(**one["claim"]), Verdict(one["printed_verdict"]), one["printed_evidence"])
            for one in content["findings"]
        ),
        sections=tuple(_sections(text)),
    )


def _protocol(text: str) -> Iterator[str]:
    """The sentences after the one that names the settings as printed."""
    is_beside = False
    for line in text.splitlines():
        if is_beside and line.startswith(_BULLET):
            yield line.removeprefix(_BULLET)
        is_beside |= line.startswith(_BULLET + BESIDE)


def _sections(text: str) -> Iterator[Section]:
    for part in text.split(f"\n{_HEADING}")[1:]:
        heading, _, body = part.partition("\n")
        if heading.startswith(AS_PRINTED):
            yield Section(heading.removeprefix(AS_PRINTED), body.strip("\n"))
