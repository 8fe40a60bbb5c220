"""The page on team servers as a script: its commands by heading, with other addresses."""

import re
from collections.abc import Mapping
from pathlib import Path

from tests.test_documentation import BLOCK, ROOT

PAGE = ROOT / "docs" / "team.md"
_INSTALLED = re.compile(r"^(python3\.11 -m venv|/opt/frem/bin/pip|export PATH=).*\n", re.MULTILINE)


def section(heading: str, language: str, words: Mapping[str, str]) -> str:
    """The blocks of one language below a heading, as they are to be typed here.

    Args:
        heading: how the heading begins.
        language: of the blocks.
        words: what stands on the page, and what takes its place; nothing else is changed.
    """
    [part] = [
        part
        for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
        if part.startswith(heading)
    ]
    text = "".join(content for kind, content in BLOCK.findall(part) if kind == language)
    assert text, f"{heading!r} has no {language}"
    # The package is here already; tests/test_package.py installs it.
    text = _INSTALLED.sub("", text)
    pattern = "|".join(re.escape(one) for one in sorted(words, key=len, reverse=True))
    return re.sub(pattern, lambda found: words[found.group()], text)


def addresses(
    site: Path, machine: str, *, database: int, scheduler: int, studio: int, https: int, login: str
) -> dict[str, str]:
    """What the names on the page stand for on one of the machines."""
    copies = {
        f"{name}.example.org:/etc/frem/": f"{site}/{name}/etc/frem/"
        for name in ("scheduler", "node1", "studio")
    }
    folders = {one: f"{site}/{machine}{one}" for one in ("/etc/frem", "/srv/frem", "/opt/frem")}
    return {
        **copies,
        **folders,
        "db.example.org:5432": f"127.0.0.1:{database}",
        "db.example.org": "127.0.0.1",
        "10.0.0.0/24": "127.0.0.1/32",
        "scheduler.example.org:8786": f"127.0.0.1:{scheduler}",
        "--port 8786": f"--port {scheduler}",
        "https://studio.example.org": f"https://studio.localhost:{https}",
        "studio.example.org": "studio.localhost",
        "listen 443": f"listen 127.0.0.1:{https}",
        "--port 8501": f"--port {studio}",
        "127.0.0.1:8501": f"127.0.0.1:{studio}",
        "https://login.example.org": login,
    }
