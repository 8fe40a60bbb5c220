"""One table of every claim, gathered from the findings of all targets."""

import json
from collections import Counter
from pathlib import Path

import pandas as pd

from frem_core.reproduction.claim import Verdict
from frem_core.reproduction.document import markdown_table
from frem_core.reproduction.target import available_targets, get_target

COMMAND = "frem reproduce overview"
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


def write_overview(folder: Path) -> Path:
    """Writes ``README.md`` from the findings that the targets have written."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, written = [], []
    names = sorted(available_targets(), key=lambda name: (_place(name), name))
    for name in names:
        content = _findings(folder, name)
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
        f"Written by `{COMMAND}` from what the targets found; do not edit. Each page says how its",
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


def _findings(folder: Path, name: str) -> dict[str, list[dict[str, dict[str, str]]]] | None:
    path = folder / "findings" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def _place(name: str) -> int:
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)
