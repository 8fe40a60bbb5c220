"""Writes a report as Markdown with SVG pictures, and its findings as JSON for the overview."""

import json
from dataclasses import asdict
from pathlib import Path

import pandas as pd

from frem_core.reproduction.report import Report, Section

_FINDINGS = "findings"


def write_report(report: Report, folder: Path) -> Path:
    """Writes ``<target>.md``, its pictures, and ``findings/<target>.json``.

    Returns:
        The Markdown file.
    """
    pictures = folder / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    for section in report.sections:
        for picture in section.pictures:
            path = pictures / f"{report.target}-{picture.name}.svg"
            path.write_text(picture.svg, encoding="utf-8")
    page = folder / f"{report.target}.md"
    page.write_text(markdown(report), encoding="utf-8")
    (folder / _FINDINGS).mkdir(exist_ok=True)
    content = {
        "target": report.target,
        "title": report.title,
        "where": report.where,
        "findings": [asdict(finding) for finding in report.findings],
    }
    text = json.dumps(content, ensure_ascii=False, indent=1)
    (folder / _FINDINGS / f"{report.target}.json").write_text(text + "\n", encoding="utf-8")
    return page


def markdown(report: Report) -> str:
    """Returns the page."""
    lines = [f"# {report.title}", "", f"In the paper: {report.where}.", ""]
    lines += [f"Written by `frem reproduce {report.target}`; do not edit.", ""]
    if report.findings:
        verdicts = pd.DataFrame(
            {
                "claim": [finding.claim.text for finding in report.findings],
                "in the paper": [finding.claim.where for finding in report.findings],
                "verdict": [f"**{finding.verdict}**" for finding in report.findings],
                "evidence": [finding.evidence for finding in report.findings],
            }
        )
        lines += ["## Verdicts", "", markdown_table(verdicts), ""]
    lines += ["## How it was made", ""]
    lines += [f"* {sentence}" for sentence in report.protocol] + [""]
    for section in report.sections:
        lines += _section(section, report.target)
    return "\n".join(lines).rstrip() + "\n"


def markdown_table(table: pd.DataFrame) -> str:
    r"""Returns a table of texts in Markdown.

    >>> print(markdown_table(pd.DataFrame({"a": ["1|2"], "b": [""]})))
    | a | b |
    |---|---|
    | 1\|2 |  |
    """
    rows = [list(map(str, table.columns)), *table.astype(str).to_numpy().tolist()]
    cells = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], "|" + "---|" * len(table.columns), *lines[1:]])


def _section(section: Section, target: str) -> list[str]:
    lines = [f"## {section.heading}", ""]
    if section.text:
        lines += [section.text, ""]
    for picture in section.pictures:
        lines += [f"![{picture.caption}](pictures/{target}-{picture.name}.svg)", ""]
        lines += [f"*{picture.caption}*", ""]
    for table in section.tables:
        lines += [markdown_table(table), ""]
    return lines
