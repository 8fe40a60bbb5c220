"""What a page that was written before says on the settings as printed, so that it can stay.

Runs by the two readings need not be in one store: who trains one reading keeps what was found by
the other.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from frem_core.reproduction.readings import AS_PRINTED, BESIDE
from frem_core.reproduction.report import Claim, Finding, Report, Section, Verdict

FINDINGS = "findings"
VERDICTS, PROTOCOL = "Verdicts", "How it was made"
_BULLET, _HEADING = "* ", "## "


def earlier_printed(folder: Path, target: str) -> Report | None:
    """Reads the part of a page that is about the settings as printed.

    Args:
        folder: where the pages are.
        target: name of one that has two readings. A page from before there were two is about the
            settings as printed as a whole.

    Returns:
        A report whose sections hold the page's own Markdown; None when there is no such page.
    """
    page, known = folder / f"{target}.md", folder / FINDINGS / f"{target}.json"
    if not (page.is_file() and known.is_file()):
        return None
    content = json.loads(known.read_text(encoding="utf-8"))
    text = page.read_text(encoding="utf-8")
    return Report(
        target=target,
        title=content["title"],
        where=content["where"],
        protocol=tuple(_protocol(text)),
        findings=tuple(map(_printed, content["findings"])),
        sections=tuple(_sections(text)),
    )


def _printed(found: dict[str, Any]) -> Finding:
    claim = Claim(**found["claim"])
    if found.get("printed_verdict") is None:
        return Finding(claim, Verdict(found["verdict"]), found["evidence"])
    return Finding(claim, Verdict(found["printed_verdict"]), found["printed_evidence"])


def _protocol(text: str) -> Iterator[str]:
    """The sentences after the one that names the settings as printed; all where there is none."""
    is_about_it = not _has_two_readings(text)
    for line in text.splitlines():
        if is_about_it and line.startswith(_BULLET):
            yield line.removeprefix(_BULLET)
        is_about_it |= line.startswith(_BULLET + BESIDE)


def _sections(text: str) -> Iterator[Section]:
    mark = AS_PRINTED if _has_two_readings(text) else ""
    for part in text.split(f"\n{_HEADING}")[1:]:
        heading, _, body = part.partition("\n")
        if heading.startswith(mark) and heading not in (VERDICTS, PROTOCOL):
            yield Section(heading.removeprefix(mark), body.strip("\n"))


def _has_two_readings(text: str) -> bool:
    return f"\n{_BULLET}{BESIDE}" in text
