"""Links of documentation pages that lead out of ``docs/``, for the built site.

In the repository ``../benchmarks/results/leaks.md`` is a link that works; a built site does not
hold that file. Such a link becomes plain text there, once it is seen that the file exists.
"""

import logging
import re
from pathlib import Path
from typing import Any

# Under mkdocs' own logger, so that a strict build fails.
logger = logging.getLogger("mkdocs.hooks.documentation_links")
ROOT = Path(__file__).resolve().parents[1]
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((\.\./[^)#\s]+)(#[^)]*)?\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Called by mkdocs for every page."""
    here = ROOT / "docs" / Path(page.file.src_uri).parent

    def plain(link: re.Match[str]) -> str:
        target = (here / link[2]).resolve()
        if target.is_relative_to(ROOT / "docs"):
            return link[0]
        if not target.exists():
            logger.warning("docs/%s links to %s, which is gone.", page.file.src_uri, link[2])
        return f"{link[1]} (`{target.relative_to(ROOT)}`)"

    return _LINK.sub(plain, markdown)
