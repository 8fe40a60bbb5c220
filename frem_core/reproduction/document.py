"""Writes reports as Markdown with SVG pictures, and the overview of all verdicts."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pandas as pd

from frem_core.reproduction.report import Report, Section, Verdict
from frem_core.reproduction.target import available_targets, get_target

_FINDINGS = "findings"
_COMMAND = "frem reproduce overview"
#: The order of the paper.
_ORDER = (
    "implications",
    "synthetic1",
    "synthetic_multi",
    "pareto-adult",
    "pareto-crime",
    "table-other",
    "eo-adult",
    "pokec",
    "mmd-bins",
    "kernels-s",
    "kernels-z",
    "sigma",
    "train-vs-test",
    "mi-stability",
    "open-points",
)


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


def write_overview(folder: Path) -> Path:
    """Writes ``README.md`` from the findings that the targets have written."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, written = [], []
    names = sorted(available_targets(), key=lambda name: (_place(name), name))
    for name in names:
        content = _read_findings(folder, name)
        written.append((name, content is not None))
        for finding in (content or {}).get("findings", []):
            claim = finding["claim"]
            link = f"[{name}]({name}.md)"
            rows.append(
                (claim["text"], claim["where"], finding["verdict"], finding["evidence"], link)
            )
    columns = ["claim", "in the paper", "verdict", "evidence", "page"]
    page = folder / "README.md"
    page.write_text(_page(pd.DataFrame(rows, columns=columns), written), encoding="utf-8")
    return page


def _page(table: pd.DataFrame, written: list[tuple[str, bool]]) -> str:
    counts = Counter(table["verdict"])
    summary = ", ".join(f"{counts[one]} {one}" for one in Verdict if counts[one])
    shown = table.assign(verdict=table["verdict"].map("**{}**".format))
    lines = [
        "# Does it reproduce?",
        "",
        f"Written by `{_COMMAND}` from what the targets found; do not edit. Each page says how its",
        "numbers were made, what was cut and why, and is written by `frem reproduce <target>`.",
        "",
        f"{len(table)} claims: {summary or 'none tested yet'}.",
        "",
        markdown_table(shown),
        "",
        "## Targets",
        "",
        markdown_table(pd.DataFrame(_targets(written), columns=["target", "what", "in the paper"])),
    ]
    return "\n".join(lines) + "\n"


def _targets(written: list[tuple[str, bool]]) -> list[tuple[str, str, str]]:
    rows = []
    for name, is_written in written:
        target = get_target(name)
        link = f"[`{name}`]({name}.md)" if is_written else f"`{name}` (not run yet)"
        rows.append((link, target.title, target.where))
    return rows


def _read_findings(folder: Path, name: str) -> dict[str, list[dict[str, dict[str, str]]]] | None:
    path = folder / "findings" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def _place(name: str) -> int:
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)
