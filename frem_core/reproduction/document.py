"""Writes reports as Markdown with SVG pictures, and the overview of all verdicts."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from frem_core.reproduction.earlier_page import FINDINGS, PROTOCOL, VERDICTS
from frem_core.reproduction.report import Report, Section, Verdict
from frem_core.reproduction.target import available_targets, get_target

_COMMAND = "frem reproduce overview"
_AS_PRINTED = "with the settings as printed"
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

#: For readers of the paper, before the table of all verdicts.
READING_WORDS = (
    "**Two readings.** The paper prints a weight decay of 0.01 and does not say whether age is",
    "among Adult's features. So read, its own unfair model does not come out; with 0.001, age",
    "among the features and the partition of its table it does ([open points](open-points.md)).",
    "Claims are judged by this nearest reading; the column beside it has the settings as printed.",
    "Simulations, graphs and open points do not depend on the reading and show one verdict twice.",
    "“Not tested yet” in the first column means that its runs are not trained yet;",
    "`frem reproduce <target>` trains them. Evidence from runs that were trained for fewer epochs",
    "than the paper's says so.",
    "",
    "**Why the reading matters.** The weight decay decides how far the penalty of the paper can be",
    "fooled ([why a low EIPM can lie](../penalty.md)). With 0.01 a small representation that a",
    "large head reads is expensive: EIPM and ΔHGR fall together, and every model, the unfair one",
    "too, pays in accuracy. With 0.001 models predict better, and FREM of the paper keeps more of",
    "ΔHGR at the same EIPM. FREM as it is here by default judges the prediction as well and does",
    "not depend on the weight decay for this; the claims are about FREM of the paper all the same.",
    "Kernels and σ make no difference on Crime with 0.01 and do with 0.001 ([implication",
    "4](implications.md)). A likely reason: with little decay the encoder is free to choose how",
    "large Z is, and the kernel decides at which size the penalty is small.",
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
    (folder / FINDINGS).mkdir(exist_ok=True)
    content = {
        "target": report.target,
        "title": report.title,
        "where": report.where,
        "findings": [asdict(finding) for finding in report.findings],
    }
    text = json.dumps(content, ensure_ascii=False, indent=1)
    (folder / FINDINGS / f"{report.target}.json").write_text(text + "\n", encoding="utf-8")
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
        if any(finding.printed_verdict is not None for finding in report.findings):
            verdicts[_AS_PRINTED] = [
                f"**{finding.printed_verdict}**: {finding.printed_evidence}"
                for finding in report.findings
            ]
        lines += [f"## {VERDICTS}", "", markdown_table(verdicts), ""]
    lines += [f"## {PROTOCOL}", ""]
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
            verdict, printed, evidence = _both_verdicts(finding, get_target(name).has_readings)
            rows.append((claim["text"], claim["where"], verdict, printed, evidence, link))
    columns = ["claim", "in the paper", "verdict", _AS_PRINTED, "evidence", "page"]
    page = folder / "README.md"
    page.write_text(_page(pd.DataFrame(rows, columns=columns), written), encoding="utf-8")
    return page


def _both_verdicts(finding: dict[str, Any], has_readings: bool) -> tuple[str, str, str]:
    """The verdict by the nearest reading, that of the printed settings, and the evidence."""
    verdict, evidence = finding["verdict"], finding["evidence"]
    if not has_readings:
        return verdict, verdict, evidence
    # A page that was written before there were two readings is about the settings as printed.
    printed = finding.get("printed_verdict") or verdict
    of_printed = finding.get("printed_evidence") or evidence
    if finding.get("printed_verdict") is None or verdict == Verdict.OPEN:
        return Verdict.OPEN, printed, f"As printed: {of_printed}"
    return verdict, printed, f"{evidence} As printed: {of_printed}"


def _page(table: pd.DataFrame, written: list[tuple[str, bool]]) -> str:
    shown = table.copy()
    for column in ("verdict", _AS_PRINTED):
        shown[column] = table[column].map("**{}**".format)
    lines = [
        "# Does it reproduce?",
        "",
        f"Written by `{_COMMAND}` from what the targets found; do not edit. Each page says how its",
        "numbers were made, what was cut and why, and is written by `frem reproduce <target>`.",
        "",
        f"{len(table)} claims, judged by the nearest reading of the paper: "
        f"{_summary(table['verdict'])}.",
        f"With the settings as printed: {_summary(table[_AS_PRINTED])}.",
        "",
        *READING_WORDS,
        "",
        markdown_table(shown),
        "",
        "## Targets",
        "",
        markdown_table(pd.DataFrame(_targets(written), columns=["target", "what", "in the paper"])),
    ]
    return "\n".join(lines) + "\n"


def _summary(verdicts: "pd.Series[str]") -> str:
    counts = Counter(verdicts)
    return ", ".join(f"{counts[one]} {one}" for one in Verdict if counts[one]) or "none tested yet"


def _targets(written: list[tuple[str, bool]]) -> list[tuple[str, str, str]]:
    rows = []
    for name, is_written in written:
        target = get_target(name)
        link = f"[`{name}`]({name}.md)" if is_written else f"`{name}` (not run yet)"
        rows.append((link, target.title, target.where))
    return rows


def _read_findings(folder: Path, name: str) -> dict[str, Any] | None:
    path = folder / FINDINGS / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found or None


def _place(name: str) -> int:
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)
